#include "core/engine/calendar_queue.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace septet {
namespace {

// Found by measuring holds of 10 to 10^7 events (septet bench hold).
constexpr std::size_t kHeapEvents = 96;     // up to here a heap alone is faster
constexpr std::size_t kNearEvents = 384;    // above, slots are too wide
constexpr std::size_t kSlotEvents = 16;     // wanted in the slot in progress
constexpr std::size_t kCrowdedEvents = 48;  // above, slots are too wide
constexpr std::size_t kRingEvents = 4;      // ring slots for each kSlotEvents pending events
constexpr std::size_t kSamples = 512;
constexpr std::size_t kMinSlots = 64;
constexpr std::size_t kMaxPatience = 64;
constexpr std::size_t kSlotsAhead = 4;  // so far ahead events are fetched

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

// Picoseconds that kSlotEvents of the first quarter of the events cover. Where that quarter lies at
// one instant, the first half or all of them are asked instead.
double wanted_width(const std::vector<std::int64_t>& sample, std::size_t events) {
  for (const std::size_t part : {4U, 2U, 1U}) {
    const std::int64_t span = sample[(sample.size() - 1) / part] - sample.front();
    const double covered = static_cast<double>(events) / static_cast<double>(part);
    const double width = static_cast<double>(span) / covered * static_cast<double>(kSlotEvents);
    if (width >= 1) return width;
  }
  return 1;
}

}  // namespace

Instant CalendarQueue::next() {
  if (!present()) return Instant::max();
  if (run_.empty()) return near_.front().at;
  return near_.empty() ? run_.back().at : std::min(run_.back().at, near_.front().at);
}

void CalendarQueue::push_near(const Event& event) {
  near_.push(event);
  if (near_.size() > kNearEvents && rebuild_is_due()) rebuild();
}

bool CalendarQueue::advance() {
  while (size_ > 0) {
    if (size_ < kHeapEvents / 4) {
      become_heap(take_all());
      return true;
    }
    const std::int64_t slot = next_ring_slot();
    if (far_first_slot_ <= slot && !far_.empty()) {
      pull_far();
      if (!near_.empty()) return true;
    } else {
      open_slot(slot);
      return true;
    }
  }
  return false;
}

std::int64_t CalendarQueue::next_ring_slot() const {
  const std::int64_t first = current_slot_ + 1;
  const auto distance =
      occupied_.distance_from(static_cast<std::size_t>(first & (ring_slots_ - 1)));
  return distance < 0 ? kNever : first + distance;
}

void CalendarQueue::open_slot(std::int64_t slot) {
  const auto place = static_cast<std::size_t>(slot & (ring_slots_ - 1));
  pool_.take(ring_[place], run_);
  occupied_.erase(place);
  current_slot_ = slot;
  fetch_following();
  if (run_.size() > kCrowdedEvents && rebuild_is_due()) {
    rebuild();
    present();
    return;
  }
  std::sort(run_.begin(), run_.end(), [](const Event& x, const Event& y) { return y < x; });
}

// The pool keeps the events of the next slots anywhere in memory.
void CalendarQueue::fetch_following() const {
  pool_.fetch_second(ring_[place_of(kSlotsAhead - 1)]);
  pool_.fetch_first(ring_[place_of(kSlotsAhead)]);
}

// The time of the first far event has come: moves what fits into the ring. Nothing is pending at or
// before that event's slot but far events, so the ring may start there.
void CalendarQueue::pull_far() {
  work_ += far_.size();
  if (far_.size() > size_ / 2 && rebuild_is_due()) return rebuild();
  current_slot_ = far_first_slot_ - 1;
  far_first_slot_ = kNever;
  std::size_t kept = 0;
  for (const Event& event : far_) {
    const std::int64_t slot = event.at.count() >> shift_;
    if (fits_ring(slot)) {
      add_to_ring(slot, event);
    } else {
      far_first_slot_ = std::min(far_first_slot_, slot);
      far_[kept++] = event;
    }
  }
  far_.resize(kept);
}

// A rebuild looks at every event once; it is due when as much work was done since the last one, or
// several times as much where the last ones changed nothing (bursts at one instant).
bool CalendarQueue::rebuild_is_due() const { return work_ >= size_ * patience_; }

void CalendarQueue::rebuild() {
  std::vector<Event> events = take_all();
  work_ = 0;
  if (events.size() <= kHeapEvents) return become_heap(std::move(events));
  const int shift_before = shift_;
  const std::int64_t slots_before = ring_slots_;
  choose_slots(events);
  const bool in_vain = shift_ == shift_before && ring_slots_ == slots_before;
  patience_ = in_vain ? std::min(2 * patience_, kMaxPatience) : 1;
  for (const Event& event : events) add_later(event.at.count() >> shift_, event);
}

void CalendarQueue::become_heap(std::vector<Event> events) {
  current_slot_ = kNever;
  for (const Event& event : events) near_.push(event);
}

void CalendarQueue::choose_slots(const std::vector<Event>& events) {
  const double width = wanted_width(sample_times(events), events.size());
  shift_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(width * 1.4142))) - 1;
  const std::size_t slots =
      std::max(kMinSlots, std::bit_ceil(events.size() * kRingEvents / kSlotEvents));
  ring_slots_ = static_cast<std::int64_t>(slots);
  ring_.assign(slots, {});
  ring_.shrink_to_fit();
  occupied_.reset(slots);
  const Event& first = *std::min_element(events.begin(), events.end());
  current_slot_ = (first.at.count() >> shift_) - 1;
}

// All events, in no order; the queue keeps none.
std::vector<Event> CalendarQueue::take_all() {
  std::vector<Event> events = near_.release();
  events.reserve(size_);
  events.insert(events.end(), run_.begin(), run_.end());
  run_.clear();
  for (EventPool::Bag& bag : ring_) pool_.take(bag, events);
  occupied_.reset(ring_.size());
  events.insert(events.end(), far_.begin(), far_.end());
  far_.clear();
  far_first_slot_ = kNever;
  return events;
}

}  // namespace septet
