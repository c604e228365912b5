// A sweep that was asked for, and what its file says.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "scenarios/sweep/experiment.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {

constexpr const char* kSweepCommand = "septet sweep";
constexpr std::size_t kListedPoints = 20;  // of lists for people

struct SweepRequest {
  CommonOptions common;
  std::string file;
  std::string shard;
  std::uint64_t slurm = 0;
  std::uint64_t retries = 0;
  std::string point;
  bool dry_run = false;
  bool merge = false;
  bool fail_fast = false;
  std::optional<Duration> time_limit{};
  std::optional<Bytes> memory_limit{};
};

// The command without what concerns one call alone, quoted for the shell.
std::string plain_command(const SweepRequest& request);

// What varies, and what is run.
struct Sweep {
  config::ConfigValue file;
  sweep::SweepText text;
  config::ConfigValue scenario;  // without the table [sweep]
  std::unique_ptr<sweep::Experiment> experiment;
  sweep::Points points;
  std::string id;  // of all that results depend on
};

// Lines for the shell that run the point alone.
std::string line_of_point(const SweepRequest& request, const Sweep& sweep,
                          const sweep::Point& point);

// Throws ConfigError for what is wrong in the file, any point or the outputs.
std::unique_ptr<Sweep> read_sweep(const SweepRequest& request);

// The same of a file that was read; `settings` are those of --set.
std::unique_ptr<Sweep> sweep_of(config::ConfigValue file, const std::vector<std::string>& settings);

}  // namespace septet::command
