#include "core/base/slot_pool.hpp"

#include <string>

#include <gtest/gtest.h>

namespace septet::test {
namespace {

TEST(SlotPool, NumbersSlotsFromZero) {
  SlotPool<int> pool;
  EXPECT_EQ(pool.take(), 0U);
  EXPECT_EQ(pool.take(), 1U);
}

TEST(SlotPool, UsesASlotAgainOnceItIsGivenBack) {
  SlotPool<int> pool;
  pool.take();
  const std::uint32_t middle = pool.take();
  pool.take();
  pool.give_back(middle);
  EXPECT_EQ(pool.take(), middle);
  EXPECT_EQ(pool.take(), 3U);
}

TEST(SlotPool, ReferencesStayValidWhileItGrows) {
  SlotPool<std::string> pool;
  std::string& first = pool[pool.take()];
  first = "first";
  for (int i = 0; i < 10'000; ++i) pool.take();
  EXPECT_EQ(&first, &pool[0]);
  EXPECT_EQ(first, "first");
}

}  // namespace
}  // namespace septet::test
