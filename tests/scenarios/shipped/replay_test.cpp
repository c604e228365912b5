// The trace of every shipped scenario is a recording that can be replayed.
#include <utility>

#include <gtest/gtest.h>

#include "core/trace/hdf5_writer.hpp"
#include "scenarios/study/recording_study.hpp"
#include "scenarios/system/trace_file.hpp"
#include "tests/core/trace/sample.hpp"
#include "tests/scenarios/shipped/testing.hpp"

namespace septet {
namespace {

// Writes the trace of the scenario; false where it cannot go on, as one of them shows.
bool write_trace(const config::Scenario& scenario, const std::filesystem::path& path) {
  system::System system(scenario.program, study::system_of(scenario.hardware));
  trace::Hdf5Writer writer(path, system.trace().schema);
  describe_run(system, writer);
  try {
    engine::RunOptions options = study::options_of(scenario.run, 1);
    options.rows = &writer;
    system.run(options);
  } catch (const ModelError&) {
    return false;
  }
  writer.finish();
  return true;
}

// The time of the recording, and of its replay.
std::pair<Duration, Duration> replayed(const std::filesystem::path& path) {
  study::RecordingRequest request;
  request.files = {path.string()};
  study::RecordingStudy recording = read_recordings(request);
  study::Study study(std::move(recording.base));
  study.run_baseline();
  return {recording.import.measured, study.result().baseline.summary.span};
}

TEST(Replay, OfTheTraceOfEveryShippedScenarioTakesAsLongAsTheRun) {
  const sample::TemporaryDirectory directory;
  for (const std::string& name : shipped_names()) {
    const config::Scenario scenario = variations_of(name).front().second;
    const std::filesystem::path path = directory / (name + ".h5");
    if (!write_trace(scenario, path)) continue;
    const auto [recorded, replay] = replayed(path);
    EXPECT_NEAR(to_us(replay), to_us(recorded), 1.0) << name;
  }
}

}  // namespace
}  // namespace septet
