// What is run at each point of a sweep: a scenario, or LLM serving. Profiles and models are read
// once; runs are independent of one another and may go on at the same time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "scenarios/sweep/points.hpp"

namespace septet::sweep {

// Done, infeasible (it fits no GPU or contradicts itself) and saturated (more requests than can be
// answered) are results.
enum class Status : std::uint8_t { kDone, kInfeasible, kSaturated, kFailed };
constexpr auto enum_table(std::type_identity<Status>) {
  return enum_texts<Status>("done", "infeasible", "saturated", "failed");
}

// A column of the result.
struct Output {
  std::string name;  // "simulated_us"
  std::string units;
  std::string meaning;
};

struct PointResult {
  Status status = Status::kDone;
  std::vector<double> values;  // one for each output; none of points that are not done or saturated
  std::string message;         // why it is infeasible or failed

  friend bool operator==(const PointResult&, const PointResult&) = default;
};

class Experiment {
 public:
  virtual ~Experiment() = default;

  virtual const std::vector<Output>& outputs() const = 0;
  // Of everything besides the scenario's text that results depend on.
  virtual const std::string& data_version() const = 0;
  // Throws ConfigError where the point's scenario is wrong, without running it.
  virtual void check(const Point& point) const = 0;
  // What goes wrong becomes a status.
  virtual PointResult run(const Point& point) const = 0;
};

// Of `scenario`, a file without [sweep], which outlives it.
std::unique_ptr<Experiment> experiment_of(
    const config::ConfigValue& scenario,
    const std::vector<std::filesystem::path>& data_directories);

}  // namespace septet::sweep
