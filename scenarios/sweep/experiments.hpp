// The kinds of experiments, and what they share.
#pragma once

#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/analysis/attribution.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/sweep/experiment.hpp"

namespace septet::sweep {

using Folders = std::vector<std::filesystem::path>;

std::unique_ptr<Experiment> scenario_experiment(const config::ConfigValue&, const Folders&);
std::unique_ptr<Experiment> serving_experiment(const config::ConfigValue&, const Folders&);
std::unique_ptr<Experiment> replay_experiment(const config::ConfigValue&, const Folders&);
std::unique_ptr<Experiment> explain_experiment(const config::ConfigValue&, const Folders&);
std::unique_ptr<Experiment> capacity_experiment(const config::ConfigValue&, const Folders&);
std::unique_ptr<Experiment> plan_experiment(const config::ConfigValue&, const Folders&);

// A hash of all profiles, and of what else results depend on.
std::string version_of(const config::ProfileLibrary& library, std::string others = {});
std::string version_of(const serving::Libraries& libraries);

// An experiment that reads a library of data, which is all that its results depend on beside files
// that points name.
template <class Library>
class ExperimentWith : public Experiment {
 public:
  const std::vector<Output>& outputs() const override { return outputs_; }
  const std::string& data_version() const override { return version_; }

 protected:
  ExperimentWith(std::vector<Output> outputs, const Folders& data_directories)
      : library_(data_directories), outputs_(std::move(outputs)), version_(version_of(library_)) {}

  const Library& library() const { return library_; }

 private:
  Library library_;
  std::vector<Output> outputs_;
  std::string version_;
};

// What a point lays over a configuration.
config::Configuration varied(const config::Configuration& base, const Point& point,
                             const config::ProfileLibrary& library);
serving::ServingConfiguration varied(const serving::ServingConfiguration& base, const Point& point,
                                     const serving::Libraries& libraries);

// The files of recorded requests.
std::vector<std::string> logs_of(const serving::ServingConfiguration& configuration);

// The time of each category of a run.
void add_category_outputs(std::vector<Output>& out);
void add_category_values(const analysis::Attribution& attribution, std::vector<OutputValue>& out);

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Throws ConfigError for a point with a what-if, which `kind` doesn't take.
void refuse_change(const Point& point, const Location& where, const char* kind);

// Whether the error says that what was asked for can't be: a result.
bool is_infeasible(const std::exception& error);

// Runs `work`; what it throws is the point's status.
template <class Work>
PointResult guarded(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {is_infeasible(error) ? Status::kInfeasible : Status::kFailed, {}, error.what()};
  }
}

}  // namespace septet::sweep
