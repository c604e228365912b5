#include "core/base/random.hpp"

#include <cmath>

#include "core/base/error.hpp"

namespace septet {
namespace {

constexpr std::uint64_t kMultiplier = 0xD2B74407B1CE6E93ULL;
constexpr std::uint64_t kWeyl = 0x9E3779B97F4A7C15ULL;
constexpr int kRounds = 10;

__extension__ using Wide = unsigned __int128;

std::uint64_t philox(std::uint64_t low, std::uint64_t high, std::uint64_t key) {
  for (int round = 0; round < kRounds; ++round) {
    const Wide product = static_cast<Wide>(kMultiplier) * low;
    low = static_cast<std::uint64_t>(product >> 64) ^ key ^ high;
    high = static_cast<std::uint64_t>(product);
    key += kWeyl;
  }
  return low;
}

}  // namespace

RandomStream::RandomStream(RandomKey key, std::uint64_t next_draw)
    : key_(key.seed),
      high_((static_cast<std::uint64_t>(key.owner) << 32) | key.purpose),
      draw_(next_draw) {}

std::uint64_t RandomStream::next() { return philox(draw_++, high_, key_); }

double RandomStream::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;  // 53 bits, the precision of a double
}

double RandomStream::exponential(double mean) {
  return -mean * std::log1p(-uniform());  // uniform() < 1, so the logarithm is finite
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  SEPTET_ASSERT(bound > 0);
  while (true) {
    const Wide product = static_cast<Wide>(next()) * bound;
    const auto low = static_cast<std::uint64_t>(product);
    // Small values would be favoured by `low` below 2^64 mod bound, which is less than `bound`; so
    // the division is hardly ever needed.
    if (low >= bound || low >= (0 - bound) % bound)
      return static_cast<std::uint64_t>(product >> 64);
  }
}

}  // namespace septet
