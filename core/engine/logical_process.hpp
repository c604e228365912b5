// A logical process (LP): owns its state, reacts to events, and communicates only through events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/random.hpp"
#include "core/engine/event.hpp"
#include "core/trace/row.hpp"

namespace septet::engine {

class Partition;

// What an LP may do while it handles an event. Valid during that call only.
class Context {
 public:
  Instant now() const { return now_; }
  LpId self() const { return self_; }

  // An event for this LP, `delay` >= 0 from now.
  void schedule(Duration delay, const Message& message);

  // An event for another LP, at least the channel's lookahead from now. A smaller delay is a
  // causality error: ModelError naming sender, receiver and both times.
  void send(LpId to, Duration delay, const Message& message);

  // Appends a row to a trace table (dropped where the run has no sink).
  template <class Record>
  void emit(trace::TableId table, const Record& record) {
    emit_row(table, trace::row_of(record));
  }

  // The random stream of this LP for one purpose, at its start; keep it in the state.
  RandomStream random(std::uint32_t purpose) const;

 private:
  friend class Partition;
  explicit Context(Partition& partition) : partition_(&partition) {}
  void emit_row(trace::TableId table, std::span<const std::byte> row);

  Partition* partition_;
  Instant now_;
  std::uint64_t order_ = 0;
  LpId self_ = 0;
};

class LogicalProcess {
 public:
  virtual ~LogicalProcess() = default;
  virtual void start(Context&) {}  // at time zero, before any event: schedule the first ones
  virtual void handle(const Event& event, Context& context) = 0;

  // Whether `earliest_output_time` gives a better bound than the next event; must be constant.
  virtual bool has_dynamic_lookahead() const { return false; }

  // Called between windows, when everything before `next` is done: a lower bound on the time at
  // which this LP next sends an event out of its group, whatever happens inside, unless an event
  // from outside reaches the group first. The channel's lookahead is added to it. Lengthens the
  // windows of a parallel run; changes no result. Sending earlier is an error that names sender and
  // receiver.
  virtual Instant earliest_output_time(Instant next) const { return next; }
};

}  // namespace septet::engine
