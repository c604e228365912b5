// Stream 4 launches a kernel of 10 us and then a collective that leaves the node.
#include "models/gpu/horizon/horizon_progress.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using gpu::HorizonProgress;

Instant at(Duration time) { return Instant() + time; }

struct OneStream {
  OneStream() {
    horizon.least = {10_us, 0_us};
    horizon.through = {10_us, 10_us};
    horizon.departures = {{{{1}}}};
  }

  gpu::CallHorizon horizon;
  const program::IndexSet streams{{4}};
};

TEST(HorizonProgress, WithoutAHorizonOutputMayComeAtOnce) {
  const program::IndexSet streams{{4}};
  gpu::HorizonProgress progress(nullptr, streams);
  EXPECT_FALSE(progress.foresees());
  progress.launched(4, 0, at(1_us));
  progress.departed(4);
  progress.ended(4, 0);
  EXPECT_EQ(progress.earliest_output(at(3_us)), at(3_us));
}

TEST(HorizonProgress, BeforeACollectiveItsStreamHasToEndWhatRuns) {
  const OneStream one;
  gpu::HorizonProgress progress(&one.horizon, one.streams);
  EXPECT_TRUE(progress.foresees());
  EXPECT_EQ(progress.earliest_output(at(3_us)), at(13_us)) << "3 and the kernel";
  progress.launched(4, 0, at(5_us));
  EXPECT_EQ(progress.earliest_output(at(7_us)), at(15_us)) << "the kernel began at 5";
  progress.ended(4, 0);
  EXPECT_EQ(progress.earliest_output(at(16_us)), at(16_us));
}

TEST(HorizonProgress, ACollectiveThatHasLeftIsFollowedByNone) {
  const OneStream one;
  gpu::HorizonProgress progress(&one.horizon, one.streams);
  progress.ended(4, 0);
  progress.launched(4, 1, at(16_us));
  progress.departed(4);
  EXPECT_EQ(progress.earliest_output(at(17_us)), Instant::max());
}

}  // namespace
}  // namespace septet::test
