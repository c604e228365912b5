// A logical process: owns its state, reacts to events, talks to others by events alone.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "core/base/random.hpp"
#include "core/engine/event.hpp"
#include "core/trace/row.hpp"

namespace septet {

class Partition;

// What a process may do while it handles an event. Valid during that call only.
class Context {
 public:
  Instant now() const { return now_; }
  ProcessId self() const { return self_; }

  // An event for this process, `delay` >= 0 from now.
  void schedule(Duration delay, const Message& message);

  // An event for another process, at least the channel's lookahead from now. A smaller delay is a
  // causality error: ModelError naming sender, receiver and both times.
  void send(ProcessId to, Duration delay, const Message& message);

  // Appends a row to a trace table (dropped where the run has no sink).
  void emit(TableId table, std::initializer_list<Cell> cells);

  // The random stream of this process for one purpose, at its start; keep it in the state.
  RandomStream random(std::uint32_t purpose) const;

 private:
  friend class Partition;
  explicit Context(Partition& partition) : partition_(&partition) {}

  Partition* partition_;
  Instant now_;
  std::uint64_t order_ = 0;
  ProcessId self_ = 0;
};

class LogicalProcess {
 public:
  virtual ~LogicalProcess() = default;
  virtual void start(Context&) {}  // at time zero, before any event: schedule the first ones
  virtual void handle(const Event& event, Context& context) = 0;

  // Whether `silent_until` is worth asking; the answer may not change.
  virtual bool foresees() const { return false; }

  // A promise, asked for between windows, everything before `next` being done: a time before which
  // this process sends nothing out of its group, whatever happens inside, unless it hears from
  // outside itself first. Lengthens the windows of a parallel run; changes no result. A message
  // sent before is an error that names sender and receiver.
  virtual Instant silent_until(Instant next) const { return next; }
};

}  // namespace septet
