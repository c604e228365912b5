// Where a result comes from, so that it can be made again and told from others.
//
// One part is the same wherever and whenever the run is made, and stands in every file of the
// result; the other part varies and stands in provenance.json and on standard output alone. Files
// go by their names and hashes, since folders differ from machine to machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "models/records/input_record.hpp"
#include "scenarios/config/configuration.hpp"

namespace septet::command {

// What makes a run, and so the same in all its repetitions.
struct RunOrigin {
  std::vector<records::InputRecord> inputs;
  std::string gpu;
  std::string host;
  std::uint64_t seed = 1;
  std::vector<std::string> settings;  // of --set
};

// What a run happened to be.
struct RunCircumstances {
  std::vector<std::string> command_line;  // as it was typed, with "septet"
  std::uint64_t threads = 1;
  double wall_s = 0;  // of all of the command so far
};

// "septet" and what was typed after it.
std::vector<std::string> command_line(const std::string& command,
                                      const std::vector<std::string>& arguments);

// From when a command began.
class CommandClock {
 public:
  CommandClock(const std::string& command, const std::vector<std::string>& arguments,
               std::uint64_t threads);
  RunCircumstances so_far() const;

 private:
  RunCircumstances began_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The file's name, size and hash. Throws ConfigError where it can't be read.
records::InputRecord input_record(const std::filesystem::path& file, const std::string& role);

// Of files named on the command line, in their order.
std::vector<records::InputRecord> input_records(const std::vector<std::filesystem::path>& files,
                                                const std::string& role);

// Those of the profiles of a configuration.
std::vector<records::InputRecord> profile_records(const config::Configuration& configuration);

// Names the GPUs and hosts of all of them, and adds the files of their profiles, each once.
void add_profiles(RunOrigin& origin, const std::vector<config::Configuration>& configurations);

// A setting or a what-if as it is told: of a file of hardware that it names only the name.
std::string without_folders(const std::string& text);
// The names of files, in their order.
std::string names_of(const std::vector<std::string>& files);

// {"version", "commit", "gpu", "host", "seed", "settings", "inputs": [{"file", "role",
// "size_bytes", "sha256"}], "digest"}; no digest where that is empty
nlohmann::ordered_json origin_json(const RunOrigin& origin, const std::string& digest);
// The same and {"command_line", "threads", "wall_s"}.
nlohmann::ordered_json provenance_json(const RunOrigin& origin, const std::string& digest,
                                       const RunCircumstances& circumstances);
// A few lines.
std::string origin_text(const RunOrigin& origin);

}  // namespace septet::command
