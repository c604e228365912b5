#include "models/program/program.hpp"

#include <functional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

// One of each object, and a thread that launches kernel 0 on stream 0.
program::Program small_program() {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 1_us));
  builder.graph(program::chain_graph(0, 2));
  builder.stream();
  builder.event();
  builder.signal();
  builder.queue();
  builder.thread();
  builder.launch(0, 0);
  program::Program program = builder.take();
  program.strings = {"step"};
  return program;
}

std::string refusal(const program::Program& program) {
  try {
    check(program);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_after(const std::function<void(program::Program&)>& change) {
  program::Program program = small_program();
  change(program);
  return refusal(program);
}

std::string refusal_of(const program::Call& call) {
  return refusal_after([&](program::Program& p) { p.threads[0].calls = {call}; });
}

struct ObjectCase {
  program::CallKind kind;
  const char* object;
};

class CheckedObject : public testing::TestWithParam<ObjectCase> {};

TEST_P(CheckedObject, MayBeTheLastOneAndNotTheNext) {
  program::Call call = call_of(GetParam().kind, 0);
  if (auto* push = program::get_if<program::PushItem>(call)) push->duration = 1_us;
  EXPECT_EQ(refusal_of(call), "accepted");
  *index_in(call) = 1;
  EXPECT_EQ(refusal_of(call), std::string("program: thread 0, call 0: ") + GetParam().object +
                                  " 1 does not exist (there are 1)");
  *index_in(call) = kNone;
  EXPECT_NE(refusal_of(call), "accepted");
}

INSTANTIATE_TEST_SUITE_P(Program, CheckedObject,
                         testing::Values(ObjectCase{program::CallKind::kLaunchKernel, "kernel"},
                                         ObjectCase{program::CallKind::kLaunchGraph, "graph"},
                                         ObjectCase{program::CallKind::kUploadGraph, "graph"},
                                         ObjectCase{program::CallKind::kInstantiateGraph, "graph"},
                                         ObjectCase{program::CallKind::kRecordEvent, "event"},
                                         ObjectCase{program::CallKind::kWaitEvent, "event"},
                                         ObjectCase{program::CallKind::kSynchronizeEvent, "event"},
                                         ObjectCase{program::CallKind::kSynchronizeDevice,
                                                    "device"},
                                         ObjectCase{program::CallKind::kPost, "signal"},
                                         ObjectCase{program::CallKind::kAwait, "signal"},
                                         ObjectCase{program::CallKind::kPushItem, "queue"},
                                         ObjectCase{program::CallKind::kAwaitItems, "queue"},
                                         ObjectCase{program::CallKind::kMarker, "string"}));

TEST(ProgramCheck, AScopeNamesAStringOrEndsTheInnermost) {
  EXPECT_EQ(refusal_of(call_of(program::CallKind::kScope, 0)), "accepted");
  EXPECT_EQ(refusal_of(call_of(program::CallKind::kScope, kNone)), "accepted");
  EXPECT_EQ(refusal_of(call_of(program::CallKind::kScope, 1)),
            "program: thread 0, call 0: string 1 does not exist (there are 1)");
}

TEST(ProgramCheck, AHoldLastsZeroOrLonger) {
  EXPECT_EQ(refusal_of({.what = program::Hold{Duration(0)}}), "accepted");
  EXPECT_EQ(refusal_of({.what = program::Hold{Duration(-2)}}),
            "program: thread 0, call 0: negative cost or duration");
}

TEST(ProgramCheck, AcceptsASmallProgram) { EXPECT_EQ(refusal(small_program()), "accepted"); }

TEST(ProgramCheck, NamesTheThreadAndTheCallOfAMistake) {
  const std::string said = refusal_after([](program::Program& p) {
    p.threads.push_back(p.threads[0]);
    p.threads[1].calls.push_back(call_of(program::CallKind::kLaunchKernel, 7));
  });
  EXPECT_EQ(said, "program: thread 1, call 1: kernel 7 does not exist (there are 1)");
}

TEST(ProgramCheck, EveryCallOnAStreamNeedsOneThatExists) {
  for (const program::CallKind kind : values_of<program::CallKind>()) {
    if (!uses_stream(kind)) continue;
    program::Call call = call_of(kind, 0);
    call.stream = 1;
    EXPECT_EQ(refusal_of(call), "program: thread 0, call 0: stream 1 does not exist (there are 1)")
        << name_of(kind);
  }
}

TEST(ProgramCheck, StreamsAndThreadsBelongToAProcessAndADeviceThatExist) {
  EXPECT_EQ(refusal_after([](program::Program& p) { p.streams[0].device = 1; }),
            "program: stream 0: device 1 does not exist (there are 1)");
  EXPECT_EQ(refusal_after([](program::Program& p) { p.streams[0].process = 1; }),
            "program: stream 0: process 1 does not exist (there are 1)");
  EXPECT_EQ(refusal_after([](program::Program& p) { p.threads[0].process = 1; }),
            "program: thread 0: process 1 does not exist (there are 1)");
}

TEST(ProgramCheck, AThreadUsesStreamsOfItsOwnProcessOnly) {
  const std::string said = refusal_after([](program::Program& p) {
    p.processes = 2;
    p.streams[0].process = 1;
  });
  EXPECT_EQ(said,
            "program: thread 0, call 0: stream 0 belongs to process 1, the thread to process 0");
}

TEST(ProgramCheck, RefusesNegativeCostsDurationsAndSizes) {
  // One picosecond below zero means "modelled"; two is a mistake.
  const Duration mistake{-2};
  program::Call call = call_of(program::CallKind::kLaunchKernel, 0);
  call.cost = mistake;
  EXPECT_EQ(refusal_of(call), "program: thread 0, call 0: negative cost or duration");
  call = call_of(program::CallKind::kLaunchKernel, 0);
  time_in(call) = mistake;
  EXPECT_EQ(refusal_of(call), "program: thread 0, call 0: negative cost or duration");
  call = call_of(program::CallKind::kLaunchKernel, 0);
  call.submit = mistake;
  EXPECT_EQ(refusal_of(call), "program: thread 0, call 0: negative cost or duration");
  EXPECT_EQ(refusal_of({.what = program::Copy{.bytes = Bytes(-1)}}),
            "program: thread 0, call 0: -1 bytes");
  EXPECT_EQ(refusal_of({.what = program::Memset{Bytes(-1)}}),
            "program: thread 0, call 0: -1 bytes");
}

TEST(ProgramCheck, HostWorkNeedsADuration) {
  program::Call call{.what = program::HostWork{}};
  EXPECT_EQ(refusal_of(call), "program: thread 0, call 0: host work without a duration");
  time_in(call) = 0_us;
  EXPECT_EQ(refusal_of(call), "accepted");
}

TEST(ProgramCheck, ItemsNeedADuration) {
  EXPECT_EQ(refusal_of({.what = program::PushItem{0}}),
            "program: thread 0, call 0: push item without a duration");
}

TEST(ProgramCheck, AKernelsPrologueIsPartOfItsBlockTime) {
  const auto with = [](Duration block_time, Duration prologue) {
    return refusal_after([=](program::Program& p) {
      auto& work = std::get<program::FixedBlockWork>(p.kernels[0].work);
      work.block_time = block_time;
      work.prologue = prologue;
    });
  };
  const std::string said =
      "program: kernel 0 ('spin'): wanted 0 <= prologue <= block time, got prologue ";
  EXPECT_EQ(with(5_us, 5_us), "accepted");
  EXPECT_EQ(with(5_us, 6_us), said + "6000000 ps, block time 5000000 ps");
  EXPECT_EQ(with(5_us, -1_us), said + "-1000000 ps, block time 5000000 ps");
  EXPECT_EQ(with(-1_us, 0_us), said + "0 ps, block time -1000000 ps");
}

TEST(ProgramCheck, TheNameShownInTracesMustExist) {
  program::Call call = call_of(program::CallKind::kApi, kNone);
  call.name = 0;
  EXPECT_EQ(refusal_of(call), "accepted");
  call.name = 1;
  EXPECT_EQ(refusal_of(call), "program: thread 0, call 0: string 1 does not exist (there are 1)");
}

program::Program with_recorded_kernel() {
  program::Program program = small_program();
  program.kernels[0].name = "gemm";
  program.kernels[0].work = program::RecordedWork{};
  program.graphs.clear();
  return program;
}

TEST(ProgramCheck, ARecordedKernelNeedsADurationInEachLaunch) {
  program::Program program = with_recorded_kernel();
  EXPECT_EQ(refusal(program),
            "program: thread 0, call 0: kernel 'gemm' has neither a recorded duration nor a "
            "description");
  time_in(program.threads[0].calls[0]) = 3_us;
  EXPECT_EQ(refusal(program), "accepted");
}

TEST(ProgramCheck, ARecordedKernelNeedsADurationInEachNode) {
  program::Program program = with_recorded_kernel();
  program.threads[0].calls.clear();
  program.graphs = {program::chain_graph(0, 2)};
  time_in(program.graphs[0].nodes[0]) = 3_us;
  EXPECT_EQ(refusal(program),
            "program: graph 0 ('chain'): node 1: kernel 'gemm' has neither a recorded duration "
            "nor a description");
  time_in(program.graphs[0].nodes[1]) = 3_us;
  EXPECT_EQ(refusal(program), "accepted");
}

TEST(ProgramCheck, APersistentKernelNeedsItsQueue) {
  program::Program program = small_program();
  program.kernels[0].name = "server";
  program.kernels[0].work = program::PersistentWork{0, 3};
  EXPECT_EQ(refusal(program), "accepted");
  program.kernels[0].work = program::PersistentWork{1, 3};
  program.graphs.clear();
  EXPECT_EQ(refusal(program),
            "program: thread 0, call 0: kernel 'server': queue 1 does not exist (there are 1)");
}

TEST(ProgramCheck, AGraphHasNodes) {
  EXPECT_EQ(refusal_after([](program::Program& p) { p.graphs[0] = {}; }),
            "program: graph 0 (''): no nodes");
}

TEST(ProgramCheck, BothEndsOfAnEdgeAreNodes) {
  const std::string said = "program: graph 0 ('chain'): edge: node 2 does not exist (there are 2)";
  EXPECT_EQ(refusal_after([](program::Program& p) { p.graphs[0].edges[0].from = 2; }), said);
  EXPECT_EQ(refusal_after([](program::Program& p) { p.graphs[0].edges[0].to = 2; }), said);
}

TEST(ProgramCheck, NodesNameKernelsThatExistAndHaveNoNegativeSizes) {
  const std::string place = "program: graph 0 ('chain'): node 1: ";
  EXPECT_EQ(refusal_after([](program::Program& p) {
              program::as<program::LaunchKernel>(p.graphs[0].nodes[1]).kernel = 1;
            }),
            place + "kernel 1 does not exist (there are 1)");
  EXPECT_EQ(
      refusal_after([](program::Program& p) { time_in(p.graphs[0].nodes[1]) = Duration(-2); }),
      place + "negative size or duration");
  EXPECT_EQ(refusal_after([](program::Program& p) {
              p.graphs[0].nodes[1].what = program::Memset{Bytes(-1)};
            }),
            place + "negative size or duration");
}

TEST(ProgramCheck, AChildGraphComesBeforeTheGraphThatHoldsIt) {
  const auto child_of = [](std::uint32_t holder, std::uint32_t child) {
    return refusal_after([=](program::Program& p) {
      p.graphs.push_back(program::chain_graph(0, 1));
      p.graphs[holder].nodes[0].what = program::ChildGraph{child};
    });
  };
  EXPECT_EQ(child_of(1, 0), "accepted");
  EXPECT_EQ(child_of(1, 1),
            "program: graph 1 ('chain'): node 0: earlier graph 1 does not exist "
            "(there are 1)");
  EXPECT_EQ(child_of(0, 1),
            "program: graph 0 ('chain'): node 0: earlier graph 1 does not exist "
            "(there are 0)");
}

}  // namespace
}  // namespace septet::test
