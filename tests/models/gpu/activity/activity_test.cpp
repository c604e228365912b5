#include "models/gpu/activity/activity.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

Instant at(std::int64_t picoseconds) { return Instant(picoseconds); }

TEST(ActivityTimes, CountEachInstantOnce) {
  // Compute 0-30; a collective is there from 10, complete at 20, over at 50; a copy 40-60.
  gpu::ActivityTimeline line;
  line.add(gpu::ActivityKind::kCompute, at(0), at(30));
  line.add(gpu::ActivityKind::kWaiting, at(10), at(20));
  line.add(gpu::ActivityKind::kMoving, at(20), at(50));
  line.add(gpu::ActivityKind::kCopy, at(40), at(60));
  const gpu::ActivityTimes times = line.times();
  EXPECT_EQ(times.compute(), 30_ps);
  EXPECT_EQ(times.hidden(), 10_ps);   // 20-30
  EXPECT_EQ(times.exposed(), 20_ps);  // 30-50
  EXPECT_EQ(times.copies(), 10_ps);   // 50-60
  EXPECT_EQ(times.waiting(), 0_ps);   // 10-20 is beside compute
}

TEST(ActivityTimes, TellWaitingForAPeerFromWaitingForAGroup) {
  // A receive waits 0-40, a group 10-20; compute 30-35.
  gpu::ActivityTimeline line;
  line.add(gpu::ActivityKind::kWaiting, at(10), at(20));
  line.add(gpu::ActivityKind::kCompute, at(30), at(35));
  line.add(gpu::ActivityKind::kWaitingForPeer, at(0), at(40));
  EXPECT_EQ(line.times().waiting(), 35_ps);
  EXPECT_EQ(line.times().for_peers(), 25_ps);
}

struct Piece {
  gpu::ActivityKind kind = gpu::ActivityKind::kCompute;
  std::int64_t begin = 0, end = 0;
};

// Pieces of work within [0, 100), by their ends.
std::vector<Piece> random_pieces(std::uint64_t seed) {
  RandomStream random(RandomKey{seed, 0, 0});
  std::vector<Piece> out(1 + random.below(30));
  for (Piece& piece : out) {
    piece.kind = static_cast<gpu::ActivityKind>(random.below(kEnumSize<gpu::ActivityKind>));
    piece.begin = static_cast<std::int64_t>(random.below(100));
    piece.end = piece.begin + static_cast<std::int64_t>(random.below(20));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Piece& a, const Piece& b) { return a.end < b.end; });
  return out;
}

// Looks at each picosecond by itself.
gpu::ActivityTimes counted(const std::vector<Piece>& pieces) {
  gpu::ActivityTimes out;
  for (std::int64_t t = 0; t < 120; ++t) {
    gpu::ActivityTimes::Set what = 0;
    for (const Piece& piece : pieces) {
      if (piece.begin <= t && t < piece.end) what |= gpu::ActivityTimes::only(piece.kind);
    }
    out.add(what, 1_ps);
  }
  return out;
}

void expect_equal(const gpu::ActivityTimes& got, const gpu::ActivityTimes& wanted,
                  std::uint64_t seed) {
  EXPECT_EQ(got.compute(), wanted.compute()) << "seed " << seed;
  EXPECT_EQ(got.exposed(), wanted.exposed()) << "seed " << seed;
  EXPECT_EQ(got.hidden(), wanted.hidden()) << "seed " << seed;
  EXPECT_EQ(got.waiting(), wanted.waiting()) << "seed " << seed;
  EXPECT_EQ(got.for_peers(), wanted.for_peers()) << "seed " << seed;
  EXPECT_EQ(got.copies(), wanted.copies()) << "seed " << seed;
}

TEST(ActivityTimeline, AgreesWithLookingAtEachInstantInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::vector<Piece> pieces = random_pieces(seed);
    gpu::ActivityTimeline forwards, backwards;
    for (const Piece& p : pieces) forwards.add(p.kind, at(p.begin), at(p.end));
    for (auto p = pieces.rbegin(); p != pieces.rend(); ++p) {
      backwards.add(p->kind, at(p->begin), at(p->end));
    }
    expect_equal(forwards.times(), counted(pieces), seed);
    expect_equal(backwards.times(), counted(pieces), seed);
  }
}

TEST(ActivityMeter, SettlesWhatItCanAndCountsTheSame) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::vector<Piece> pieces = random_pieces(seed);
    gpu::ActivityMeter meter(1 + seed % 8);
    for (std::int64_t now = 0; now < 120; ++now) {
      for (const Piece& p : pieces) {
        if (p.end == now && p.begin < now) {
          meter.add(p.kind, at(p.begin), at(now));
          meter.ended(at(p.begin), at(now));
        }
        if (p.begin == now && p.end > now) meter.begins(at(now));
      }
    }
    expect_equal(meter.times(), counted(pieces), seed);
  }
}

TEST(ActivityMeter, StaysShort) {
  gpu::ActivityMeter meter;
  for (std::int64_t k = 0; k < 1000; ++k) {
    meter.begins(at(10 * k));
    meter.add(gpu::ActivityKind::kCompute, at(10 * k), at(10 * k + 9));
    meter.ended(at(10 * k), at(10 * k + 9));
    EXPECT_LE(meter.length(), gpu::ActivityMeter::kSettleAt + 2);
  }
  EXPECT_EQ(meter.times().compute(), 9000_ps);
}

TEST(ActivityTimeline, KeepsNothingOfWhatIsSettled) {
  gpu::ActivityTimeline line;
  for (std::int64_t k = 0; k < 1000; ++k) {
    line.add(gpu::ActivityKind::kCompute, at(10 * k), at(10 * k + 9));
    line.settle(at(10 * k + 5));
    EXPECT_LE(line.length(), 2U);
  }
  EXPECT_EQ(line.times().compute(), 9000_ps);
}

}  // namespace
}  // namespace septet::test
