#include "core/engine/order.hpp"

#include <gtest/gtest.h>

namespace septet {
namespace {

TEST(Order, SortsByPhaseThenSourceThenSequence) {
  EXPECT_LT(pack_order(Phase::kCompletion, 9, 9), pack_order(Phase::kDefault, 0, 0));
  EXPECT_LT(pack_order(Phase::kDefault, 1, 9), pack_order(Phase::kDefault, 2, 0));
  EXPECT_LT(pack_order(Phase::kDefault, 1, 8), pack_order(Phase::kDefault, 1, 9));
}

TEST(Order, GivesBackItsSource) {
  const std::uint64_t last_sequence = (std::uint64_t{1} << kSequenceBits) - 1;
  EXPECT_EQ(source_of(pack_order(Phase::kLate, kMaxProcesses - 1, last_sequence)),
            kMaxProcesses - 1);
  EXPECT_EQ(source_of(pack_order(Phase::kLate, 0, last_sequence)), 0U);
}

TEST(Order, CountsTheSequenceOn) {
  std::uint64_t sequence = 41;
  EXPECT_EQ(take_order(Phase::kDefault, 5, sequence), pack_order(Phase::kDefault, 5, 41));
  EXPECT_EQ(sequence, 42U);
}

TEST(OrderDeathTest, StopsWhereASequenceWouldRunIntoTheSource) {
  std::uint64_t sequence = (std::uint64_t{1} << kSequenceBits) - 1;
  take_order(Phase::kDefault, 5, sequence);  // the last one that fits
  EXPECT_DEATH(take_order(Phase::kDefault, 5, sequence), "sequence <");
}

TEST(HandlingPlace, IsOrderedByTimeFirst) {
  EXPECT_LT((HandlingPlace{Instant(1), 9}), (HandlingPlace{Instant(2), 0}));
  EXPECT_LT((HandlingPlace{Instant(1), 8}), (HandlingPlace{Instant(1), 9}));
}

}  // namespace
}  // namespace septet
