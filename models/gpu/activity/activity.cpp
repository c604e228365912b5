#include "models/gpu/activity/activity.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

constexpr ActivityTimes::Set kComputes = ActivityTimes::only(ActivityKind::kCompute);
constexpr ActivityTimes::Set kMoves = ActivityTimes::only(ActivityKind::kMoving);
constexpr ActivityTimes::Set kWaitsInGroup = ActivityTimes::only(ActivityKind::kWaiting);
constexpr ActivityTimes::Set kWaitsForPeer = ActivityTimes::only(ActivityKind::kWaitingForPeer);
constexpr ActivityTimes::Set kCopies = ActivityTimes::only(ActivityKind::kCopy);

bool waits(ActivityTimes::Set what) {
  return (what & (kComputes | kMoves)) == 0 && (what & (kWaitsInGroup | kWaitsForPeer)) != 0;
}

}  // namespace

template <class Wanted>
Duration ActivityTimes::sum(Wanted wanted) const {
  Duration out{};
  for (std::size_t what = 0; what < of_.size(); ++what) {
    if (wanted(static_cast<Set>(what))) out += of_[what];
  }
  return out;
}

Duration ActivityTimes::compute() const {
  return sum([](Set what) { return (what & kComputes) != 0; });
}
Duration ActivityTimes::exposed() const {
  return sum([](Set what) { return (what & (kComputes | kMoves)) == kMoves; });
}
Duration ActivityTimes::hidden() const {
  return sum([](Set what) { return (what & kComputes) != 0 && (what & kMoves) != 0; });
}
Duration ActivityTimes::waiting() const { return sum(waits); }
Duration ActivityTimes::for_peers() const {
  return sum([](Set what) { return waits(what) && (what & kWaitsInGroup) == 0; });
}
Duration ActivityTimes::copies() const { return of_[kCopies]; }

ActivityTimeline::Segment::Segment(Instant end, ActivityTimes::Set what) {
  const auto count = static_cast<std::uint64_t>(end.count());
  if (count >> (64 - kEnumSize<ActivityKind>) != 0) {
    throw ModelError("a run with collectives can last at most 6 days of simulated time");
  }
  word_ = (count << kEnumSize<ActivityKind>) | what;
}

Instant ActivityTimeline::last() const {
  return segments_.empty() ? settled_ : segments_.back().end();
}

void ActivityTimeline::append(Instant end, ActivityTimes::Set what) {
  if (end <= last()) return;
  if (!segments_.empty() && segments_.back().what() == what) {
    segments_.back() = {end, what};
  } else {
    segments_.emplace_back(end, what);
  }
}

// Makes a segment begin at `at`, which lies within the line; returns its place.
std::size_t ActivityTimeline::split(Instant at) {
  const auto found = std::partition_point(segments_.begin(), segments_.end(),
                                          [&](const Segment& s) { return s.end() <= at; });
  const auto place = static_cast<std::size_t>(found - segments_.begin());
  const Instant begin = place == 0 ? settled_ : segments_[place - 1].end();
  if (found == segments_.end() || begin == at) return place;
  segments_.insert(found, {at, found->what()});
  return place + 1;
}

void ActivityTimeline::add(ActivityKind kind, Instant begin, Instant end) {
  if (end <= begin) return;
  SEPTET_ASSERT(begin >= settled_);
  const ActivityTimes::Set bit = ActivityTimes::only(kind);
  if (begin >= last()) {
    append(begin, 0);
    append(end, bit);
    return;
  }
  append(end, 0);
  const std::size_t first = split(begin);
  const std::size_t behind = split(end);
  for (std::size_t s = first; s < behind; ++s) segments_[s].add(bit);
}

void ActivityTimeline::settle(Instant before) {
  if (before <= settled_) return;
  append(before, 0);
  const std::size_t gone = split(before);
  for (std::size_t s = 0; s < gone; ++s) {
    settled_times_.add(segments_[s].what(), segments_[s].end() - settled_);
    settled_ = segments_[s].end();
  }
  segments_.erase(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(gone));
}

ActivityTimes ActivityTimeline::times() const {
  ActivityTimes out = settled_times_;
  Instant begin = settled_;
  for (const Segment& segment : segments_) {
    out.add(segment.what(), segment.end() - begin);
    begin = segment.end();
  }
  return out;
}

void ActivityMeter::ended(Instant begin, Instant now) {
  const auto found = std::find(running_.begin(), running_.end(), begin);
  SEPTET_ASSERT(found != running_.end());
  *found = running_.back();
  running_.pop_back();
  if (timeline_.length() < settle_at_) return;
  Instant earliest = now;
  for (const Instant other : running_) earliest = std::min(earliest, other);
  timeline_.settle(earliest);
  settle_at_ = std::max(least_, timeline_.length() * 2);
}

}  // namespace septet::gpu
