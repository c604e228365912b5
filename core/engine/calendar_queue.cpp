#include "core/engine/calendar_queue.hpp"

#include <algorithm>
#include <bit>

namespace septet::engine {
namespace {

// Found by measuring holds of 10 to 10^7 events (septet bench hold).
constexpr std::size_t kHeapEvents = 96;      // up to here a heap alone is faster
constexpr std::size_t kMaxHeapEvents = 384;  // above, buckets are too wide
constexpr std::size_t kBucketEvents = 16;    // wanted in the current bucket
constexpr std::size_t kCrowdedEvents = 48;   // above, buckets are too wide
constexpr std::size_t kRingEvents = 4;       // ring buckets for each kBucketEvents pending events
constexpr std::size_t kSamples = 512;
constexpr std::size_t kMinBuckets = 64;
constexpr std::size_t kMaxRebuildInterval = 64;
constexpr std::size_t kBucketsAhead = 4;  // so far ahead events are prefetched

// Times of at most kSamples events, evenly spread over `events`, sorted.
std::vector<std::int64_t> sample_times(const std::vector<Event>& events) {
  const std::size_t stride = (events.size() + kSamples - 1) / kSamples;
  std::vector<std::int64_t> times;
  for (std::size_t index = 0; index < events.size(); index += stride) {
    times.push_back(events[index].at.count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

// Picoseconds that kBucketEvents of the first quarter of the events cover. Where that quarter lies
// at one instant, the first half or all of them are asked instead.
double bucket_width(const std::vector<std::int64_t>& sample, std::size_t events) {
  for (const std::size_t part : {4U, 2U, 1U}) {
    const std::int64_t span = sample[(sample.size() - 1) / part] - sample.front();
    const double covered = static_cast<double>(events) / static_cast<double>(part);
    const double width = static_cast<double>(span) / covered * static_cast<double>(kBucketEvents);
    if (width >= 1) return width;
  }
  return 1;
}

}  // namespace

Instant CalendarQueue::next() {
  if (!prepare_first()) return Instant::max();
  if (sorted_.empty()) return heap_.front().at;
  return heap_.empty() ? sorted_.back().at : std::min(sorted_.back().at, heap_.front().at);
}

void CalendarQueue::push_into_heap(const Event& event) {
  heap_.push(event);
  if (heap_.size() > kMaxHeapEvents && rebuild_is_due()) rebuild();
}

bool CalendarQueue::advance() {
  while (size_ > 0) {
    if (size_ < kHeapEvents / 4) {
      become_heap(take_all());
      return true;
    }
    const std::int64_t bucket = next_ring_bucket();
    if (first_overflow_bucket_ <= bucket && !overflow_.empty()) {
      refill_ring();
      if (!heap_.empty()) return true;
    } else {
      open_bucket(bucket);
      return true;
    }
  }
  return false;
}

std::int64_t CalendarQueue::next_ring_bucket() const {
  const std::int64_t first = current_bucket_ + 1;
  const auto distance =
      occupied_.distance_from(static_cast<std::size_t>(first & (ring_buckets_ - 1)));
  return distance < 0 ? kNever : first + distance;
}

void CalendarQueue::open_bucket(std::int64_t bucket) {
  const auto index = static_cast<std::size_t>(bucket & (ring_buckets_ - 1));
  pool_.take(ring_[index], sorted_);
  occupied_.erase(index);
  current_bucket_ = bucket;
  prefetch_following();
  if (sorted_.size() > kCrowdedEvents && rebuild_is_due()) {
    rebuild();
    prepare_first();
    return;
  }
  std::sort(sorted_.begin(), sorted_.end(), [](const Event& x, const Event& y) { return y < x; });
}

// The pool keeps the events of the next buckets anywhere in memory.
void CalendarQueue::prefetch_following() const {
  pool_.prefetch_second(ring_[ring_index(kBucketsAhead - 1)]);
  pool_.prefetch_first(ring_[ring_index(kBucketsAhead)]);
}

// The time of the first far event has come: moves what fits into the ring. Nothing is pending at or
// before that event's bucket but far events, so the ring may start there.
void CalendarQueue::refill_ring() {
  work_ += overflow_.size();
  if (overflow_.size() > size_ / 2 && rebuild_is_due()) return rebuild();
  current_bucket_ = first_overflow_bucket_ - 1;
  first_overflow_bucket_ = kNever;
  std::size_t kept = 0;
  for (const Event& event : overflow_) {
    const std::int64_t bucket = event.at.count() >> shift_;
    if (fits_ring(bucket)) {
      add_to_ring(bucket, event);
    } else {
      first_overflow_bucket_ = std::min(first_overflow_bucket_, bucket);
      overflow_[kept++] = event;
    }
  }
  overflow_.resize(kept);
}

// A rebuild looks at every event once; it is due when as much work was done since the last one, or
// several times as much where the last ones changed nothing (bursts at one instant).
bool CalendarQueue::rebuild_is_due() const { return work_ >= size_ * rebuild_interval_; }

void CalendarQueue::rebuild() {
  std::vector<Event> events = take_all();
  work_ = 0;
  if (events.size() <= kHeapEvents) return become_heap(events);
  const int shift_before = shift_;
  const std::int64_t buckets_before = ring_buckets_;
  choose_buckets(events);
  const bool unchanged = shift_ == shift_before && ring_buckets_ == buckets_before;
  rebuild_interval_ = unchanged ? std::min(2 * rebuild_interval_, kMaxRebuildInterval) : 1;
  for (const Event& event : events) add_later(event.at.count() >> shift_, event);
}

void CalendarQueue::become_heap(const std::vector<Event>& events) {
  current_bucket_ = kNever;
  for (const Event& event : events) heap_.push(event);
}

void CalendarQueue::choose_buckets(const std::vector<Event>& events) {
  const double width = bucket_width(sample_times(events), events.size());
  shift_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(width * 1.4142))) - 1;
  const std::size_t buckets =
      std::max(kMinBuckets, std::bit_ceil(events.size() * kRingEvents / kBucketEvents));
  ring_buckets_ = static_cast<std::int64_t>(buckets);
  ring_.assign(buckets, {});
  ring_.shrink_to_fit();
  occupied_.reset(buckets);
  const Event& first = *std::min_element(events.begin(), events.end());
  current_bucket_ = (first.at.count() >> shift_) - 1;
}

// All events, in no order; the queue keeps none.
std::vector<Event> CalendarQueue::take_all() {
  std::vector<Event> events = heap_.release();
  events.reserve(size_);
  events.insert(events.end(), sorted_.begin(), sorted_.end());
  sorted_.clear();
  for (EventPool::Bag& bag : ring_) pool_.take(bag, events);
  occupied_.reset(ring_.size());
  events.insert(events.end(), overflow_.begin(), overflow_.end());
  overflow_.clear();
  first_overflow_bucket_ = kNever;
  return events;
}

}  // namespace septet::engine
