// What-ifs on every recording of `data/measurements`: what has to hold whatever was recorded.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/study/recording_study.hpp"

namespace septet::whatif {
namespace {

system::SystemSpec h200() {
  const config::ProfileLibrary library(config::data_directories());
  const config::Hardware hardware = read_hardware("h200-sxm", "", {}, library, "test");
  system::SystemSpec system;
  system.gpu = hardware.gpu;
  system.host = hardware.host;
  return system;
}

std::vector<std::string> recordings() {
  const std::filesystem::path folder =
      std::filesystem::path(SEPTET_SOURCE_DIR) / "data/measurements/h200/traces";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class RecordedWhatIfs : public testing::TestWithParam<std::string> {
 protected:
  RecordedWhatIfs()
      : import_(recorded::import_recording(recorded::read_recorded(GetParam()))),
        study_(study::recorded_case(GetParam(), import_.program, import_.latencies, h200(), {})) {
    study_.run_baseline();
  }

  const analysis::RunSummary& baseline() { return study_.result().baseline.summary; }
  analysis::RunSummary run(const std::string& what_if) {
    study_.run_what_if(what_if, {"--what-if"});
    return study_.result().what_ifs.back().summary;
  }

  recorded::Import import_;
  study::Study study_;
};

TEST_P(RecordedWhatIfs, ChangesThatChangeNothingGiveTheSameTime) {
  for (const char* what_if : {"host-speed=1", "connections=8", "kernel=.*:scale=1", "priority=."}) {
    EXPECT_EQ(run(what_if).span, baseline().span) << what_if;
  }
}

TEST_P(RecordedWhatIfs, NoWayOfSubmittingBeatsTheIdeal) {
  const Duration ideal = run("ideal-launch").span;
  EXPECT_LE(ideal, run("ideal-launch=calls").span);
  for (const char* what_if :
       {"cuda-graphs", "cuda-graphs=whole", "launch-cost=1 us", "host-speed=1000"}) {
    EXPECT_LE(ideal, run(what_if).span) << what_if;
  }
  EXPECT_LE(run("ideal-launch=calls").span, baseline().span);
}

TEST_P(RecordedWhatIfs, TheIdealIsNoShorterThanTheWorkOfAnyStream) {
  std::vector<Duration> busy(import_.program.streams.size());
  for (const program::HostThread& thread : import_.program.threads) {
    for (const program::Call& call : thread.calls) {
      const Duration* recorded = recorded_in(call);
      if (recorded != nullptr) busy[call.stream] += std::max(*recorded, Duration(0));
    }
  }
  EXPECT_GE(run("ideal-launch").span, *std::max_element(busy.begin(), busy.end()));
}

TEST_P(RecordedWhatIfs, OneStreamChangesNothingWhereThereIsOne) {
  if (import_.program.streams.size() != 1) GTEST_SKIP() << "several streams";
  EXPECT_EQ(run("one-stream").span, baseline().span);
  EXPECT_EQ(run("one-stream").engine.digest, baseline().engine.digest);
}

TEST_P(RecordedWhatIfs, EveryKernelIsStillThereWithItsDuration) {
  const auto kernel_time = [](const analysis::RunSummary& summary) {
    TotalTime sum;
    for (const analysis::KernelTotal& kernel : summary.kernels) sum += kernel.time;
    return sum;
  };
  for (const char* what_if : {"one-stream", "fuse=."}) {
    EXPECT_EQ(kernel_time(run(what_if)), kernel_time(baseline())) << what_if;
  }
  const auto launches = [](const analysis::RunSummary& summary) {
    std::int64_t sum = 0;
    for (const analysis::KernelTotal& kernel : summary.kernels)
      sum += static_cast<std::int64_t>(kernel.count);
    return sum;
  };
  // Where kernels overlap that did not, they slow each other.
  const bool one_stream = import_.program.streams.size() == 1;
  for (const char* what_if : {"cuda-graphs", "ideal-launch", "stream-per-thread"}) {
    const TotalTime time = kernel_time(run(what_if));
    EXPECT_GE(time, kernel_time(baseline())) << what_if;
    // A kernel that shares is timed by its rate, to a picosecond.
    if (one_stream) {
      EXPECT_LE(time - kernel_time(baseline()), Duration(launches(baseline()))) << what_if;
    }
  }
}

TEST_P(RecordedWhatIfs, RemovedKernelsAreGone) { EXPECT_TRUE(run("remove=.").kernels.empty()); }

std::string name_of_recording(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).filename().string();
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recordings, RecordedWhatIfs, testing::ValuesIn(recordings()),
                         name_of_recording);

}  // namespace
}  // namespace septet::whatif
