// A run in several partitions by conservative windows, on any number of threads.
//
// In a window every partition handles its events before a common bound: the earliest time at which
// anything sent in future could arrive in another partition (LBTS, the lower bound on time stamps).
// A serial step between windows swaps the mailboxes, hands out rows and finds the next bound; it
// takes time in proportion to the threads, not to the partitions or LPs. After D. M. Nicol, "The
// cost of conservative synchronization in parallel discrete event simulations", J. ACM 40(2), 1993
// (YAWNS), with dynamic lookahead.
//
// One thread runs large models this way too, because what a partition needs stays in the cache
// during its window; where windows turn out to hold too few events for that, it goes on with one
// queue.
#pragma once

#include <memory>
#include <vector>

#include "core/engine/cache_line.hpp"
#include "core/engine/mailboxes.hpp"
#include "core/engine/partition.hpp"
#include "core/engine/partitioning.hpp"
#include "core/engine/row_throttle.hpp"
#include "core/engine/worker_pool.hpp"

namespace septet::engine {

class WindowRun : private WorkerPool::Work {
 public:
  WindowRun(Model& model, const RunOptions& options, Partitioning partitioning);

  RunResult run();

 private:
  // Of one thread in a window, in cache lines of its own.
  struct alignas(kDestructiveInterference) WindowResult {
    TimestampBounds bounds;
    std::uint64_t events = 0;   // of the partitions that it handled, since the start
    std::size_t rows = 0;       // that wait in them
    std::uint64_t handled = 0;  // partitions that were not idle
    bool failed = false;        // one of them

    void include(const WindowResult& other);
  };

  bool open_round() override;
  void receive(std::size_t home) override;
  void handle(std::size_t thread, std::size_t job) override;  // one a partition
  bool is_idle(std::size_t job) const override;
  void move(std::size_t partition, std::size_t home) override;

  static WindowResult result_of(Partition& partition, const TimestampBounds& bounds);
  WindowResult collect_window_results();
  bool is_too_fine(const WindowResult& window);
  RunResult run_on_sequentially();
  void take_rows_of_window(std::size_t waiting);
  void rethrow_first_failure() const;
  void take_rows();
  RunResult result() const;

  Model& model_;
  const RunOptions options_;
  Mailboxes mailboxes_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::vector<WindowResult> window_results_;  // by thread
  std::vector<trace::RowBuffer*> rows_;
  std::size_t waiting_rows_ = 0;
  WorkerPool pool_;
  RowThrottle throttle_;
  bool started_ = false;
  bool sequential_is_better_ = false;
  std::uint64_t handled_ = 0;  // partitions, in all windows
  Instant first_;              // of all pending events
  Instant bound_;              // of the window
  std::uint64_t windows_ = 0;
};

}  // namespace septet::engine
