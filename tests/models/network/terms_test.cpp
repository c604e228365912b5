#include "models/network/collective/terms.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet {
namespace {

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

TEST(CollectiveTerms, RefuseWaysThatTheOperationHasNot) {
  const auto refusal = [](Op op, Algorithm algorithm, Protocol protocol) -> std::string {
    CollectiveRequest request;
    request.op = op;
    request.algorithm = algorithm;
    request.protocol = protocol;
    try {
      check_terms(request);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(Op::kAllToAll, Algorithm::kTree, Protocol::kAuto),
            "all_to_all: got algorithm tree, wanted direct or hierarchical");
  EXPECT_EQ(refusal(Op::kAllReduce, Algorithm::kNvls, Protocol::kLowLatency),
            "all_reduce: got protocol ll, wanted one that its algorithm can use");
  EXPECT_EQ(refusal(Op::kAllReduce, Algorithm::kAuto, Protocol::kLowLatency), "accepted");
}

}  // namespace
}  // namespace septet
