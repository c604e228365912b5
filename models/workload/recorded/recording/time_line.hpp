// Turns recorded time stamps into picoseconds since the earliest one, exactly and in one pass,
// although absolute microseconds do not fit 64 bits of picoseconds and a recording may hold stamps
// that belong nowhere (0, or years away). Stamps within 26 days of one another form a group; the
// group with most stamps is the recording, the others are strays.
//
// Stamp 0 is its own case: profilers write it for "no time stamp". It is taken at its word only
// when the recording itself starts within an hour of 0.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/recording/decimal.hpp"

namespace septet::recorded {

class TimeLine {
 public:
  // A stamp by its group and its distance from the group's first stamp.
  struct Mark {
    std::uint32_t group = 0;
    Duration offset{};
  };

  static constexpr std::uint32_t kZero = 0;  // the group of stamps that are 0
  static constexpr std::uint32_t kFirst = 1;
  // Half of the range, so that a start and a duration of up to as much add up without overflow.
  static constexpr Duration kReach{std::int64_t{1} << 61};

  // Nothing when the stamp starts a group and there are too many already.
  std::optional<Mark> mark(const RecordedTime& time);

  // Decides which group is the recording; `mark` is no longer called.
  void settle();

  // All after settle(). `start_of` gives nothing for strays.
  std::optional<Instant> start_of(const Mark& mark) const;
  // Rounded down to whole nanoseconds; nothing when that takes more than 64 bits.
  std::optional<std::int64_t> earliest_ns() const;

 private:
  struct Group {
    RecordedTime reference;
    Duration lowest{};
    Duration highest{};
    std::uint64_t stamps = 0;
  };
  static constexpr std::size_t kMostGroups = 1024;

  std::optional<Mark> mark_in(std::uint32_t group, const RecordedTime& time);

  std::vector<Group> groups_{Group{}};  // the first is kZero
  std::uint32_t recent_ = kFirst;
  std::uint32_t settled_ = kFirst;
  Duration zero_offset_{};  // of stamp 0 in the recording's group, when it counts
  Duration earliest_{};
  bool zero_counts_ = false;
};

}  // namespace septet::recorded
