#include "core/engine/order.hpp"

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

TEST(Order, SortsByPhaseThenSourceThenSequence) {
  EXPECT_LT(pack_order(Phase::kCompletion, 9, 9), pack_order(Phase::kDefault, 0, 0));
  EXPECT_LT(pack_order(Phase::kDefault, 1, 9), pack_order(Phase::kDefault, 2, 0));
  EXPECT_LT(pack_order(Phase::kDefault, 1, 8), pack_order(Phase::kDefault, 1, 9));
}

TEST(Order, NamesItsSource) {
  const std::uint64_t last_sequence = (std::uint64_t{1} << kSequenceBits) - 1;
  EXPECT_EQ(source_of(pack_order(Phase::kLate, kMaxLps - 1, last_sequence)), kMaxLps - 1);
  EXPECT_EQ(source_of(pack_order(Phase::kLate, 0, last_sequence)), 0U);
}

TEST(Order, AdvancesTheSequence) {
  std::uint64_t sequence = 41;
  EXPECT_EQ(next_order(Phase::kDefault, 5, sequence), pack_order(Phase::kDefault, 5, 41));
  EXPECT_EQ(sequence, 42U);
}

TEST(OrderDeathTest, StopsWhereASequenceWouldRunIntoTheSource) {
  std::uint64_t sequence = (std::uint64_t{1} << kSequenceBits) - 1;
  next_order(Phase::kDefault, 5, sequence);  // the last one that fits
  EXPECT_DEATH(next_order(Phase::kDefault, 5, sequence), "sequence <");
}

TEST(HandlingPosition, IsOrderedByTimeFirst) {
  EXPECT_LT((HandlingPosition{Instant(1), 9}), (HandlingPosition{Instant(2), 0}));
  EXPECT_LT((HandlingPosition{Instant(1), 8}), (HandlingPosition{Instant(1), 9}));
}

}  // namespace
}  // namespace septet::engine
