// Lists of calls that several threads share.
#include <functional>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"
#include "models/program/layout.hpp"

namespace septet::test {
namespace {

// Two threads, each on a device, a stream and an event of its own, that make the same calls: a
// kernel, a record, an all-reduce over communicator 0 of the two, a synchronisation.
program::Program shared() {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 1_us));
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    builder.stream(0, rank, rank);
    builder.event();
  }
  builder.communicator({0, 1}, "unused");
  builder.communicator({0, 1}, "both");
  program::Collective collective;
  collective.communicator = 0;  // the first of the thread's
  collective.bytes = 1_MiB;
  builder.collective(collective);
  builder.thread(0);
  builder.launch(0, 0);
  builder.record(0, 0);
  builder.join(0, 0);
  builder.synchronize_device(0);
  program::Program program = builder.take();
  program.call_lists.push_back(std::move(program.threads[0].calls));
  program.threads.resize(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    program::HostThread& thread = program.threads[rank];
    thread.process = rank;
    thread.calls.clear();
    thread.list = 0;
    thread.offsets = {rank, rank, rank, {1}};
  }
  return program;
}

std::string refusal_after(const std::function<void(program::Program&)>& change) {
  program::Program program = shared();
  change(program);
  try {
    check(program);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SharedCalls, BecomeThoseOfOneThreadByItsOffsets) {
  const program::Program program = shared();
  check(program);
  const program::HostThread& second = program.threads[1];
  const program::Call& record = calls_of(program, second)[1];
  EXPECT_EQ(stream_of(second, record), 1U);
  EXPECT_EQ(event_of(second, record), 1U);
  EXPECT_EQ(communicator_of(second, program.collectives[0]), 1U);
}

TEST(SharedCalls, SpelledOutAreTheSame) {
  const program::Program program = spelled_out(shared());
  check(program);
  EXPECT_TRUE(program.call_lists.empty());
  const std::vector<program::Call>& calls = program.threads[1].calls;
  ASSERT_EQ(calls.size(), 4U);
  EXPECT_EQ(calls[0].stream, 1U);
  EXPECT_EQ(*index_in(calls[0]), 0U);  // kernels are everyone's
  EXPECT_EQ(*index_in(calls[1]), 1U);
  EXPECT_EQ(*index_in(calls[3]), 1U);
  EXPECT_EQ(communicator_of(program.threads[1], program.collectives[0]), 1U);
}

TEST(SharedCalls, LayOutAsSpelledOut) {
  const program::ProgramLayout layout = lay_out(shared());
  EXPECT_TRUE(layout.processes[1].events.contains(1));
  EXPECT_FALSE(layout.processes[1].events.contains(0));
}

TEST(SharedCalls, AreCheckedForEachThread) {
  EXPECT_EQ(refusal_after([](program::Program& p) { p.threads[1].offsets.event = 2; }),
            "program: thread 1, call 1: event 2 does not exist (there are 2)");
  EXPECT_EQ(refusal_after([](program::Program& p) { p.threads[1].offsets.stream = 0; }),
            "program: thread 1, call 0: stream 0 belongs to process 0, the thread to process 1");
  EXPECT_EQ(refusal_after([](program::Program& p) { p.threads[1].offsets.device = 5; }),
            "program: thread 1, call 3: device 5 does not exist (there are 2)");
  EXPECT_EQ(refusal_after([](program::Program& p) { p.threads[1].offsets.communicators = {2}; }),
            "program: thread 1: communicator 2 does not exist (there are 2)");
  EXPECT_EQ(refusal_after([](program::Program& p) { p.threads[1].list = 1; }),
            "program: thread 1: call list 1 does not exist (there are 1)");
}

TEST(SharedCalls, CannotNameWhatHasNoOffset) {
  EXPECT_EQ(refusal_after([](program::Program& p) {
              p.signals = 1;
              p.call_lists[0].push_back({.what = program::Post{0}});
            }),
            "program: call list 0, call 4: post in a list that threads share");
}

}  // namespace
}  // namespace septet::test
