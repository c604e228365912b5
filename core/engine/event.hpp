// An event and its position in the total order.
//
// Order: (time, priority class, source LP, per-source sequence). None of these depends on threads
// or on how LPs are partitioned, so neither does the order.
#pragma once

#include <compare>
#include <cstdint>

#include "core/base/quantity.hpp"

namespace septet::engine {

using LpId = std::uint32_t;

// Classes of events at one instant, first to last. Effects of work that ended come before new
// work, so that what was freed can be used at once.
enum class Phase : std::uint8_t { kCompletion = 0, kDefault = 1, kArrival = 2, kLate = 3 };

// `order` packs the rest of the key: 4 bits of phase, 24 of source, 36 of sequence.
constexpr int kSourceBits = 24;
constexpr int kSequenceBits = 36;
constexpr std::uint32_t kMaxLps = 1U << kSourceBits;

constexpr std::uint64_t pack_order(Phase phase, LpId source, std::uint64_t sequence) {
  return (static_cast<std::uint64_t>(phase) << (kSourceBits + kSequenceBits)) |
         (static_cast<std::uint64_t>(source) << kSequenceBits) | sequence;
}

// 40 bytes. `kind`, `tag`, `a` and `b` mean what the target LP says they mean.
struct Event {
  Instant at;
  std::uint64_t order = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  LpId target = 0;
  std::uint16_t kind = 0;
  std::uint16_t tag = 0;

  friend constexpr bool operator<(const Event& x, const Event& y) {
    return x.at != y.at ? x.at < y.at : x.order < y.order;
  }
};
static_assert(sizeof(Event) == 40);

// The fields of an event set by the LP that schedules or sends it.
struct Message {
  std::uint16_t kind = 0;
  std::uint16_t tag = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  Phase phase = Phase::kDefault;
};

}  // namespace septet::engine
