#include "models/workload/serving/sequence.hpp"

#include <algorithm>

namespace septet::serving {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

constexpr std::uint64_t kShared = 1;
constexpr std::uint64_t kOwn = 2;

}  // namespace

bool is_shared(const SequenceSpec& spec, std::int64_t end) {
  return !spec.pieces.empty() && end <= spec.pieces.back().end;
}

BlockKey key_of(const SequenceSpec& spec, std::int64_t end) {
  const auto piece = std::ranges::lower_bound(spec.pieces, end, {}, &requests::Piece::end);
  const std::uint64_t content =
      piece != spec.pieces.end() ? mixed(piece->content) + kShared : mixed(spec.request) + kOwn;
  const BlockKey key = mixed(mixed(content) ^ static_cast<std::uint64_t>(end));
  return key == kNoKey ? 1 : key;
}

}  // namespace septet::serving
