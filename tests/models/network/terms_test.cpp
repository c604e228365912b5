#include "models/network/collective/terms.hpp"

#include <gtest/gtest.h>

namespace septet {
namespace {

TEST(CollectiveTerms, EveryNameIsReadBackAsWhatItNames) {
  for (int i = 0; i <= static_cast<int>(CollectiveOp::kReceive); ++i) {
    const auto op = static_cast<CollectiveOp>(i);
    EXPECT_EQ(collective_op_named(name_of(op)), op);
  }
  for (int i = 0; i <= static_cast<int>(CollectiveAlgorithm::kSharp); ++i) {
    const auto algorithm = static_cast<CollectiveAlgorithm>(i);
    EXPECT_EQ(collective_algorithm_named(name_of(algorithm)), algorithm);
  }
  for (int i = 0; i <= static_cast<int>(CollectiveProtocol::kSimple); ++i) {
    const auto protocol = static_cast<CollectiveProtocol>(i);
    EXPECT_EQ(collective_protocol_named(name_of(protocol)), protocol);
  }
}

TEST(CollectiveTerms, ANameOfNothingIsNothing) {
  EXPECT_FALSE(collective_op_named("all-reduce"));
  EXPECT_FALSE(collective_algorithm_named(""));
  EXPECT_FALSE(collective_protocol_named("LL"));
}

using Algorithm = CollectiveAlgorithm;
using Op = CollectiveOp;
using Protocol = CollectiveProtocol;

TEST(CollectiveTerms, SayWhichAlgorithmsAnOperationHas) {
  EXPECT_TRUE(runs_as(Op::kAllReduce, Algorithm::kSharp));
  EXPECT_TRUE(runs_as(Op::kAllToAll, Algorithm::kAuto));
  EXPECT_FALSE(runs_as(Op::kAllToAll, Algorithm::kRing));
  EXPECT_FALSE(runs_as(Op::kAllGather, Algorithm::kTree));
  EXPECT_FALSE(runs_as(Op::kBroadcast, Algorithm::kNvls));
  EXPECT_FALSE(runs_as(Op::kSend, Algorithm::kRing));
  EXPECT_EQ(algorithms_of(Op::kAllToAll), "direct or hierarchical");
  EXPECT_EQ(algorithms_of(Op::kAllGather), "ring, direct, hierarchical or nvls");
  EXPECT_EQ(algorithms_of(Op::kReceive), "direct");
}

TEST(CollectiveTerms, SayWhichProtocolsGoWithThem) {
  EXPECT_TRUE(goes_by(Op::kAllReduce, Algorithm::kRing, Protocol::kLowLatency128));
  EXPECT_TRUE(goes_by(Op::kAllToAll, Algorithm::kDirect, Protocol::kLowLatency));
  EXPECT_FALSE(goes_by(Op::kAllToAll, Algorithm::kAuto, Protocol::kLowLatency128));
  EXPECT_FALSE(goes_by(Op::kSendReceive, Algorithm::kAuto, Protocol::kLowLatency128));
  EXPECT_FALSE(goes_by(Op::kAllReduce, Algorithm::kNvls, Protocol::kLowLatency));
  EXPECT_TRUE(goes_by(Op::kAllReduce, Algorithm::kNvls, Protocol::kSimple));
}

TEST(CollectiveTerms, SayWhereAPeerMeansSomething) {
  EXPECT_TRUE(names_peer(Op::kBroadcast));
  EXPECT_TRUE(names_peer(Op::kReceive));
  EXPECT_FALSE(names_peer(Op::kAllReduce));
  EXPECT_FALSE(names_peer(Op::kSendReceive));
}

}  // namespace
}  // namespace septet
