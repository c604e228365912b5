#include "models/network/collective/algorithms/registry.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::network {
namespace {

using Algorithm = program::CollectiveAlgorithm;
using Op = program::CollectiveOp;
using Protocol = program::CollectiveProtocol;

std::string wanted(Op op, Algorithm algorithm, Protocol protocol = Protocol::kAuto) {
  const auto wrong = mismatch(op, algorithm, protocol);
  return wrong ? std::string(wrong->key) + ": " + wrong->wanted : "fits";
}

TEST(Registry, HasEveryAlgorithmUnderItsName) {
  for (const Algorithm name : values_of<Algorithm>()) {
    if (name == Algorithm::kAuto) continue;
    EXPECT_EQ(algorithm_of(name).name, name) << text_of(name);
  }
}

TEST(Registry, SaysWhichAlgorithmsAnOperationHas) {
  EXPECT_EQ(wanted(Op::kAllReduce, Algorithm::kSharp), "fits");
  EXPECT_EQ(wanted(Op::kAllToAll, Algorithm::kAuto), "fits");
  EXPECT_EQ(wanted(Op::kAllToAll, Algorithm::kRing),
            "algorithm: direct or hierarchical for all_to_all");
  EXPECT_EQ(wanted(Op::kAllGather, Algorithm::kTree),
            "algorithm: ring, direct, hierarchical or nvls for all_gather");
  EXPECT_EQ(wanted(Op::kBroadcast, Algorithm::kNvls), "algorithm: ring or tree for broadcast");
  EXPECT_EQ(wanted(Op::kSend, Algorithm::kRing), "algorithm: direct for send");
  EXPECT_EQ(algorithms_of(Op::kReceive), "direct");
}

TEST(Registry, SaysWhichProtocolsGoWithThem) {
  const std::string messages = "protocol: ll or simple for ";
  EXPECT_EQ(wanted(Op::kAllReduce, Algorithm::kRing, Protocol::kLowLatency128), "fits");
  EXPECT_EQ(wanted(Op::kAllToAll, Algorithm::kDirect, Protocol::kLowLatency), "fits");
  EXPECT_EQ(wanted(Op::kAllToAll, Algorithm::kAuto, Protocol::kLowLatency128),
            messages + "all_to_all");
  EXPECT_EQ(wanted(Op::kSendReceive, Algorithm::kAuto, Protocol::kLowLatency128),
            messages + "send_recv");
  EXPECT_EQ(wanted(Op::kAllReduce, Algorithm::kNvls, Protocol::kLowLatency),
            "protocol: simple for nvls");
  EXPECT_EQ(wanted(Op::kAllReduce, Algorithm::kNvls, Protocol::kSimple), "fits");
}

TEST(Registry, NamesWhoAsksForWhatDoesNotGoTogether) {
  CollectiveRequest request;
  request.op = Op::kAllToAll;
  request.algorithm = Algorithm::kTree;
  try {
    check_terms(request, "mine");
    FAIL() << "a tree of messages";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "mine: got algorithm tree, wanted direct or hierarchical for all_to_all");
  }
}

// Every algorithm that a node form is known of gives a time to each of its operations.
TEST(Registry, NodeFormsAreWhole) {
  for (const auto* one : kAlgorithms) {
    for (const Op op : values_of<Op>()) {
      if (!one->node.ops.contains(op)) continue;
      EXPECT_TRUE(one->ops.contains(op));
      EXPECT_TRUE(one->node.estimate_us != nullptr && one->node.channels != nullptr &&
                  one->node.time != nullptr)
          << text_of(one->name);
    }
  }
}

}  // namespace
}  // namespace septet::network
