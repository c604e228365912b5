// The points of a sweep, as sweep.csv and sweep.json have them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace septet::command {

struct SweepOutput {
  std::string name;
  std::string units;
  std::string meaning;
};

struct SweepPoint {
  std::string name;
  std::string status;             // "ok" where there are values
  std::vector<std::string> keys;  // their values, as text
  std::vector<double> outputs;    // NaN where there is none
  std::string message;
};

struct SweepPoints {
  std::vector<std::string> keys;
  std::vector<SweepOutput> outputs;
  std::vector<SweepPoint> points;
};

// `summary`: of sweep.json, which names the columns. Throws ConfigError with file and line where
// the table has other columns or no number where one belongs.
SweepPoints read_sweep_points(const std::filesystem::path& csv,
                              const nlohmann::ordered_json& summary);

// How an output depends on one key, whatever the others are: its median for each value of the key,
// in the order of the table.
struct MainEffect {
  std::size_t key = 0;
  struct Level {
    std::string value;
    double median = 0;
    std::size_t points = 0;
  };
  std::vector<Level> levels;

  double least() const;
  double most() const;
};

// Of the keys with at least two values, the strongest first.
std::vector<MainEffect> main_effects(const SweepPoints& sweep, std::size_t output);

}  // namespace septet::command
