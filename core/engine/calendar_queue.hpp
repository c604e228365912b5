// The pending-event set of the engine: a calendar whose buckets are sorted only when their turn
// comes, with a heap for the present and an unsorted list for the far future.
//
// Time is cut into buckets of 2^shift ps. `sorted_` holds the events of the current bucket, sorted;
// `heap_` those pushed into that bucket since (or before it); the ring holds the next buckets,
// unsorted; `overflow_` everything later. Bucket width and ring size follow from the events
// themselves whenever work that did not advance time has piled up, so that push and pop take
// constant time on average whatever the distribution of times. While few events are pending `heap_`
// holds all of them and the queue is a plain heap.
//
// After R. Brown, "Calendar queues", CACM 31(10), 1988, and W. T. Tang, R. S. M. Goh, I. L.-J.
// Thng, "Ladder queue", ACM TOMACS 15(3), 2005 (sorting late, rebuilding from the events
// themselves).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/engine/bucket_bitmap.hpp"
#include "core/engine/event.hpp"
#include "core/engine/event_pool.hpp"
#include "core/engine/heap_queue.hpp"

namespace septet::engine {

class CalendarQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Times must not be negative.
  void push(const Event& event) {
    ++size_;
    ++work_;
    const std::int64_t bucket = event.at.count() >> shift_;
    if (bucket <= current_bucket_) {
      push_into_heap(event);
    } else {
      add_later(bucket, event);
    }
  }

  // Moves the first event into `event` if it is before `bound`; false where there is none.
  bool pop_before(Instant bound, Event& event) {
    if (!prepare_first()) return false;
    if (heap_.empty() || (!sorted_.empty() && sorted_.back() < heap_.front())) {
      if (sorted_.back().at >= bound) return false;
      event = sorted_.back();
      sorted_.pop_back();
    } else {
      if (heap_.front().at >= bound) return false;
      event = heap_.pop();
    }
    --size_;
    return true;
  }

  // The time of the first event; Instant::max() where there is none.
  Instant next();

  // The number of the current bucket.
  std::int64_t bucket() const { return current_bucket_; }

  // Visits what is pending in the bucket that comes `buckets` after the current one, so that what
  // its events need can be prefetched; nothing where that is not known.
  template <class Function>
  void for_each_following(std::size_t buckets, Function&& function) const {
    if (current_bucket_ != kNever) pool_.for_each(ring_[ring_index(buckets)], function);
  }

  template <class Function>
  void for_each(Function&& function) const {
    heap_.for_each(function);
    for (const Event& event : sorted_) function(event);
    for (const EventPool::Bag& bag : ring_) pool_.for_each(bag, function);
    for (const Event& event : overflow_) function(event);
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  // Whether there is an event; brings the first one into `sorted_` or `heap_`.
  bool prepare_first() { return !sorted_.empty() || !heap_.empty() || advance(); }

  // Adds an event whose bucket is after the current one.
  void add_later(std::int64_t bucket, const Event& event) {
    if (fits_ring(bucket)) {
      add_to_ring(bucket, event);
    } else {
      add_to_overflow(bucket, event);
    }
  }

  // Unsigned, because the difference can be 2^63.
  bool fits_ring(std::int64_t bucket) const {
    return static_cast<std::uint64_t>(bucket) - static_cast<std::uint64_t>(current_bucket_) <
           static_cast<std::uint64_t>(ring_buckets_);
  }

  // Where in the ring the bucket is that comes `buckets` after the current one.
  std::size_t ring_index(std::size_t buckets) const {
    return (static_cast<std::size_t>(current_bucket_) + buckets) &
           (static_cast<std::size_t>(ring_buckets_) - 1);
  }

  void add_to_ring(std::int64_t bucket, const Event& event) {
    const auto index = static_cast<std::size_t>(bucket & (ring_buckets_ - 1));
    pool_.add(ring_[index], event);
    occupied_.insert(index);
  }

  void add_to_overflow(std::int64_t bucket, const Event& event) {
    if (bucket < first_overflow_bucket_) first_overflow_bucket_ = bucket;
    overflow_.push_back(event);
  }

  void push_into_heap(const Event& event);
  bool advance();
  std::int64_t next_ring_bucket() const;
  void open_bucket(std::int64_t bucket);
  void prefetch_following() const;
  void refill_ring();
  bool rebuild_is_due() const;
  void rebuild();
  void become_heap(const std::vector<Event>& events);
  void choose_buckets(const std::vector<Event>& events);
  std::vector<Event> take_all();

  std::size_t size_ = 0;
  std::size_t work_ = 0;  // pushes and events looked at in vain since the last rebuild
  std::size_t rebuild_interval_ = 1;
  int shift_ = 0;
  std::int64_t current_bucket_ = kNever;  // kNever: everything is in `heap_`
  std::int64_t ring_buckets_ = 0;         // a power of two
  std::int64_t first_overflow_bucket_ = kNever;

  std::vector<Event> sorted_;  // last to first
  HeapQueue heap_;
  std::vector<EventPool::Bag> ring_;
  BucketBitmap occupied_;
  EventPool pool_;
  std::vector<Event> overflow_;
};

}  // namespace septet::engine
