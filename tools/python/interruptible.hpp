// Long work without the interpreter's lock, which Ctrl-C ends.
//
// The work has a thread of its own. The calling thread waits for it and looks a few times a second
// whether Python has signals to handle; if a handler raises (KeyboardInterrupt), the work is told
// to stop, waited for, and the exception goes on. Python handles signals on its main thread only:
// work that was called from another one goes on.
#pragma once

#include <atomic>
#include <future>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include <pybind11/pybind11.h>

#include "core/trace/row.hpp"

namespace septet::python {

// Thrown by work that was told to stop.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

class Stop {
 public:
  void ask() { asked_.store(true, std::memory_order_relaxed); }
  bool asked() const { return asked_.load(std::memory_order_relaxed); }
  void check() const {
    if (asked()) throw Stopped();
  }

 private:
  std::atomic<bool> asked_{false};
};

// Ends a simulation with the next row of its trace.
class StopSink : public trace::RowSink {
 public:
  explicit StopSink(const Stop& stop) : stop_(stop) {}
  void consume(trace::TableId, std::span<const std::byte>) override { stop_.check(); }

 private:
  const Stop& stop_;
};

// Without the lock until `ready`; throws error_already_set after `stop` was asked.
void wait_for(const std::future<void>& ready, Stop& stop);

// What `work(stop)` returns. It must touch nothing of Python.
template <class Work>
auto without_lock(Work work) {
  Stop stop;
  std::optional<decltype(work(std::as_const(stop)))> result;
  std::future<void> done =
      std::async(std::launch::async, [&] { result.emplace(work(std::as_const(stop))); });
  wait_for(done, stop);
  done.get();
  return std::move(*result);
}

}  // namespace septet::python
