// Several processes on one GPU. Each launches at 0 a kernel that could start at 7. Without MPS a
// process keeps the GPU for 100 us while another waits; the change takes 10 us and 2 us for each
// block that is resident.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec sliced_system() {
  system::SystemSpec system = round_system();
  system.gpu.time_slice.slice = 100_us;
  system.gpu.time_slice.switch_time = 10_us;
  system.gpu.time_slice.switch_time_per_block = 2_us;
  return system;
}

// A kernel of one block whose process may be switched out.
program::Kernel working_kernel(Duration time) {
  program::Kernel kernel = program::spin_kernel(1, 32, time);
  std::get<program::FixedBlockWork>(kernel.work).by_clock = false;
  return kernel;
}

// Each process launches its kernels one after the other on a stream with its number.
program::Program processes(const std::vector<std::vector<program::Kernel>>& kernels) {
  program::ProgramBuilder builder;
  for (std::uint32_t p = 0; p < kernels.size(); ++p) {
    const std::uint32_t stream = builder.stream(0, p);
    builder.thread(p);
    for (const program::Kernel& kernel : kernels[p]) builder.launch(builder.kernel(kernel), stream);
  }
  return builder.take();
}

TEST(TimeSlices, AProcessThatIsDoneGivesUpTheRestOfItsSlice) {
  const program::Kernel kernel = working_kernel(50_us);
  const TimedRun run(processes({{kernel}, {kernel}, {kernel}}), sliced_system());
  EXPECT_EQ(run.start(0), 7_us);
  EXPECT_EQ(run.end(0), 57_us);
  EXPECT_EQ(run.start(1), 67_us);
  EXPECT_EQ(run.cause(1), records::WaitCause::kProcess);
  EXPECT_EQ(run.start(2), 127_us);  // 117 + 10
}

TEST(TimeSlices, AProcessAloneIsNeverSwitchedOut) {
  const TimedRun run(processes({{working_kernel(1_ms)}, {}}), sliced_system());
  EXPECT_EQ(run.end(0), 1007_us);
}

TEST(TimeSlices, BlocksGoOnWhereTheyStopped) {
  // Process 0 has the GPU from 5 to 105, when one block is moved: 12 us. Process 1 runs from 117
  // to 167 and is done; process 0 is back at 177, 72 us later.
  const TimedRun run(processes({{working_kernel(250_us)}, {working_kernel(50_us)}}),
                     sliced_system());
  EXPECT_EQ(run.start(1), 117_us);
  EXPECT_EQ(run.end(1), 167_us);
  EXPECT_EQ(run.end(0), 329_us);  // 7 + 250 + 72
}

TEST(TimeSlices, BlocksThatWouldHaveEndedWhileSwitchedOutDoTheRestOfTheirWork) {
  const TimedRun run(processes({{working_kernel(150_us)}, {working_kernel(50_us)}}),
                     sliced_system());
  EXPECT_EQ(run.end(0), 229_us);  // 7 + 150 + 72
}

TEST(TimeSlices, ProcessesTakeTurns) {
  const TimedRun run(processes({{working_kernel(150_us)}, {working_kernel(150_us)}}),
                     sliced_system());
  // Process 0: 7 to 105, 98 us done. Process 1: 117 to 217, 100 done. Process 0: 229 to 281, done.
  // Process 1: 291 to 341.
  EXPECT_EQ(run.end(0), 281_us);
  EXPECT_EQ(run.start(1), 117_us);
  EXPECT_EQ(run.end(1), 341_us);
}

TEST(TimeSlices, BlocksThatWatchTheClockEndAsSoonAsTheyAreBack) {
  const program::Kernel other = working_kernel(50_us);
  const TimedRun out(processes({{program::spin_kernel(1, 32, 150_us)}, {other}}), sliced_system());
  EXPECT_EQ(out.end(0), 177_us);  // due at 157
  const TimedRun later(processes({{program::spin_kernel(1, 32, 250_us)}, {other}}),
                       sliced_system());
  EXPECT_EQ(later.end(0), 257_us);  // due after it came back
}

TEST(TimeSlices, WorkThatArrivesLaterStartsASliceForTheOthers) {
  program::ProgramBuilder builder;
  builder.kernel(working_kernel(500_us));
  builder.kernel(working_kernel(50_us));
  builder.stream(0, 0);
  builder.stream(0, 1);
  builder.thread(0);
  builder.launch(0, 0);  // alone from 5 on
  builder.thread(1);
  builder.work(295_us);
  builder.launch(1, 1);  // arrives at 300: the first slice is over long ago
  EXPECT_EQ(TimedRun(builder.take(), sliced_system()).start(1), 312_us);
}

TEST(TimeSlices, CommandsOfAProcessThatIsOutWaitForItsTurn) {
  // Process 0's second kernel has waited since 9: it starts in the turn of its process.
  const TimedRun run(
      processes({{working_kernel(98_us), working_kernel(10_us)}, {working_kernel(50_us)}}),
      sliced_system());
  // The first ends at 105, with the slice.
  EXPECT_EQ(run.end(0, 0), 105_us);
  EXPECT_GE(run.start(0, 1), run.end(1));
}

system::SystemSpec mps_system() {
  system::SystemSpec system = sliced_system();
  system.mps = true;
  return system;
}

TEST(Mps, ProcessesShareTheGpuLikeStreams) {
  const program::Kernel kernel = working_kernel(50_us);
  const TimedRun run(processes({{kernel}, {kernel}}), mps_system());
  EXPECT_EQ(run.start(0), 7_us);
  EXPECT_EQ(run.start(1), 7_us);
}

TEST(Mps, ProcessesShareTheRoomOnTheSms) {
  const program::Kernel wide = program::spin_kernel(8, 1024, 50_us);  // fills the four SMs
  const TimedRun run(processes({{wide}, {wide}}), mps_system());
  EXPECT_EQ(run.start(1), 57_us);
}

TEST(Mps, GapsGrowWithEachOtherProcessThatHasWork) {
  system::SystemSpec system = mps_system();
  system.gpu.front_end.client_gap = 2_us;
  const program::Kernel kernel = working_kernel(10_us);
  const program::Kernel background = working_kernel(1_ms);
  const auto second_start = [&](const std::vector<std::vector<program::Kernel>>& kernels) {
    return TimedRun(processes(kernels), system).start(0, 1);
  };
  EXPECT_EQ(second_start({{kernel, kernel}, {}}), 18_us);
  EXPECT_EQ(second_start({{kernel, kernel}, {background}}), 20_us);
  EXPECT_EQ(second_start({{kernel, kernel}, {background}, {background}}), 22_us);
}

TEST(Mps, EachProcessHasConnectionsOfItsOwn) {
  // The second kernel of process 0 waits at the head of that process's only connection.
  system::SystemSpec system = mps_system();
  system.connections = 1;
  const program::Kernel kernel = program::spin_kernel(1, 32, 50_us);
  const TimedRun run(processes({{kernel, kernel}, {kernel}}), system);
  EXPECT_EQ(run.start(0, 1), 58_us);
  EXPECT_EQ(run.start(1), 7_us);
}

}  // namespace
}  // namespace septet::test
