// Some groups of processes with the queue of their pending events: handles events in order, on one
// thread at a time. A sequential run has one partition.
//
// It keeps no lock and shares nothing: events for other partitions go into Mail, rows into a buffer
// that the owner of the partitions takes between windows.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>

#include "core/engine/calendar_queue.hpp"
#include "core/engine/mail.hpp"
#include "core/engine/model.hpp"
#include "core/engine/order.hpp"
#include "core/engine/promise_book.hpp"
#include "core/engine/simulation.hpp"
#include "core/trace/row.hpp"

namespace septet {

// An exception of a handler, and the place of the event that it handled.
struct Failure {
  HandlingPlace place;
  std::exception_ptr error;
};

class alignas(64) Partition {
 public:
  // Rows after which handling pauses when the instant is over, so that they can be taken.
  static constexpr std::size_t kRowsPerPause = 8192;

  // `mail` is nullptr for the only partition of a run; `members` are its processes by id.
  Partition(Model& model, const RunOptions& options, PartitionId id, std::vector<ProcessId> members,
            Mail* mail);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  void start(ProcessId process);  // exceptions pass
  void receive();                 // takes in the mail of the last window

  // Handles events until none is before `bound`, a handler throws or, where this is the only
  // partition, enough rows have come together.
  void handle_before(Instant bound);

  // The time of the first pending event.
  Instant next() { return queue_.next(); }

  // The earliest arrival elsewhere of anything sent in future, going by what is pending here.
  Instant earliest_output();
  // The smallest lookahead to another partition.
  Duration lookahead() const { return lookahead_; }

  const std::optional<Failure>& failure() const { return failure_; }
  std::uint64_t events() const { return events_; }
  Instant last() const { return last_.at; }
  RowBuffer& rows() { return rows_; }

 private:
  friend class Context;

  void handle(const Event& event);
  void fetch_ahead();
  Event make_event(Instant at, ProcessId to, const Message& message);
  Instant later(Duration delay) const;
  void schedule(Duration delay, const Message& message);
  void send(ProcessId to, Duration delay, const Message& message);
  void enqueue(const Event& event);
  void check_promise(ProcessId to) const;
  void promise(Instant until);
  void emit(TableId table, std::initializer_list<Cell> cells);
  [[noreturn]] void refuse_send(ProcessId to, Duration delay, Duration lookahead) const;

  Model& model_;
  Mail* const mail_;
  RowSink* const sink_;
  const std::uint64_t seed_;
  const PartitionId id_;
  const std::vector<ProcessId> members_;
  const Duration lookahead_;

  CalendarQueue queue_;
  std::int64_t fetched_for_slot_ = -1;
  Instant bound_;
  Context context_;
  ProcessRecord* current_ = nullptr;
  HandlingPlace last_;
  std::uint64_t events_ = 0;
  RowBuffer rows_;
  std::unique_ptr<PromiseBook> promises_;  // nullptr until the first promise
  std::optional<Failure> failure_;
};

}  // namespace septet
