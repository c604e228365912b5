#include "models/gpu/occupancy/clusters.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::testing {
namespace {

program::LaunchShape clustered(std::uint32_t blocks_per_cluster, std::uint32_t grid) {
  program::LaunchShape out = shape(32, 1024);  // two blocks on an SM
  out.grid = {grid, 1, 1};
  out.cluster = {blocks_per_cluster, 1, 1};
  return out;
}

gpu::ClusterOccupancy clusters(const program::LaunchShape& launch,
                               const gpu::ClusterLayout& layout) {
  return cluster_occupancy(launch, occupancy_of(h200_sm(), launch), layout);
}

// An invented GPU of two GPCs: seven and five SMs.
gpu::ClusterLayout two_gpcs() {
  gpu::ClusterLayout layout;
  layout.sm_count = 12;
  layout.sms_per_gpc = {7, 5};
  return layout;
}

TEST(Clusters, FitIntoOneGpcEach) {
  // 14 and 10 block slots: clusters of 4 take 3 + 2 of them, although 24 slots would hold 6.
  const gpu::ClusterOccupancy o = clusters(clustered(4, 64), two_gpcs());
  EXPECT_EQ(o.clusters, 5U);
  EXPECT_EQ(o.blocks, 20U);
  EXPECT_TRUE(o.portable);
  EXPECT_FALSE(o.upper_bound);
}

TEST(Clusters, AboveEightBlocksAreNotPortable) {
  EXPECT_TRUE(clusters(clustered(8, 64), two_gpcs()).portable);
  // Only the larger GPC has 12 slots.
  const gpu::ClusterOccupancy o = clusters(clustered(12, 48), two_gpcs());
  EXPECT_EQ(o.clusters, 1U);
  EXPECT_FALSE(o.portable);
}

TEST(Clusters, AreBoundedFromAboveWhereTheGpcsAreUnknown) {
  gpu::ClusterLayout layout;
  layout.sm_count = 12;
  const gpu::ClusterOccupancy o = clusters(clustered(4, 64), layout);
  EXPECT_EQ(o.clusters, 6U);
  EXPECT_TRUE(o.upper_bound);
  EXPECT_FALSE(clusters(clustered(1, 64), layout).upper_bound);  // a single block always fits
}

TEST(Clusters, OfTheWrongSizeAreRefused) {
  EXPECT_THROW(static_cast<void>(clusters(clustered(17, 17), two_gpcs())), ModelError);
  EXPECT_THROW(static_cast<void>(clusters(clustered(0, 16), two_gpcs())), ModelError);
  EXPECT_THROW(static_cast<void>(clusters(clustered(4, 65), two_gpcs())), ModelError);
  EXPECT_THROW(static_cast<void>(clusters(clustered(16, 64), two_gpcs())), ModelError);  // no GPC
}

TEST(Clusters, RefuseALayoutThatDoesNotAddUp) {
  gpu::ClusterLayout layout = two_gpcs();
  layout.sm_count = 13;
  EXPECT_THROW(static_cast<void>(clusters(clustered(4, 64), layout)), ModelError);
}

}  // namespace
}  // namespace septet::testing
