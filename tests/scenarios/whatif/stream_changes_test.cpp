#include <gtest/gtest.h>

#include "scenarios/whatif/stream_moves.hpp"
#include "tests/scenarios/whatif/recorded_program.hpp"

namespace septet::test {
namespace {

// A kernel of 20 us on stream 7 and one of 30 us on stream 20, launched 1 us apart.
RecordedProgram two_streams() {
  RecordedProgram recorded;
  const std::uint32_t gemm = recorded.kernel("gemm");
  const std::uint32_t relu = recorded.kernel("relu");
  recorded.stream("stream 7");
  recorded.stream("stream 20");
  recorded.thread();
  recorded.launch(gemm, 0, 1_us, 20_us);
  recorded.launch(relu, 1, 1_us, 30_us);
  return recorded;
}

// One thread after the other launches 20 us on the same stream.
RecordedProgram two_threads() {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.thread();
  recorded.launch(0, 0, 1_us, 20_us);
  recorded.use_thread(1);
  recorded.api(2_us);
  recorded.launch(0, 0, 1_us, 20_us);
  return recorded;
}

TEST(OneStream, WorkOfAllStreamsRunsInTheOrderOfItsSubmission) {
  RecordedProgram recorded = two_streams();
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, ""), 37_us);            // 2, 3, 30, 2
  EXPECT_EQ(span_of(recorded.program, "one-stream"), 57_us);  // 1, 3, 20, 1, 30, 2
}

TEST(OneStream, OneStreamStaysAsItIs) {
  RecordedProgram recorded = two_threads();
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, "one-stream"), span_of(recorded.program, ""));
}

TEST(OneStream, EventsOfTheOneStreamDelayNothing) {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.stream("stream 20");
  recorded.thread();
  recorded.launch(0, 0, 1_us, 20_us);
  recorded.record(0, 0);
  recorded.wait(0, 1);
  recorded.launch(0, 1, 1_us, 20_us);
  recorded.synchronize_stream(1);
  // 1, 3, 20, 1, 20, 2: the gap of the stream in place of that after the event.
  EXPECT_EQ(span_of(recorded.program, "one-stream"), 47_us);
}

TEST(OneStream, DevicesKeepTheirOwn) {
  RecordedProgram recorded = two_streams();
  recorded.program.devices = 2;
  recorded.program.streams[1].device = 1;
  EXPECT_EQ(span_of(recorded.program, "one-stream"), span_of(recorded.program, ""));
}

TEST(OneStream, AKernelLosesItsOverlapWithTheOneBeforeWhenAnotherComesBetween) {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.stream("stream 20");
  recorded.thread();
  recorded.launch(0, 0, 1_us, 20_us);
  recorded.launch(0, 1, 1_us, 20_us);
  program::as<program::LaunchKernel>(recorded.launch(0, 0, 1_us, 20_us)).programmatic = true;
  EXPECT_EQ(changed(recorded.program, "one-stream").notes.back(), whatif::separated_note(1));
}

TEST(StreamPerThread, ThreadsThatSharedAStreamRunAtOnce) {
  const RecordedProgram recorded = two_threads();
  EXPECT_EQ(span_of(recorded.program, ""), 45_us);                   // 1, 3, 20, 1, 20
  EXPECT_EQ(span_of(recorded.program, "stream-per-thread"), 26_us);  // 3, 3, 20
}

TEST(StreamPerThread, AStreamOfOneThreadStays) {
  RecordedProgram recorded = two_streams();
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, "stream-per-thread"), 37_us);
}

TEST(StreamPerThread, AHandOffKeepsTheOrder) {
  RecordedProgram recorded = two_threads();
  recorded.use_thread(0);
  recorded.post(0);
  recorded.program.threads[1].calls.clear();
  recorded.use_thread(1);
  recorded.await(0);
  recorded.launch(0, 0, 1_us, 20_us);
  EXPECT_EQ(span_of(recorded.program, ""), 45_us);
  EXPECT_EQ(span_of(recorded.program, "stream-per-thread"), 45_us);  // 1 us after the event
}

TEST(StreamPerThread, AHandOffOverAThreadWithoutGpuWorkKeepsTheOrder) {
  RecordedProgram recorded = two_threads();
  recorded.use_thread(0);
  recorded.post(0);
  recorded.program.threads[1].calls.clear();
  recorded.use_thread(1);
  recorded.await(1);
  recorded.launch(0, 0, 1_us, 20_us);
  recorded.thread();
  recorded.use_thread(2);
  recorded.await(0);
  recorded.post(1);
  EXPECT_EQ(span_of(recorded.program, "stream-per-thread"), 45_us);
}

TEST(StreamPerThread, ASynchronisationWaitsForAllThreadsThatUsedTheStream) {
  RecordedProgram recorded = two_threads();
  recorded.use_thread(1);
  recorded.program.threads[1].calls.clear();
  recorded.launch(0, 0, 2_us, 5_us);
  recorded.synchronize_stream(0);
  // The first thread's kernel ends at 24 and lets the second thread's stream go on, 2 back.
  EXPECT_EQ(span_of(recorded.program, "stream-per-thread"), 26_us);
}

TEST(Streams, AStreamMovesByItsNumberOrName) {
  RecordedProgram recorded = two_streams();
  recorded.synchronize_stream(1);
  EXPECT_EQ(span_of(recorded.program, "streams=20:7"), 57_us);
  EXPECT_EQ(span_of(recorded.program, "streams=stream 7:stream 20"), 57_us);
  EXPECT_EQ(span_of(recorded.program, "streams=7:20,20:7"), 37_us);
}

TEST(Streams, KernelsMoveToAStreamOfTheirOwn) {
  RecordedProgram recorded;
  const std::uint32_t gemm = recorded.kernel("gemm");
  const std::uint32_t reduce = recorded.kernel("all,reduce");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(gemm, 0, 1_us, 20_us);
  recorded.launch(reduce, 0, 1_us, 30_us);
  recorded.launch(gemm, 0, 1_us, 20_us);
  recorded.synchronize_stream(0);
  EXPECT_EQ(span_of(recorded.program, ""), 78_us);  // 4, 20, 1, 30, 1, 20, 2
  // The reduction starts 1 us after the event behind the first gemm, the second gemm runs
  // meanwhile, the synchronisation waits for both: 4, 20, 1, 30, 2.
  EXPECT_EQ(span_of(recorded.program, "streams=/all,reduce/:new"), 57_us);
}

TEST(Streams, LaterWorkBehindARecordWaitsForMovedKernels) {
  RecordedProgram recorded;
  const std::uint32_t gemm = recorded.kernel("gemm");
  const std::uint32_t reduce = recorded.kernel("reduce");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(reduce, 0, 1_us, 30_us);
  recorded.record(0, 0);
  recorded.launch(gemm, 0, 1_us, 20_us);
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, "streams=/reduce/:new"), span_of(recorded.program, ""));
}

TEST(Streams, MapsAreChecked) {
  const program::Program program = two_streams().program;
  const std::string wanted =
      "wanted FROM:TO[,FROM:TO...], FROM a stream or /REGEX/, TO a stream or 'new'";
  for (const char* value : {"7", "7:", ":7", "7:20,", "/gemm:20"}) {
    EXPECT_EQ(error_of(program, std::string("streams=") + value),
              std::string("what-if streams: got '") + value + "', " + wanted);
  }
  EXPECT_EQ(error_of(program, "streams=7:20,7:new"),
            "what-if streams: got '7:20,7:new', wanted each FROM once");
  EXPECT_EQ(error_of(program, "streams=stream 8:20"),
            "what-if streams: there is no single stream 'stream 8' (did you mean 'stream 7'?); "
            "streams: stream 7, stream 20");
  EXPECT_TRUE(error_of(program, "streams=/softmax/:20")
                  .starts_with("what-if streams: 'softmax' matches nothing that runs"));
}

TEST(Streams, KernelsInsideGraphsDoNotMove) {
  EXPECT_EQ(error_of(two_streams().program, "cuda-graphs + streams=/gemm/:new"),
            "what-if streams: got 'gemm', wanted a kernel outside of graphs (only nodes of graphs "
            "match)");
}

TEST(Streams, WorkStaysOnItsDevice) {
  program::Program program = two_streams().program;
  program.devices = 2;
  program.streams[1].device = 1;
  EXPECT_EQ(error_of(program, "streams=7:20"),
            "what-if streams: got 'stream 20', wanted a stream on the device and of the process of "
            "'stream 7'");
}

TEST(Priority, IsSetForAStreamOrForThoseThatRunAKernel) {
  const program::Program program = two_streams().program;
  EXPECT_EQ(changed(program, "priority=20").program.streams[1].priority, -5);
  EXPECT_EQ(changed(program, "priority=20").program.streams[0].priority, 0);
  EXPECT_EQ(changed(program, "priority=gemm:high").program.streams[0].priority, -5);
  EXPECT_EQ(changed(program, "priority=gemm + priority=gemm:low").program.streams[0].priority, 0);
}

TEST(Priority, ChangesNoTimeOfRecordedKernelsAndSaysSo) {
  RecordedProgram recorded = two_streams();
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, "priority=gemm"), 37_us);
  EXPECT_EQ(changed(recorded.program, "priority=gemm").notes.size(), 2U);
}

TEST(Priority, DescribedKernelsOfAnUrgentStreamGetRoomFirst) {
  // 4 SMs hold 8 blocks of 1,024 threads. The first kernel takes all room for 10 us; 8 blocks of
  // each other stream wait, those of stream 20 behind those of stream 7 unless they are urgent.
  RecordedProgram recorded;
  const std::uint32_t spin = recorded.kernel("spin");
  recorded.program.kernels[spin].shape.grid = {8, 1, 1};
  recorded.program.kernels[spin].shape.block = {1024, 1, 1};
  recorded.program.kernels[spin].work = program::FixedBlockWork{10_us};
  for (const char* name : {"stream 1", "stream 7", "stream 20"}) recorded.stream(name);
  recorded.thread();
  for (std::uint32_t s = 0; s < 3; ++s) recorded.launch(spin, s, 1_us, program::kModelled);
  const auto end_of = [&](const std::string& what_if, std::int32_t stream) {
    for (const analysis::GpuWork& work : rows_of(changed(recorded.program, what_if)).works) {
      if (work.stream == stream) return work.end;
    }
    return Instant();
  };
  EXPECT_EQ(end_of("", 2) - end_of("", 1), 10_us);
  EXPECT_EQ(end_of("priority=20", 1) - end_of("priority=20", 2), 10_us);
}

}  // namespace
}  // namespace septet::test
