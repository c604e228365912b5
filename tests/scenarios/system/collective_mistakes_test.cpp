// Collectives that cannot work: ranks that call different ones, or never meet.
#include <functional>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/scenarios/system/pair_system.hpp"

namespace septet::test {
namespace {

std::string refusal(const program::Program& program) {
  return error_of<ConfigError>([&] { run_program(program, pair_system(), {}); });
}

TEST(CollectiveMistakes, ThatDoNotMatchAreRefused) {
  Ranks pair(2);
  const auto group = pair.group({0, 1}, "pair");
  const auto small = pair.collective(group, program::CollectiveOp::kAllReduce, 64_B);
  const auto large = pair.collective(group, program::CollectiveOp::kAllGather, 128_B);
  pair.join(0, small);
  pair.join(0, small);
  pair.join(1, small);
  pair.join(1, large);
  EXPECT_EQ(refusal(pair.program),
            "program: communicator 'pair', position 1: rank 0 (device 0) calls all_reduce of 64 "
            "B, rank 1 (device 1) calls all_gather of 128 B; wanted the same calls in the same "
            "order on all ranks");
}

TEST(CollectiveMistakes, SendsAndReceivesOfDifferentSizesAreRefused) {
  Ranks pair(2);
  const auto group = pair.group({0, 1}, "pair");
  pair.join(0, pair.collective(group, program::CollectiveOp::kSend, 64_B, 1));
  pair.join(1, pair.collective(group, program::CollectiveOp::kReceive, 32_B, 0));
  EXPECT_EQ(refusal(pair.program),
            "program: communicator 'pair', position 0: rank 0 (device 0) calls send of 64 B to "
            "rank 1, rank 1 (device 1) calls recv of 32 B from rank 0; wanted the same calls "
            "in the same order on all ranks");
}

// Each rank's own tuner would go its own way, and none of them end.
TEST(CollectiveMistakes, OfDifferentAlgorithmsProtocolsOrChannelsAreRefused) {
  const auto refused_after = [](const std::function<void(program::Collective&)>& change) {
    Ranks pair(2);
    const auto group = pair.group({0, 1}, "pair");
    pair.join(0, pair.collective(group, program::CollectiveOp::kAllReduce, 64_B));
    const auto other = pair.collective(group, program::CollectiveOp::kAllReduce, 64_B);
    change(pair.program.collectives[other]);
    pair.join(1, other);
    return refusal(pair.program);
  };
  const auto refused = [](const std::string& way) {
    return "program: communicator 'pair', position 0: rank 0 (device 0) calls all_reduce of 64 B, "
           "rank 1 (device 1) calls all_reduce of 64 B" +
           way + "; wanted the same calls in the same order on all ranks";
  };
  EXPECT_EQ(refused_after(
                [](program::Collective& c) { c.algorithm = program::CollectiveAlgorithm::kRing; }),
            refused(" as ring"));
  EXPECT_EQ(refused_after(
                [](program::Collective& c) { c.protocol = program::CollectiveProtocol::kSimple; }),
            refused(" by simple"));
  EXPECT_EQ(refused_after([](program::Collective& c) { c.channels = 8; }),
            refused(" on 8 channels"));
  EXPECT_EQ(refused_after([](program::Collective& c) { c.recorded = 20_us; }),
            refused(" in 20.000 us"));
}

TEST(CollectiveMistakes, SendsAndReceivesOfDifferentProtocolsAreRefused) {
  Ranks pair(2);
  const auto group = pair.group({0, 1}, "pair");
  const auto send = pair.collective(group, program::CollectiveOp::kSend, 64_B, 1);
  pair.program.collectives[send].protocol = program::CollectiveProtocol::kSimple;
  pair.join(0, send);
  pair.join(1, pair.collective(group, program::CollectiveOp::kReceive, 64_B, 0));
  EXPECT_EQ(refusal(pair.program),
            "program: communicator 'pair', position 0: rank 0 (device 0) calls send of 64 B to "
            "rank 1 by simple, rank 1 (device 1) calls recv of 64 B from rank 0; wanted the same "
            "calls in the same order on all ranks");
}

std::string explanation(const program::Program& program) {
  return error_of<ModelError>([&] { run_program(program, pair_system(), {}); });
}

TEST(CollectiveMistakes, ThatARankNeverCallsEndInAnExplanation) {
  Ranks pair(2);
  const auto all_reduce =
      pair.collective(pair.group({0, 1}, "pair"), program::CollectiveOp::kAllReduce, 64_B);
  pair.join(0, all_reduce);
  EXPECT_EQ(explanation(pair.program),
            "the program cannot continue:\n  stream 0: all_reduce of 64 B of call 0 waits for the "
            "other ranks of communicator "
            "'pair'\n"
            "  communicator 'pair': all_reduce of 64 B at position 0 has rank 0, not rank 1; rank "
            "1 will never call it");
}

// Both ranks call both groups' collectives on one stream, in opposite orders.
TEST(CollectiveMistakes, InOppositeOrdersAreACircle) {
  Ranks pair(2);
  const auto a = pair.collective(pair.group({0, 1}, "a"), program::CollectiveOp::kAllReduce, 64_B);
  const auto b = pair.collective(pair.group({0, 1}, "b"), program::CollectiveOp::kAllReduce, 64_B);
  pair.join(0, a);
  pair.join(0, b);
  pair.join(1, b);
  pair.join(1, a);
  EXPECT_EQ(explanation(pair.program),
            "the program cannot continue:\n  stream 0: all_reduce of 64 B of call 0 waits for the "
            "other ranks of communicator "
            "'a'\n"
            "  communicator 'a': all_reduce of 64 B at position 0 has rank 0, not rank 1\n"
            "  stream 1: all_reduce of 64 B of call 0 waits for the other ranks of communicator "
            "'b'\n"
            "  communicator 'b': all_reduce of 64 B at position 0 has rank 1, not rank 0\n"
            "  stream 0: all_reduce of 64 B of call 0 waits for the other ranks of communicator "
            "'a' (a cycle)");
}

// Each sends to the other one first, and neither receives.
TEST(CollectiveMistakes, SendsToOneAnotherAreACircleOfBothPairs) {
  Ranks pair(2);
  const auto group = pair.group({0, 1}, "pair");
  pair.join(0, pair.collective(group, program::CollectiveOp::kSend, 64_B, 1));
  pair.join(0, pair.collective(group, program::CollectiveOp::kReceive, 64_B, 1));
  pair.join(1, pair.collective(group, program::CollectiveOp::kSend, 64_B, 0));
  pair.join(1, pair.collective(group, program::CollectiveOp::kReceive, 64_B, 0));
  const std::string told = explanation(pair.program);
  EXPECT_NE(told.find("communicator 'pair': send of 64 B to rank 1 at position 0 has rank 0, not "
                      "rank 1\n  communicator 'pair': send of 64 B to rank 0 at position 0 has "
                      "rank 1, not rank 0"),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("(a cycle)"), std::string::npos) << told;
}

// The plain network knows no trees: the refusal says whose collective it was.
TEST(CollectiveMistakes, WhatTheNetworkCannotDoNamesRankAndCall) {
  Ranks pair(2);
  const auto tree =
      pair.collective(pair.group({0, 1}, "pair"), program::CollectiveOp::kAllReduce, 64_B);
  pair.program.collectives[tree].algorithm = program::CollectiveAlgorithm::kTree;
  for (const std::uint32_t rank : {0U, 1U}) pair.join(rank, tree);
  EXPECT_EQ(refusal(pair.program),
            "communicator 'pair', all_reduce of 64 B as tree called by rank 0 (device 0): "
            "all_reduce over 2 ranks: got algorithm tree, wanted auto or ring: the uniform network "
            "supports no other");
}

}  // namespace
}  // namespace septet::test
