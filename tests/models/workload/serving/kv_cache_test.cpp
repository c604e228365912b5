#include "models/workload/serving/kv_cache.hpp"

#include <gtest/gtest.h>

namespace septet::serving {
namespace {

TEST(KvCache, KeepsContentUntilTheBlockIsTaken) {
  KvCache cache(2);
  const BlockId first = cache.take();
  cache.name(first, 11, true);
  cache.release(first);
  EXPECT_EQ(cache.find(11), first);
  EXPECT_NE(cache.take(), first);  // the other one was unused for longer
  EXPECT_EQ(cache.find(11), first);
  EXPECT_EQ(cache.take(), first);
  EXPECT_EQ(cache.find(11), std::nullopt);
  EXPECT_EQ(cache.evicted(), 1U);
}

TEST(KvCache, ABlockIsUnusedOnceItsLastUserIsGone) {
  KvCache cache(1);
  const BlockId block = cache.take();
  cache.use(block);
  cache.release(block);
  EXPECT_EQ(cache.unused(), 0U);
  cache.release(block);
  EXPECT_EQ(cache.unused(), 1U);
}

TEST(KvCache, AFoundBlockIsTakenFromTheUnusedOnes) {
  KvCache cache(2);
  const BlockId block = cache.take();
  cache.name(block, 5, true);
  cache.release(block);
  cache.use(block);
  EXPECT_EQ(cache.unused(), 1U);
  EXPECT_NE(cache.take(), block);
}

TEST(KvCache, WhatIsNotListedIsKnownToItsSequenceAlone) {
  KvCache cache(1);
  const BlockId block = cache.take();
  cache.name(block, 5, false);
  cache.release(block);
  EXPECT_EQ(cache.find(5), std::nullopt);
  EXPECT_TRUE(cache.holds(block, 5));
  cache.take();
  EXPECT_FALSE(cache.holds(block, 5));
}

TEST(KvCache, TheFirstOfTwoEqualBlocksKeepsTheName) {
  KvCache cache(2);
  const BlockId first = cache.take();
  const BlockId second = cache.take();
  cache.name(first, 5, true);
  cache.name(second, 5, true);
  EXPECT_EQ(cache.find(5), first);
}

}  // namespace
}  // namespace septet::serving
