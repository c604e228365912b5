// Digests of a run: one hash chain per LP, combined in the order of LP ids.
//
// The hash folds a 128-bit product of two 64-bit words (the idea of wyhash and of Knuth's
// multiplicative hashing): three multiplications per event. It detects accidental differences
// between runs; it is not a cryptographic hash.
#pragma once

#include <cstdint>

#include "core/engine/event.hpp"

namespace septet::engine {

constexpr std::uint64_t fold_product(std::uint64_t x, std::uint64_t y) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(x) * y;
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

// The chain of an LP after it handled `event`. Which LP that is does not enter here: it follows
// from the position in the combination.
constexpr std::uint64_t extend_digest(std::uint64_t chain, const Event& event) {
  const auto at = static_cast<std::uint64_t>(event.at.count());
  const std::uint64_t labels = (static_cast<std::uint64_t>(event.kind) << 16) | event.tag;
  const std::uint64_t place = fold_product(at ^ 0x243F6A8885A308D3ULL,  // digits of pi
                                           event.order ^ 0x13198A2E03707344ULL);
  const std::uint64_t payload =
      fold_product(event.a ^ 0xA4093822299F31D0ULL, event.b ^ 0x082EFA98EC4E6C89ULL);
  return fold_product(chain ^ place ^ payload, labels ^ 0x452821E638D01377ULL);
}

constexpr std::uint64_t combine_digests(std::uint64_t so_far, std::uint64_t next) {
  return fold_product(so_far ^ 0xBE5466CF34E90C6CULL, next ^ 0xC0AC29B7C97C50DDULL);
}

}  // namespace septet::engine
