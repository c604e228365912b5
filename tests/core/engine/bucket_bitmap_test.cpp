#include "core/engine/bucket_bitmap.hpp"

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

TEST(BucketBitmap, FindsTheNextBucketAtOrAfterTheStart) {
  BucketBitmap set;
  set.reset(256);
  set.insert(70);
  EXPECT_EQ(set.distance_from(70), 0);
  EXPECT_EQ(set.distance_from(69), 1);
  EXPECT_EQ(set.distance_from(0), 70);
}

TEST(BucketBitmap, GoesRoundTheRingIncludingTheWordOfTheStart) {
  BucketBitmap set;
  set.reset(256);
  set.insert(65);
  EXPECT_EQ(set.distance_from(66), 255);  // 66 -> 256 is 190 buckets, 0 -> 65 another 65
  EXPECT_EQ(set.distance_from(255), 66);
}

TEST(BucketBitmap, FindsNothingOnceTheLastBucketIsErased) {
  BucketBitmap set;
  set.reset(64);
  set.insert(63);
  EXPECT_EQ(set.distance_from(0), 63);
  set.erase(63);
  EXPECT_EQ(set.distance_from(0), -1);
}

}  // namespace
}  // namespace septet::engine
