// What a GPU spends its time on in programs with collectives: which kinds of work ran at each
// instant.
//
// Work is added when it has ended: only then is it known how long a collective waited for its last
// rank. So the time line is kept back to the start of the earliest work still running; everything
// before that is final and kept as totals only.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"

namespace septet::gpu {

enum class ActivityKind : std::uint8_t {
  kCompute,         // a kernel other than those of collectives
  kMoving,          // a collective that all ranks have joined
  kWaiting,         // a collective of a group that waits for a rank
  kWaitingForPeer,  // a send or receive that waits for the other side
  kCopy
};
constexpr auto enum_table(std::type_identity<ActivityKind>) {
  return enum_texts<ActivityKind>("compute", "moving data", "waiting", "waiting for a peer",
                                  "copy");
}

// Time by what ran at once.
class ActivityTimes {
 public:
  using Set = std::uint8_t;  // bit 0: the first kind, and so on
  static constexpr Set only(ActivityKind kind) {
    return static_cast<Set>(1U << static_cast<unsigned>(kind));
  }

  void add(Set what, Duration time) { of_[what] += time; }

  Duration compute() const;    // some kernel computes, whatever else runs
  Duration exposed() const;    // a collective moves data and no kernel computes
  Duration hidden() const;     // a collective moves data while a kernel computes
  Duration waiting() const;    // collectives wait; none moves data and no kernel computes
  Duration for_peers() const;  // of that: only sends and receives wait
  Duration copies() const;     // copies run and nothing else does

 private:
  template <class Wanted>
  Duration sum(Wanted wanted) const;

  std::array<Duration, std::size_t{1} << kEnumSize<ActivityKind>> of_{};
};

class ActivityTimeline {
 public:
  // Work that ran in [begin, end). Must not begin before what is already final.
  void add(ActivityKind kind, Instant begin, Instant end);

  // From now on, nothing that begins before `before` will be added.
  void settle(Instant before);

  ActivityTimes times() const;
  std::size_t length() const { return segments_.size(); }

 private:
  // From the end of the previous one, packed in one word, since there are many. Six days fit.
  class Segment {
   public:
    Segment(Instant end, ActivityTimes::Set what);
    Instant end() const {
      return Instant(static_cast<std::int64_t>(word_ >> kEnumSize<ActivityKind>));
    }
    ActivityTimes::Set what() const {
      return static_cast<ActivityTimes::Set>(word_ & ((1U << kEnumSize<ActivityKind>)-1));
    }
    void add(ActivityTimes::Set what) { word_ |= what; }

   private:
    std::uint64_t word_ = 0;
  };

  Instant last() const;
  void append(Instant end, ActivityTimes::Set what);
  std::size_t split(Instant at);

  std::vector<Segment> segments_;
  Instant settled_;
  ActivityTimes settled_times_;
};

// The time line of a running GPU, which finalises what it can.
class ActivityMeter {
 public:
  // Finalises when the time line has this many segments: rarely, since it scans all of them.
  static constexpr std::size_t kSettleAt = 64;
  explicit ActivityMeter(std::size_t settle_at = kSettleAt)
      : least_(settle_at), settle_at_(settle_at) {}

  // Some work begins, at `begin` or later.
  void begins(Instant begin) { running_.push_back(begin); }
  void add(ActivityKind kind, Instant begin, Instant end) { timeline_.add(kind, begin, end); }
  // The work for which `begins(begin)` was called has ended, and has been added.
  void ended(Instant begin, Instant now);

  ActivityTimes times() const { return timeline_.times(); }
  std::size_t length() const { return timeline_.length(); }

 private:
  ActivityTimeline timeline_;
  std::vector<Instant> running_;
  std::size_t least_;
  std::size_t settle_at_;
};

}  // namespace septet::gpu
