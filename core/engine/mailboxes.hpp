// Events in transit from one partition to another. Events posted in one window are delivered at the
// start of the next one, so that posting and delivering never touch the same box and need no lock.
//
// There is a box for each thread that posts and each *home*, the thread that usually handles a
// partition. Boxes by partition would be many and nearly empty: where 16 threads with 8 partitions
// each exchange 1,000 events in a window, a box holds 4 events; by partition it would be one in 16.
//
// Boxes are emptied by the posting thread, so that the delivering thread never writes to them:
// memory last written by one core takes another about 100 ns to write, but little to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"
#include "core/engine/cache_line.hpp"
#include "core/engine/event.hpp"
#include "core/engine/lp_table.hpp"
#include "core/engine/prefetch.hpp"

namespace septet::engine {

class Mailboxes {
 public:
  Mailboxes(std::size_t threads, std::size_t partitions);

  // Where events for a partition go. Between windows, with everything delivered.
  void set_home(PartitionId partition, std::size_t home) { addresses_[partition].home = home; }

  // The smallest lookahead from the partition to others: how long after an event arrives there
  // another partition may get the answer at the earliest.
  void set_lookahead(PartitionId partition, Duration lookahead) {
    addresses_[partition].lookahead = lookahead;
  }
  Duration lookahead(PartitionId partition) const { return addresses_[partition].lookahead; }

  // By thread `from`.
  void post(std::size_t from, PartitionId to, const Event& event) {
    Box& out = box(from, addresses_[to].home, window_);
    if (out.window != window_) {
      out.events.clear();
      out.window = window_;
    }
    out.events.push_back(event);
    const std::size_t ahead = out.events.size() + kEventsAhead;
    if (ahead < out.events.capacity()) prefetch_for_writing(out.events.data() + ahead);
  }

  // By one thread for each home: hands over, once, what was posted to its partitions in the last
  // window, in no particular order.
  template <class Function>
  void deliver(std::size_t home, Function&& function) {
    if (delivered_[home].window == window_) return;
    delivered_[home].window = window_;
    for (std::size_t from = 0; from < threads_; ++from) {
      const Box& in = box(from, home, window_ - 1);
      if (in.window != window_ - 1) continue;
      for (const Event& event : in.events) function(event);
    }
  }

  // By thread `from` itself, since nobody else may look at its boxes: fetches, once a window, what
  // it writes first when it posts.
  void prefetch_boxes(std::size_t from);

  // Between windows: what was posted becomes what is delivered. Everything must be delivered.
  void advance() { ++window_; }

 private:
  static constexpr std::size_t kEventsAhead = 7;  // some 300 ns of posting

  struct Address {
    std::size_t home = 0;
    Duration lookahead;
  };
  struct alignas(kDestructiveInterference) Box {
    std::vector<Event> events;
    std::uint64_t window = 0;  // in which they were posted
  };
  struct alignas(kDestructiveInterference) LastWindow {
    std::uint64_t window = 0;
  };

  Box& box(std::size_t from, std::size_t home, std::uint64_t window) {
    return boxes_[window % 2][from * threads_ + home];
  }

  const std::size_t threads_;
  std::uint64_t window_ = 1;
  std::vector<Address> addresses_;
  std::vector<LastWindow> delivered_;   // by home
  std::vector<LastWindow> prefetched_;  // by thread
  std::vector<Box> boxes_[2];           // for odd and even windows; [thread * threads + home]
};

}  // namespace septet::engine
