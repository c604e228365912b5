// Groups of LPs with a queue of pending events: handles events in order, on one thread at a time. A
// sequential run has one partition.
//
// It needs no lock and shares nothing: events for other partitions go into Mailboxes, those from
// others into an inbox, rows into a buffer that the owner of the partitions takes between windows.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>

#include "core/engine/cache_line.hpp"
#include "core/engine/calendar_queue.hpp"
#include "core/engine/lookahead_table.hpp"
#include "core/engine/mailboxes.hpp"
#include "core/engine/model.hpp"
#include "core/engine/order.hpp"
#include "core/engine/simulation.hpp"
#include "core/trace/row.hpp"

namespace septet::engine {

// An exception of a handler, and the place of the event that it handled.
struct Failure {
  HandlingPosition place;
  std::exception_ptr error;
};

class alignas(kDestructiveInterference) Partition {
 public:
  // Rows after which handling pauses when the instant is over, so that they can be taken.
  static constexpr std::size_t kRowsPerPause = 8192;

  // `mailboxes` is nullptr for the only partition of a run; `members` are its LPs by id.
  Partition(Model& model, const RunOptions& options, PartitionId id, std::vector<LpId> members,
            Mailboxes* mailboxes);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  // An event from another partition; taken into the queue by `begin`, when that is at hand.
  void deliver(const Event& event) {
    inbox_.push_back(event);
    own_.include({event.at, add_or_never(event.at, lookahead_)});
  }

  // Whether there is nothing to do in a window that ends at `bound`.
  bool is_idle_before(Instant bound) const { return own_.next_event >= bound; }

  // Starts a window on `thread`: takes in what was delivered.
  void begin(std::size_t thread);

  void start();  // the LPs, in the order of their ids, up to the first that throws

  // Handles events until none is before `bound`, a handler throws or, where this is the only
  // partition, enough rows have come together.
  void handle_before(Instant bound);

  // Puts what is pending here into `other` instead.
  void move_events_to(Partition& other);

  // The time of the first pending event.
  Instant next() { return queue_.next(); }

  // After a window: of this partition, and of the others as far as what it sent them matters.
  TimestampBounds bounds();
  // After one in which it was idle.
  const TimestampBounds& idle_bounds() const { return own_; }
  // The smallest lookahead to another partition.
  Duration lookahead() const { return lookahead_; }

  const std::optional<Failure>& failure() const { return failure_; }
  std::uint64_t events() const { return events_; }
  Instant last() const { return last_.at; }
  trace::RowBuffer& rows() { return rows_; }

 private:
  friend class Context;

  void start(LpId lp);
  void handle(const Event& event);
  Instant earliest_output();
  void post(PartitionId to, const Event& event);
  void prefetch_ahead();
  Event make_event(Instant at, LpId to, const Message& message);
  Instant later(Duration delay) const;
  void schedule(Duration delay, const Message& message);
  void send(LpId to, Duration delay, const Message& message);
  void enqueue(const Event& event);
  void check_output_bound(LpId to) const;
  void emit(trace::TableId table, std::span<const std::byte> row);
  [[noreturn]] void refuse_send(LpId to, Duration delay, Duration lookahead) const;

  Model& model_;
  Mailboxes* const mailboxes_;
  trace::RowSink* const sink_;
  const std::uint64_t seed_;
  const PartitionId id_;
  const std::vector<LpId> members_;
  const Duration lookahead_;

  CalendarQueue queue_;
  std::vector<Event> inbox_;
  TimestampBounds own_;     // since it was last handled
  TimestampBounds posted_;  // what the events that were sent in this window mean for others
  std::size_t thread_ = 0;  // that handles this window
  std::int64_t prefetched_for_bucket_ = -1;
  Instant bound_;
  Context context_;
  LpRecord* current_ = nullptr;
  HandlingPosition last_;
  std::uint64_t events_ = 0;
  trace::RowBuffer rows_;
  std::unique_ptr<LookaheadTable> lookahead_table_;  // nullptr: no dynamic lookahead here
  std::optional<Failure> failure_;
};

}  // namespace septet::engine
