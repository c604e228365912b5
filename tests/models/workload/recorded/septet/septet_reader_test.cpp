#include "models/workload/recorded/septet/septet_reader.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/models/workload/recorded/kineto/trace_file.hpp"
#include "tests/models/workload/recorded/recording/recorded_summary.hpp"
#include "tests/models/workload/recorded/septet/simulated_trace.hpp"

namespace septet::test {
namespace {

class SeptetReader : public testing::Test {
 protected:
  Retraced round_trip(const program::Program& program,
                      const system::SystemSpec& spec = plain_system()) {
    return retrace(write_trace(program, spec, path("trace.h5")), spec);
  }
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  TemporaryDirectory directory_;
};

// A simulation has no noise, so a replay of it has no reason to differ.
void expect_same_times(const Retraced& retraced) {
  EXPECT_EQ(retraced.summary.span, retraced.import.measured);
  EXPECT_EQ(retraced.start_error.max, Duration(0));
}

std::uint64_t calls_of(const Retraced& retraced, program::CallKind kind) {
  std::uint64_t count = 0;
  for (const program::HostThread& thread : retraced.import.program.threads) {
    for (const program::Call& call : thread.calls) count += call.kind() == kind ? 1 : 0;
  }
  return count;
}

std::uint32_t spin(program::ProgramBuilder& builder, Duration time) {
  return builder.kernel(program::spin_kernel(2, 64, time));
}

TEST_F(SeptetReader, LaunchesOfShortAndLongKernelsStartWhereTheyDid) {
  program::ProgramBuilder builder;
  const std::uint32_t brief = spin(builder, 1_us);
  const std::uint32_t lengthy = spin(builder, 30_us);
  const std::uint32_t stream = builder.stream();
  builder.thread();
  for (int n = 0; n < 5; ++n) builder.launch(brief, stream);  // the CPU is the slower side
  builder.synchronize_stream(stream);
  for (int n = 0; n < 5; ++n) builder.launch(lengthy, stream);  // the GPU is
  builder.work(7_us);
  builder.synchronize_stream(stream);
  const Retraced retraced = round_trip(builder.take());
  EXPECT_EQ(count_of(retraced.trace, recorded::RecordedKind::kKernel), 10U);
  EXPECT_EQ(calls_of(retraced, program::CallKind::kLaunchKernel), 10U);
  EXPECT_EQ(calls_of(retraced, program::CallKind::kSynchronizeStream), 2U);
  expect_same_times(retraced);
}

TEST_F(SeptetReader, CopiesAndMemsetsOfAllKindsSurvive) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = spin(builder, 10_us);
  const std::uint32_t stream = builder.stream();
  builder.thread();
  builder.copy(stream, program::CopyDirection::kHostToDevice, 1_MiB);
  builder.launch(kernel, stream);
  builder.copy(stream, program::CopyDirection::kDeviceToDevice, 1_MiB);
  builder.memset(stream, 1_MiB);
  builder.copy(stream, program::CopyDirection::kHostToDevice, 1_MiB, false);
  builder.launch(kernel, stream);
  builder.copy(stream, program::CopyDirection::kDeviceToHost, 1_MiB, false);  // blocks
  builder.launch(kernel, stream);
  builder.copy(stream, program::CopyDirection::kDeviceToHost, 1_MiB);
  builder.synchronize_device();
  const Retraced retraced = round_trip(builder.take());
  EXPECT_EQ(count_of(retraced.trace, recorded::RecordedKind::kCopy), 5U);
  EXPECT_EQ(count_of(retraced.trace, recorded::RecordedKind::kMemset), 1U);
  std::vector<program::Copy> copies;
  for (const program::Call& call : retraced.import.program.threads.front().calls) {
    if (const auto* copy = program::get_if<program::Copy>(call)) copies.push_back(*copy);
  }
  ASSERT_EQ(copies.size(), 5U);
  EXPECT_EQ(copies[0].direction, program::CopyDirection::kHostToDevice);
  EXPECT_EQ(copies[1].direction, program::CopyDirection::kDeviceToDevice);
  EXPECT_EQ(copies[3].direction, program::CopyDirection::kDeviceToHost);
  EXPECT_TRUE(copies[0].pinned && copies[4].pinned && !copies[2].pinned && !copies[3].pinned);
  EXPECT_TRUE(copies[3].blocking && !copies[4].blocking);
  EXPECT_TRUE(std::ranges::all_of(copies, [](const program::Copy& c) { return c.bytes == 1_MiB; }));
  expect_same_times(retraced);
}

TEST_F(SeptetReader, EventsTieStreamsAndTheHostToTheirRecords) {
  program::ProgramBuilder builder;
  const std::uint32_t lengthy = spin(builder, 40_us);
  const std::uint32_t first = builder.stream();
  const std::uint32_t second = builder.stream();
  const std::uint32_t event = builder.event();
  builder.thread();
  for (int n = 0; n < 3; ++n) {  // the same event again and again
    builder.launch(lengthy, first);
    builder.record(event, first);
    builder.wait(event, second);
    builder.launch(lengthy, second);
  }
  builder.synchronize_device();
  const Retraced retraced = round_trip(builder.take());
  EXPECT_EQ(calls_of(retraced, program::CallKind::kRecordEvent), 3U);
  EXPECT_EQ(calls_of(retraced, program::CallKind::kWaitEvent), 3U);
  EXPECT_EQ(retraced.import.program.events, 3U);  // one for each record
  expect_same_times(retraced);
}

// root -> {left -> join, (empty) -> right -> join}; traces show no row of the empty node.
program::Graph diamond(std::uint32_t kernel) {
  program::Graph graph;
  graph.name = "diamond";
  for (int n = 0; n < 5; ++n) {
    graph.nodes.push_back({.what = program::LaunchKernel{kernel}});
    if (n == 2) graph.nodes.back().what = program::EmptyNode{};
  }
  graph.edges = {{0, 1}, {0, 2}, {2, 3}, {1, 4}, {3, 4}};
  return graph;
}

TEST_F(SeptetReader, GraphsKeepTheirEdges) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = spin(builder, 10_us);
  const std::uint32_t stream = builder.stream();
  const std::uint32_t graph = builder.graph(diamond(kernel));
  builder.thread();
  builder.instantiate_graph(graph);
  builder.upload_graph(graph, stream);
  for (int n = 0; n < 4; ++n) builder.launch_graph(graph, stream);
  builder.synchronize_stream(stream);
  const Retraced retraced = round_trip(builder.take());
  EXPECT_EQ(calls_of(retraced, program::CallKind::kLaunchGraph), 4U);
  ASSERT_EQ(retraced.import.program.graphs.size(), 4U);
  for (const program::Graph& found : retraced.import.program.graphs) {
    ASSERT_EQ(found.nodes.size(), 4U);
    // In the order of their starts: root, left, right, join.
    ASSERT_EQ(found.edges.size(), 4U);
    const std::vector<program::GraphEdge> wanted = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    EXPECT_TRUE(std::ranges::equal(found.edges, wanted, [](const auto& a, const auto& b) {
      return a.from == b.from && a.to == b.to;
    }));
  }
  EXPECT_EQ(retraced.summary.span, retraced.import.measured);
}

TEST_F(SeptetReader, DevicesAndThreadsStayApart) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = spin(builder, 20_us);
  const std::uint32_t first = builder.stream(0, 0, 0);
  const std::uint32_t second = builder.stream(0, 0, 1);
  const std::uint32_t event = builder.event();
  builder.thread(0, "one");
  for (int n = 0; n < 3; ++n) builder.launch(kernel, first);
  builder.record(event, first);
  builder.wait(event, second);  // across devices
  builder.launch(kernel, second);
  builder.synchronize_device(0);
  builder.synchronize_device(1);
  builder.thread(0, "two");
  builder.work(3_us);
  builder.launch(kernel, second);
  builder.synchronize_stream(second);
  const Retraced retraced = round_trip(builder.take());
  ASSERT_EQ(retraced.trace.devices.size(), 2U);
  EXPECT_EQ(retraced.trace.devices[1].name, "test GPU");
  EXPECT_EQ(retraced.import.program.devices, 2U);
  ASSERT_EQ(retraced.import.program.threads.size(), 2U);
  EXPECT_EQ(retraced.import.program.threads[1].name, "two");
  EXPECT_EQ(calls_of(retraced, program::CallKind::kWaitEvent), 1U);
  EXPECT_EQ(calls_of(retraced, program::CallKind::kSynchronizeDevice), 2U);
  EXPECT_EQ(retraced.summary.span, retraced.import.measured);
}

TEST_F(SeptetReader, ConnectionsAreThoseOfTheRun) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = spin(builder, 50_us);
  for (int s = 0; s < 3; ++s) builder.stream();
  builder.thread();
  for (std::uint32_t s = 0; s < 3; ++s) {  // on one connection the streams hold each other up
    builder.launch(kernel, s);
    builder.launch(kernel, s);
  }
  builder.synchronize_device();
  system::SystemSpec one = plain_system();
  one.connections = 1;
  const Retraced retraced = round_trip(builder.take(), one);
  EXPECT_EQ(retraced.trace.connections, 1U);
  EXPECT_EQ(retraced.summary.span, retraced.import.measured);
}

TEST_F(SeptetReader, AReplayOfAReplayIsTheSameAgain) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = spin(builder, 10_us);
  const std::uint32_t stream = builder.stream();
  const std::uint32_t graph = builder.graph(diamond(kernel));
  builder.thread();
  builder.launch(kernel, stream);
  builder.launch_graph(graph, stream);
  builder.copy(stream, program::CopyDirection::kDeviceToHost, 1_MiB, false);
  builder.synchronize_stream(stream);
  const system::SystemSpec spec = plain_system();
  const Retraced once = round_trip(builder.take(), spec);
  const std::string again = write_trace(once.import.program, spec, path("again.h5"));
  EXPECT_EQ(count_of(recorded::read_recorded(again), recorded::RecordedKind::kKernel), 5U);
}

TEST_F(SeptetReader, RecordingsSurviveTheWayThroughATraceFile) {
  const std::filesystem::path folder =
      std::filesystem::path(SEPTET_SOURCE_DIR) / "data/measurements/h200/traces";
  for (const char* name :
       {"gpt2-batch1-seq1-eager", "resnet50x2-batch1-graph-streams", "mlp-train-batch64-eager",
        "llama-1b-bf16-prefill-batch1-q512-ctx512-"
        "graph"}) {
    const recorded::RecordedTrace recording =
        recorded::read_recorded((folder / (std::string(name) + ".json.gz")).string());
    const recorded::Import import = import_recording(recording);
    const system::SystemSpec spec = replay::recorded_system(plain_system(), import.latencies);
    write_trace(import.program, spec, path("trace.h5"));
    const Retraced retraced = retrace(path("trace.h5"), plain_system());
    EXPECT_EQ(retraced.import.rows.size(), import.rows.size()) << name;
    const double measured = to_us(retraced.import.measured);
    EXPECT_NEAR(to_us(retraced.summary.span), measured, 1e-3 * measured) << name;
    EXPECT_LT(retraced.start_error.median, 100_ns) << name;
  }
}

}  // namespace
}  // namespace septet::test
