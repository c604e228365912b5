#include "models/workload/recorded/recording/time_line.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::recorded {
namespace {

constexpr Duration kHour{3600 * kPicosecondsPerSecond};

}  // namespace

std::optional<TimeLine::Mark> TimeLine::mark_in(std::uint32_t index, const RecordedTime& time) {
  Group& group = groups_[index];
  const auto offset = difference(time, group.reference, kReach);
  if (!offset) return std::nullopt;
  const Duration lowest = std::min(group.lowest, *offset);
  const Duration highest = std::max(group.highest, *offset);
  if (highest - lowest > kReach) return std::nullopt;
  group.lowest = lowest;
  group.highest = highest;
  ++group.stamps;
  return Mark{index, *offset};
}

std::optional<TimeLine::Mark> TimeLine::mark(const RecordedTime& time) {
  if (time.is_zero()) return mark_in(kZero, time);
  if (recent_ < groups_.size()) {
    if (const auto found = mark_in(recent_, time)) return found;
  }
  for (std::uint32_t index = kFirst; index < groups_.size(); ++index) {
    if (const auto found = mark_in(index, time)) return recent_ = index, found;
  }
  if (groups_.size() == kMostGroups) return std::nullopt;
  recent_ = static_cast<std::uint32_t>(groups_.size());
  groups_.push_back({.reference = time});
  return mark_in(recent_, time);
}

void TimeLine::settle() {
  const auto most =
      std::max_element(groups_.begin() + kFirst, groups_.end(),
                       [](const Group& a, const Group& b) { return a.stamps < b.stamps; });
  if (most == groups_.end()) {  // nothing but stamps 0, or nothing at all
    settled_ = kZero;
    zero_counts_ = true;
    return;
  }
  settled_ = static_cast<std::uint32_t>(most - groups_.begin());
  earliest_ = most->lowest;
  const auto zero = difference(RecordedTime{}, most->reference, kReach);
  if (groups_[kZero].stamps == 0 || !zero || *zero < most->lowest - kHour ||
      *zero > most->highest + kHour) {
    return;
  }
  zero_counts_ = true;
  zero_offset_ = *zero;
  earliest_ = std::min(earliest_, *zero);
}

std::optional<Instant> TimeLine::start_of(const Mark& mark) const {
  if (mark.group == settled_) return Instant((mark.offset - earliest_).count());
  if (mark.group != kZero || !zero_counts_) return std::nullopt;
  return Instant((zero_offset_ - earliest_).count());
}

std::optional<std::int64_t> TimeLine::earliest_ns() const {
  if (settled_ == kZero) return 0;
  const RecordedTime& reference = groups_[settled_].reference;
  // Splitting off whole microseconds first keeps every term within 64 bits.
  std::int64_t whole = earliest_.count() / kPicosecondsPerMicrosecond;
  std::int64_t part = earliest_.count() % kPicosecondsPerMicrosecond + reference.picoseconds;
  if (part < 0) {
    --whole;
    part += kPicosecondsPerMicrosecond;
  }
  std::int64_t out = 0;
  if (__builtin_add_overflow(reference.microseconds, whole, &out) ||
      __builtin_mul_overflow(out, 1000, &out) ||
      __builtin_add_overflow(out, part / kPicosecondsPerNanosecond, &out)) {
    return std::nullopt;
  }
  return out;
}

}  // namespace septet::recorded
