// Counter-based random numbers: draw n of a stream is a pure function of (seed, owner, purpose, n).
// Adding an owner or a purpose therefore changes nobody else's draws, and a stream can be resumed
// at any draw. The mixing function is Philox-2x64-10 (Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC'11).
#pragma once

#include <cstdint>

namespace septet {

struct RandomKey {
  std::uint64_t seed = 0;
  std::uint32_t owner = 0;    // usually a logical process
  std::uint32_t purpose = 0;  // what the draws are for, so that uses do not disturb one another
};

class RandomStream {
 public:
  explicit RandomStream(RandomKey key, std::uint64_t next_draw = 0);

  std::uint64_t next();                      // 64 uniform bits
  double uniform();                          // [0, 1)
  double exponential(double mean);           // mean > 0
  std::uint64_t below(std::uint64_t bound);  // 0 .. bound-1, unbiased; bound > 0

 private:
  std::uint64_t key_;
  std::uint64_t high_;  // the half of the counter that names owner and purpose
  std::uint64_t draw_;
};

}  // namespace septet
