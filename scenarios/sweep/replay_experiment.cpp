// The outputs of `septet replay` for a recording with a what-if.
//
// Points with the same recording on the same hardware share what was read and the replay of it as
// it was recorded: those that were used last are kept.
#include <algorithm>
#include <filesystem>
#include <list>
#include <mutex>
#include <utility>

#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/replay/start_error.hpp"
#include "scenarios/study/recording_study.hpp"
#include "scenarios/sweep/experiments.hpp"
#include "scenarios/sweep/replay_text.hpp"

namespace septet::sweep {
namespace {

namespace fs = std::filesystem;
using config::ConfigValue;

constexpr const char* kTable = "replay";

std::vector<Output> outputs_of_replay() {
  std::vector<Output> out = {
      {"measured_us", "us", "recorded time"},
      {"baseline_us", "us", "simulated time of the recording as it is"},
      {"error_pct", "%", "of that against the recorded time"},
      {"start_error_us", "us", "median error of when a kernel starts, as recorded"},
      {"simulated_us", "us", "simulated time with the change", Better::kLess},
      {"speedup", "1", "of the baseline's time", Better::kMore},
      {"gpu_commands", "1", "kernels, copies and other commands"},
      {"unprofiled_us", "us", "time without the profiler that recorded"},
      {"unprofiled_speedup", "1", "of the baseline's time without it"}};
  add_category_outputs(out);
  return out;
}

// "gpu.memory.bandwidth=\"4 TB/s\"" of each value in the tables that describe hardware.
void add_settings(const ConfigValue& value, const std::string& path,
                  std::vector<std::string>& out) {
  const bool number = value.find("value") != nullptr && value.find("source") != nullptr;
  if (value.table() == nullptr || number) {
    out.push_back(path + "=" + config::inline_toml(value));
    return;
  }
  for (const config::ConfigEntry& entry : *value.table()) {
    add_settings(entry.value, config::joined(path, entry.key), out);
  }
}

study::RecordingRequest request_of(const ConfigValue& tree) {
  const ConfigValue* table = tree.find(kTable);
  if (table == nullptr) {
    throw ConfigError(tree.where, "no table [replay]: command \"replay\" needs one");
  }
  ReplayText text;
  const std::string path = kTable;
  config::read_fields({*table, path}, replay_fields(), config::Sources::kAllowed, text);
  study::RecordingRequest out;
  for (const config::Name& name : text.recording.all) {
    out.files.push_back((fs::path(name.where.file).parent_path() / name.text).string());
  }
  out.gpu = text.gpu;
  out.like = text.like;
  out.target_gpu = text.target_gpu;
  for (const config::ConfigEntry& entry : *tree.table()) {
    if (entry.key != kTable && entry.key != "description") {
      add_settings(entry.value, entry.key, out.settings);
    }
  }
  return out;
}

// Two are the same where this is.
std::string key_of(const study::RecordingRequest& request) {
  std::string out = request.gpu + "\n" + request.like;
  for (const std::string& file : request.files) out += "\n" + file;
  for (const std::string& setting : request.settings) out += "\n" + setting;
  return out;
}

// A recording that has been read, and how it replays unchanged.
struct Replayed {
  Duration measured{};
  study::Study study;
  replay::StartError error;
};

Replayed replayed(const study::RecordingRequest& request) {
  study::RecordingStudy recording = read_recordings(request);
  study::Study study(std::move(recording.base));
  const replay::StartError error = replay::start_error(recording.import, study.run_baseline());
  return {recording.import.measured, std::move(study), error};
}

// The few that were asked for last.
class Recent {
 public:
  std::shared_ptr<const Replayed> of(const study::RecordingRequest& request) {
    const std::string key = key_of(request);
    if (auto known = find(key)) return known;
    auto made = std::make_shared<const Replayed>(replayed(request));
    const std::lock_guard lock(mutex_);
    kept_.emplace_front(key, made);
    if (kept_.size() > kKept) kept_.pop_back();
    return made;
  }

 private:
  static constexpr std::size_t kKept = 8;

  std::shared_ptr<const Replayed> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(kept_, key, &std::pair<std::string, Shared>::first);
    if (known == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, known);
    return kept_.front().second;
  }

  using Shared = std::shared_ptr<const Replayed>;
  std::mutex mutex_;
  std::list<std::pair<std::string, Shared>> kept_;  // used last first
};

class ReplayExperiment : public ExperimentWith<config::ProfileLibrary> {
 public:
  ReplayExperiment(const ConfigValue& file, const Folders& data_directories)
      : ExperimentWith(outputs_of_replay(), data_directories), file_(file) {}

  std::vector<std::string> inputs_of(const Point& point) const override {
    return request_of(scenario_of(file_, point)).files;
  }

  std::vector<std::string> arguments_of(const Point& point) const override {
    const study::RecordingRequest request = request_of(scenario_of(file_, point));
    std::vector<std::string> out = request.files;
    const auto add = [&out](const char* option, const std::string& value) {
      if (!value.empty()) out.insert(out.end(), {option, value});
    };
    add("--gpu", request.gpu);
    add("--like", request.like);
    add("--target-gpu", request.target_gpu);
    for (const std::string& setting : request.settings) add("--set", setting);
    add("--what-if", point.change);
    return out;
  }

  void check(const Point& point) const override {
    const study::RecordingRequest request = request_of(scenario_of(file_, point));
    for (const std::string& file : request.files) {
      if (!fs::is_regular_file(file)) throw ConfigError({file}, "cannot be read: no such file");
    }
    const std::string change = change_of(request, point);
    if (!change.empty()) recent_.of(request)->study.check_what_if(change, file_.where);
  }

  PointResult run(const Point& point, unsigned) const override {
    return guarded([&] {
      const study::RecordingRequest request = request_of(scenario_of(file_, point));
      const std::shared_ptr<const Replayed> base = recent_.of(request);
      study::Study study = base->study;
      const std::string change = change_of(request, point);
      if (!change.empty()) study.run_what_if(change, file_.where);
      const study::StudyResult& result = study.result();
      const study::Outcome& outcome = change.empty() ? result.baseline : result.what_ifs.front();
      return PointResult{Status::kDone, values_of_outcome(*base, outcome), {}};
    });
  }

 private:
  // The move to the target GPU before the point's change.
  static std::string change_of(const study::RecordingRequest& request, const Point& point) {
    std::vector<std::string> what_ifs;
    if (!point.change.empty()) what_ifs.push_back(point.change);
    const std::vector<study::AskedChange> all = changes_of(request, what_ifs);
    return all.empty() ? "" : all.back().change;
  }

  static std::vector<OutputValue> values_of_outcome(const Replayed& base,
                                                    const study::Outcome& outcome) {
    const Duration baseline = base.study.result().baseline.summary.span;
    const analysis::RunSummary& summary = outcome.summary;
    std::vector<OutputValue> out = {to_us(base.measured),
                                    to_us(baseline),
                                    100 * (ratio(baseline, base.measured) - 1),
                                    to_us(base.error.median),
                                    to_us(summary.span),
                                    ratio(baseline, summary.span),
                                    static_cast<double>(summary.gpu_commands)};
    const bool known = outcome.unprofiled.has_value();
    out.emplace_back(known ? to_us(*outcome.unprofiled) : kUnknown);
    out.emplace_back(known ? outcome.unprofiled_speedup : kUnknown);
    add_category_values(summary.attribution, out);
    return out;
  }

  const ConfigValue& file_;
  mutable Recent recent_;
};

}  // namespace

const config::Fields<ReplayText>& replay_fields() {
  using S = ReplayText;
  static const config::Fields<S> rows = {
      required(field("recording", &S::recording,
                     "the file of a recording, or those of several ranks of one run; relative "
                     "ones start in the folder of the scenario")),
      config::field("gpu", &S::gpu, "as --gpu of septet replay"),
      config::field("like", &S::like, "as --like"),
      config::field("target_gpu", &S::target_gpu, "as --target-gpu"),
  };
  return rows;
}

std::unique_ptr<Experiment> replay_experiment(const ConfigValue& file,
                                              const Folders& data_directories) {
  return std::make_unique<ReplayExperiment>(file, data_directories);
}

}  // namespace septet::sweep
