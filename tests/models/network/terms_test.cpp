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

}  // namespace
}  // namespace septet
