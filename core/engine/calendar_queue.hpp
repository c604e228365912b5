// The pending-event set of the engine: a calendar whose buckets are sorted only when their turn
// comes, with a heap for the present and an unsorted list for the far future.
//
// Time is cut into slots of 2^shift ps. `run_` holds the events of the slot in progress, sorted;
// `near_` those pushed into that slot since (or before it); the ring holds the next slots,
// unsorted; `far_` everything later. Slot width and ring size follow from the events themselves
// whenever work that did not advance time has piled up, so that push and pop take constant time on
// average whatever the distribution of times. While few events are pending `near_` holds all of
// them and the queue is a plain heap.
//
// After R. Brown, "Calendar queues", CACM 31(10), 1988, and W. T. Tang, R. S. M. Goh, I. L.-J.
// Thng, "Ladder queue", ACM TOMACS 15(3), 2005 (sorting late, rebuilding from the events
// themselves).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/engine/event.hpp"
#include "core/engine/event_pool.hpp"
#include "core/engine/heap_queue.hpp"
#include "core/engine/slot_set.hpp"

namespace septet {

class CalendarQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Times must not be negative.
  void push(const Event& event) {
    ++size_;
    ++work_;
    const std::int64_t slot = event.at.count() >> shift_;
    if (slot <= current_slot_) {
      push_near(event);
    } else {
      add_later(slot, event);
    }
  }

  // Moves the first event into `event` if it is before `bound`; false where there is none.
  bool pop_before(Instant bound, Event& event) {
    if (!present()) return false;
    if (near_.empty() || (!run_.empty() && run_.back() < near_.front())) {
      if (run_.back().at >= bound) return false;
      event = run_.back();
      run_.pop_back();
    } else {
      if (near_.front().at >= bound) return false;
      event = near_.pop();
    }
    --size_;
    return true;
  }

  // The time of the first event; Instant::max() where there is none.
  Instant next();

  // Changes when the slot in progress does.
  std::int64_t slot() const { return current_slot_; }

  // Visits what is pending in the slot that comes `slots` after the one in progress, so that what
  // its events need can be fetched in time; nothing where that is not known.
  template <class Function>
  void for_each_following(std::size_t slots, Function&& function) const {
    if (current_slot_ != kNever) pool_.for_each(ring_[place_of(slots)], function);
  }

  template <class Function>
  void for_each(Function&& function) const {
    near_.for_each(function);
    for (const Event& event : run_) function(event);
    for (const EventPool::Bag& bag : ring_) pool_.for_each(bag, function);
    for (const Event& event : far_) function(event);
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  // Whether there is an event, with the first one in `run_` or `near_`.
  bool present() { return !run_.empty() || !near_.empty() || advance(); }

  // Adds an event whose slot is after the current one.
  void add_later(std::int64_t slot, const Event& event) {
    if (fits_ring(slot)) {
      add_to_ring(slot, event);
    } else {
      add_to_far(slot, event);
    }
  }

  // Unsigned, because the difference can be 2^63.
  bool fits_ring(std::int64_t slot) const {
    return static_cast<std::uint64_t>(slot) - static_cast<std::uint64_t>(current_slot_) <
           static_cast<std::uint64_t>(ring_slots_);
  }

  // Where in the ring the slot is that comes `slots` after the one in progress.
  std::size_t place_of(std::size_t slots) const {
    return (static_cast<std::size_t>(current_slot_) + slots) &
           (static_cast<std::size_t>(ring_slots_) - 1);
  }

  void add_to_ring(std::int64_t slot, const Event& event) {
    const auto place = static_cast<std::size_t>(slot & (ring_slots_ - 1));
    pool_.add(ring_[place], event);
    occupied_.insert(place);
  }

  void add_to_far(std::int64_t slot, const Event& event) {
    if (slot < far_first_slot_) far_first_slot_ = slot;
    far_.push_back(event);
  }

  void push_near(const Event& event);
  bool advance();
  std::int64_t next_ring_slot() const;
  void open_slot(std::int64_t slot);
  void fetch_following() const;
  void pull_far();
  bool rebuild_is_due() const;
  void rebuild();
  void become_heap(std::vector<Event> events);
  void choose_slots(const std::vector<Event>& events);
  std::vector<Event> take_all();

  std::size_t size_ = 0;
  std::size_t work_ = 0;  // pushes and events looked at in vain since the last rebuild
  std::size_t patience_ = 1;
  int shift_ = 0;
  std::int64_t current_slot_ = kNever;  // kNever: everything is in `near_`
  std::int64_t ring_slots_ = 0;         // a power of two
  std::int64_t far_first_slot_ = kNever;

  std::vector<Event> run_;  // last to first
  HeapQueue near_;
  std::vector<EventPool::Bag> ring_;
  SlotSet occupied_;
  EventPool pool_;
  std::vector<Event> far_;
};

}  // namespace septet
