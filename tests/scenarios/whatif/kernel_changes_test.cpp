#include <gtest/gtest.h>

#include "scenarios/whatif/graph_edit.hpp"
#include "tests/scenarios/whatif/recorded_program.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

// gemm 20, relu 10, relu 10, gemm 20 and a copy of 5 us, launched 1 us apart on one stream.
program::Program layers() {
  RecordedProgram recorded;
  const std::uint32_t gemm = recorded.kernel("at::native::gemm<float>");
  const std::uint32_t relu = recorded.kernel("relu + bias");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(gemm, 0, 1_us, 20_us);
  recorded.launch(relu, 0, 1_us, 10_us);
  recorded.launch(relu, 0, 1_us, 10_us);
  recorded.launch(gemm, 0, 1_us, 20_us);
  recorded.copy(0, "Memcpy DtoH (Device -> Pinned)", 1_us, 5_us);
  recorded.synchronize_device();
  return recorded.program;
}

// 4 until the first kernel starts, 60 of kernels, 5 of the copy, 4 gaps, 2 back.
constexpr Duration kLayers = 75_us;

TEST(KernelChanges, AGpuBoundStreamTakesTheSumOfItsKernels) {
  EXPECT_EQ(span_of(layers(), ""), kLayers);
}

TEST(KernelChanges, ScaleOneChangesNothing) {
  EXPECT_EQ(span_of(layers(), "kernel=.*:scale=1"), kLayers);
}

TEST(KernelChanges, TwiceAsLongKernelsAddTheSumOfTheirDurations) {
  EXPECT_EQ(span_of(layers(), "kernel=.*:scale=2"), kLayers + 60_us);
  EXPECT_EQ(span_of(layers(), "kernel=gemm:scale=0.5"), kLayers - 20_us);
}

TEST(KernelChanges, ColonsNeedNoEscapeAndAPlusBetweenBlanksIsEscaped) {
  EXPECT_EQ(span_of(layers(), "kernel=at::native::gemm:scale=2"), kLayers + 40_us);
  EXPECT_EQ(span_of(layers(), R"(kernel=relu \+ bias:scale=2)"), kLayers + 20_us);
  EXPECT_EQ(span_of(layers(), R"(kernel=relu \+ bias:scale=2 + kernel=gemm:scale=2)"),
            kLayers + 60_us);
}

TEST(KernelChanges, KernelsInGraphsAreScaled) {
  // One graph: 5 launch, 3 start, 60 + 5 of work, 4 node gaps of 0.5, 2 back.
  EXPECT_EQ(span_of(layers(), "cuda-graphs"), 77_us);
  EXPECT_EQ(span_of(layers(), "cuda-graphs + kernel=.*:scale=2"), 137_us);
}

TEST(KernelChanges, DescribedKernelsAreScaledByTheirBlocks) {
  RecordedProgram recorded;
  const std::uint32_t spin = recorded.kernel("spin");
  recorded.program.kernels[spin].shape.block = {32, 1, 1};
  recorded.program.kernels[spin].work = program::FixedBlockWork{10_us};
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(spin, 0, 1_us, program::kModelled);
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, "kernel=spin:scale=3") - span_of(recorded.program, ""),
            20_us);
}

TEST(KernelChanges, RemovedKernelsVanishWithLaunchesAndGaps) {
  EXPECT_EQ(span_of(layers(), "remove=relu"), kLayers - 2 * 11_us);
  EXPECT_EQ(span_of(layers(), "remove=Memcpy DtoH"), kLayers - 6_us);
}

TEST(KernelChanges, RemovingAllWorkLeavesTheCalls) {
  const analysis::RunRows rows = rows_of(changed(layers(), "remove=."));
  EXPECT_TRUE(rows.works.empty());
  EXPECT_EQ(rows.calls.size(), 1U);  // the synchronisation
  EXPECT_EQ(rows.span(), Duration(0));
}

TEST(KernelChanges, EventsOutliveTheKernelBetweenThem) {
  RecordedProgram recorded;
  const std::uint32_t first = recorded.kernel("first");
  const std::uint32_t middle = recorded.kernel("middle");
  const std::uint32_t last = recorded.kernel("last");
  recorded.stream("stream 7");
  recorded.stream("stream 13");
  recorded.thread();
  recorded.launch(first, 0, 1_us, 20_us);
  recorded.launch(middle, 0, 1_us, 10_us);
  recorded.record(0, 0);
  recorded.wait(0, 1);
  recorded.launch(last, 1, 1_us, 5_us);
  recorded.synchronize_device();
  // 4 + 20 + 1 + 10, 1 after the event, 5, 2 back; without the middle kernel 11 less.
  EXPECT_EQ(span_of(recorded.program, ""), 43_us);
  EXPECT_EQ(span_of(recorded.program, "remove=middle"), 32_us);
}

TEST(KernelChanges, RemovedNodesAreBridged) {
  // As above for a chain in a graph: two nodes and two node gaps less.
  EXPECT_EQ(span_of(layers(), "cuda-graphs + remove=relu"), 77_us - 21_us);
  EXPECT_TRUE(rows_of(changed(layers(), "cuda-graphs + remove=.")).works.empty());
}

TEST(KernelChanges, ANodeBetweenTwoForksIsBridgedFromAllToAll) {
  program::Graph graph;  // 0, 1 -> 2 -> 3, 4
  graph.nodes.resize(5);
  graph.edges = {{0, 2}, {1, 2}, {2, 3}, {2, 4}};
  const program::Graph bridged = whatif::without_nodes(graph, {false, false, true, false, false});
  ASSERT_EQ(bridged.nodes.size(), 4U);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const program::GraphEdge& edge : bridged.edges) edges.emplace_back(edge.from, edge.to);
  EXPECT_EQ(edges,
            (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
}

TEST(KernelChanges, AnApiCallKeepsItsCostWhereOneOfItsCommandsStays) {
  RecordedProgram recorded;
  const std::uint32_t gemm = recorded.kernel("gemm");
  const std::uint32_t reduce = recorded.kernel("reduce");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(gemm, 0, 4_us, 10_us).correlation = 9;
  recorded.launch(reduce, 0, 0_us, 5_us).correlation = 9;
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, "remove=gemm"), 14_us);    // 4, 3, 5, 2
  EXPECT_EQ(span_of(recorded.program, "remove=reduce"), 19_us);  // 4, 3, 10, 2
}

TEST(KernelChanges, FusedKernelsHaveOneLaunchAndTheSumOfTheDurations) {
  EXPECT_EQ(span_of(layers(), "fuse=relu"), kLayers - 1_us);  // one gap less
  const whatif::WhatIfState state = changed(layers(), "fuse=gemm|relu");
  EXPECT_EQ(rows_of(state).span(), kLayers - 3_us);
  EXPECT_EQ(state.program.threads[0].calls.size(), 3U);  // launch, copy, synchronisation
  EXPECT_EQ(state.program.kernels.back().name, "fused x4: at::native::gemm<float>");
}

TEST(KernelChanges, FusedNodesHaveTheSumOfTheDurations) {
  EXPECT_EQ(span_of(layers(), "cuda-graphs + fuse=gemm|relu"), 77_us - 1'500_ns);
}

TEST(KernelChanges, NothingIsFusedOverARecordASynchronisationOrAStep) {
  for (const program::CallKind kind :
       {program::CallKind::kRecordEvent, program::CallKind::kSynchronizeStream,
        program::CallKind::kMarker}) {
    RecordedProgram recorded;
    recorded.kernel("relu");
    recorded.string("step");
    recorded.program.events = 1;
    recorded.stream("stream 7");
    recorded.thread();
    recorded.launch(0, 0, 1_us, 10_us);
    recorded.on_stream(call_of(kind, 0), 0, Duration(0));
    recorded.launch(0, 0, 1_us, 10_us);
    const whatif::WhatIfState state = changed(recorded.program, "fuse=relu");
    EXPECT_EQ(rows_of(state).works.size(), 2U) << name_of(kind);
    EXPECT_EQ(state.notes[0], "2 kernels match, but no two of them are consecutive");
  }
}

TEST(KernelChanges, APatternThatMatchesNothingListsNearKernels) {
  EXPECT_EQ(error_of(layers(), "remove=gemn"),
            "what-if remove: 'gemn' matches nothing that runs; there is 'at::native::gemm<float>'");
  EXPECT_EQ(error_of(layers(), "fuse=softmax"),
            "what-if fuse: 'softmax' matches nothing that runs; there are "
            "'at::native::gemm<float>', 'relu + bias'");
}

TEST(KernelChanges, PatternsAndFactorsAreChecked) {
  EXPECT_EQ(error_of(layers(), "kernel=gemm"), "what-if kernel: got 'gemm', wanted REGEX:scale=X");
  EXPECT_EQ(error_of(layers(), "kernel=gemm:scale=-1"),
            "what-if kernel: got '-1', wanted a number from 0.000001 to 1000000");
  EXPECT_TRUE(error_of(layers(), "remove=(gemm")
                  .starts_with("what-if remove: got '(gemm', wanted a regular expression (RE2): "));
}

}  // namespace
}  // namespace septet::test
