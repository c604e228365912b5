// The benchmarks behind `septet bench`. Each lives in tools/septet/bench/ as a function from
// options to a report; bench_NAME in bench_*.cpp reads the command line and prints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/septet/dispatch.hpp"

namespace septet::command {

int bench_phold(const std::vector<std::string>& arguments);
int bench_collective(const std::vector<std::string>& arguments);
int bench_cluster(const std::vector<std::string>& arguments);
int bench_hold(const std::vector<std::string>& arguments);
int bench_kernels(const std::vector<std::string>& arguments);
int bench_kineto(const std::vector<std::string>& arguments);
int bench_launches(const std::vector<std::string>& arguments);
int bench_rows(const std::vector<std::string>& arguments);

std::span<const Subcommand> bench_commands();

}  // namespace septet::command
