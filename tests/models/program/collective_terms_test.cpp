#include "models/program/collective_terms.hpp"

#include <gtest/gtest.h>

namespace septet::program {
namespace {

template <class Enum>
class CollectiveTerms : public testing::Test {};
using Enumerations = testing::Types<CollectiveOp, CollectiveAlgorithm, CollectiveProtocol>;
TYPED_TEST_SUITE(CollectiveTerms, Enumerations);

TYPED_TEST(CollectiveTerms, EveryTextIsReadBackAsItsValue) {
  for (const TypeParam value : values_of<TypeParam>()) {
    EXPECT_EQ(from_text<TypeParam>(text_of(value)), value) << text_of(value);
  }
}

TYPED_TEST(CollectiveTerms, AnotherTextIsNoValue) {
  EXPECT_FALSE(from_text<TypeParam>(""));
  EXPECT_FALSE(from_text<TypeParam>("all-reduce"));
  EXPECT_FALSE(from_text<TypeParam>("LL"));
}

TEST(CollectiveOps, HaveAPeerWhereOneRankIsSpecial) {
  EXPECT_TRUE(names_peer(CollectiveOp::kBroadcast));
  EXPECT_TRUE(names_peer(CollectiveOp::kReceive));
  EXPECT_FALSE(names_peer(CollectiveOp::kAllReduce));
  EXPECT_FALSE(names_peer(CollectiveOp::kSendReceive));
}

}  // namespace
}  // namespace septet::program
