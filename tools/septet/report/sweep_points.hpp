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
  std::string better{};  // "less" or "more"; empty: neither is
};

struct SweepPoint {
  std::string name;
  std::string status;             // "done" where there are values
  std::vector<std::string> keys;  // their values, as text
  std::vector<double> outputs;    // NaN where there is none
  std::string message;
  std::vector<std::string> texts{};
};

struct SweepPoints {
  std::vector<std::string> keys;
  std::vector<SweepOutput> outputs;  // numbers
  std::vector<SweepPoint> points;
  std::vector<std::string> texts{};  // names of outputs that are texts
};

// `summary`: of sweep.json, which names the columns. Throws ConfigError with file and line where
// the table has other columns or no number where one belongs.
SweepPoints read_sweep_points(const std::filesystem::path& csv,
                              const nlohmann::ordered_json& summary);

// Places of the points that no other one beats: it isn't worse in either of two outputs and better
// in one. In the order of the first output. Asserts that both outputs say what is better.
std::vector<std::size_t> pareto_front(const SweepPoints& sweep, std::size_t first,
                                      std::size_t second);

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
