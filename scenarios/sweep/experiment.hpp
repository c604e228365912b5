// What a command of Septet gives at each point of a sweep. Profiles and models are read once; runs
// are independent of one another and may go on at the same time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "scenarios/sweep/points.hpp"

namespace septet::sweep {

// Done, infeasible (it fits no GPU, or nothing meets the objectives) and saturated (more requests
// than can be answered) are results; the others are run again.
enum class Status : std::uint8_t { kDone, kInfeasible, kSaturated, kFailed, kTimedOut };
constexpr auto enum_table(std::type_identity<Status>) {
  return enum_texts<Status>("done", "infeasible", "saturated", "failed", "timed_out");
}
constexpr bool is_result(Status status) {
  return status != Status::kFailed && status != Status::kTimedOut;
}

enum class Better : std::uint8_t { kNeither, kLess, kMore };
constexpr auto enum_table(std::type_identity<Better>) {
  return enum_texts<Better>("", "less", "more");
}

// A column of the result.
struct Output {
  std::string name;   // "simulated_us"
  std::string units;  // "1": a plain number; kText: a text
  std::string meaning;
  Better better = Better::kNeither;

  bool is_text() const { return units == kText; }
  static constexpr const char* kText = "text";
};

// Of an output; NaN or empty: not known.
using OutputValue = std::variant<double, std::string>;

struct PointResult {
  Status status = Status::kDone;
  std::vector<OutputValue> values;  // one for each output; of points done or saturated
  std::string message;              // why it is not done

  friend bool operator==(const PointResult&, const PointResult&) = default;
};

constexpr const char* kPointFile = "point.toml";

class Experiment {
 public:
  virtual ~Experiment() = default;

  virtual const std::vector<Output>& outputs() const = 0;
  // Of everything besides the scenario's text that results depend on.
  virtual const std::string& data_version() const = 0;
  // Files whose contents results depend on, besides those.
  virtual std::vector<std::string> inputs_of(const Point&) const { return {}; }
  // What the command is called with that does the same for this point alone. kPointFile: a file
  // with the point's scenario.
  virtual std::vector<std::string> arguments_of(const Point& point) const;
  // Throws ConfigError where the point's scenario is wrong, without running it.
  virtual void check(const Point& point) const = 0;
  // On `threads` threads, where the command can use them; the result doesn't depend on them. What
  // goes wrong becomes a status, except that memory is used up: std::bad_alloc.
  virtual PointResult run(const Point& point, unsigned threads) const = 0;
};

// Of `scenario`, a file without [sweep], which outlives it.
std::unique_ptr<Experiment> experiment_of(
    Command command, const config::ConfigValue& scenario,
    const std::vector<std::filesystem::path>& data_directories);

}  // namespace septet::sweep
