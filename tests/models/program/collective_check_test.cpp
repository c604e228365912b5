#include "models/program/collective_check.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"

namespace septet::test {
namespace {

// Two ranks on devices 0 and 1 that all-reduce 64 bytes.
program::Program two_ranks() {
  program::ProgramBuilder builder;
  builder.stream(0, 0, 0);
  builder.stream(0, 1, 1);
  program::Collective collective;
  collective.communicator = builder.communicator({0, 1}, "pair");
  collective.bytes = 64_B;
  collective.data_type = "bf16";
  const std::uint32_t index = builder.collective(collective);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    builder.thread(rank);
    builder.join(index, rank);
  }
  return builder.take();
}

std::string refusal_after(const std::function<void(program::Program&)>& change) {
  program::Program program = two_ranks();
  change(program);
  try {
    check(program);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CheckCollectives, AcceptsAGroupOfTwo) {
  EXPECT_EQ(refusal_after([](program::Program&) {}), "accepted");
}

TEST(CheckCollectives, RefusesAGroupOfOne) {
  EXPECT_EQ(refusal_after([](program::Program& p) { p.communicators[0].devices = {1}; }),
            "program: communicator 'pair': a group of 1, wanted at least two ranks");
}

TEST(CheckCollectives, RefusesADeviceTwiceInAGroup) {
  EXPECT_EQ(refusal_after([](program::Program& p) {
              p.communicators[0].devices = {1, 0, 1};
            }),
            "program: communicator 'pair': ranks 0 and 2 are both device 1, wanted each device "
            "once");
}

TEST(CheckCollectives, RefusesADeviceThatDoesNotExist) {
  EXPECT_EQ(refusal_after([](program::Program& p) {
              p.communicators[0].devices = {0, 5};
            }),
            "program: communicator 'pair': rank 1 is device 5, which does not exist (there are 2)");
}

TEST(CheckCollectives, RefusesACallOutsideTheGroup) {
  const std::string message = refusal_after([](program::Program& p) {
    p.devices = 3;
    p.streams[1].device = 2;
  });
  EXPECT_EQ(message,
            "program: thread 1, call 0: communicator 'pair': all_reduce of 64 B (bf16) on device "
            "2, which is no rank of the group");
}

TEST(CheckCollectives, RefusesAPeerThatDoesNotExistAndOneself) {
  const auto sending_to = [](std::uint32_t peer) {
    return refusal_after([peer](program::Program& p) {
      p.collectives[0].op = program::CollectiveOp::kSend;
      p.collectives[0].peer = peer;
    });
  };
  EXPECT_EQ(sending_to(2),
            "program: thread 0, call 0: communicator 'pair': send of 64 B (bf16) to rank 2: rank "
            "2 does not exist (there are 2)");
  EXPECT_EQ(sending_to(0),
            "program: thread 0, call 0: communicator 'pair': rank 0 has itself as peer of send of "
            "64 B (bf16) to rank 0");
}

TEST(CheckCollectives, RefusesIndicesAndSizesOutOfRange) {
  EXPECT_NE(refusal_after([](program::Program& p) { p.collectives[0].communicator = 1; }),
            "accepted");
  EXPECT_NE(refusal_after([](program::Program& p) { p.collectives[0].bytes = Bytes(-1); }),
            "accepted");
  EXPECT_NE(refusal_after([](program::Program& p) { p.collectives[0].recorded = Duration(-2); }),
            "accepted");
  EXPECT_NE(refusal_after([](program::Program& p) { *index_in(p.threads[0].calls[0]) = 1; }),
            "accepted");
}

TEST(CheckCollectives, RefusesAPeerWhereThereIsNone) {
  EXPECT_EQ(refusal_after([](program::Program& p) { p.collectives[0].peer = 1; }),
            "program: collective 0 (all_reduce of 64 B (bf16)): got rank 1 as peer, wanted none");
}

}  // namespace
}  // namespace septet::test
