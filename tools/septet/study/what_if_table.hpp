// A run and its what-ifs as a table for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "scenarios/study/study.hpp"

namespace septet::command {

// What a run spends most of its critical path on: "kernels 81 % (gemm 22 %)", shares of its time.
std::string limit_text(const analysis::RunSummary& summary);

// At most `columns` wide; names and limits are shortened, numbers never. `as_it_is`: the name of
// the baseline.
std::string what_if_table(const study::StudyResult& result, const std::string& as_it_is,
                          std::size_t columns);

}  // namespace septet::command
