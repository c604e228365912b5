#include "core/base/fifo.hpp"

#include <deque>

#include <gtest/gtest.h>

#include "core/base/random.hpp"

namespace septet::test {
namespace {

TEST(Fifo, GivesBackWhatWasPutInFirst) {
  Fifo<int> fifo;
  EXPECT_TRUE(fifo.empty());
  for (int i = 0; i < 3; ++i) fifo.push_back(i);
  fifo.pop_front();
  EXPECT_EQ(fifo.front(), 1);
  EXPECT_EQ(fifo.back(), 2);
  EXPECT_EQ(fifo.size(), 2U);
}

TEST(Fifo, HoldsWhatADequeHoldsWhateverIsDone) {
  Fifo<int> fifo;
  std::deque<int> deque;
  RandomStream random(RandomKey{1, 0, 0});
  for (int i = 0; i < 20'000; ++i) {
    // More pushes than pops in the first half, so that it grows while it wraps around.
    const double pushes = i < 10'000 ? 0.6 : 0.4;
    if (deque.empty() || random.uniform() < pushes) {
      fifo.push_back(i);
      deque.push_back(i);
    } else {
      fifo.pop_front();
      deque.pop_front();
    }
    ASSERT_EQ(fifo.size(), deque.size());
    if (deque.empty()) continue;
    ASSERT_EQ(fifo.front(), deque.front());
    ASSERT_EQ(fifo.back(), deque.back());
    ASSERT_EQ(fifo[deque.size() / 2], deque[deque.size() / 2]);
  }
}

}  // namespace
}  // namespace septet::test
