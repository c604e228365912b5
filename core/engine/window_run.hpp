// A run in several partitions by conservative windows, on any number of threads.
//
// In a window every partition handles its events before a common bound: the earliest time at which
// anything sent in future could arrive in another partition. A serial step between windows turns
// the mail, hands out rows and finds the next bound; it takes time in proportion to the partitions,
// not to the processes. After D. M. Nicol, "The cost of conservative synchronization in parallel
// discrete event simulations", J. ACM 40(2), 1993 (YAWNS), with promises.
#pragma once

#include <memory>
#include <vector>

#include "core/engine/mail.hpp"
#include "core/engine/partition.hpp"
#include "core/engine/partitioning.hpp"
#include "core/engine/row_pace.hpp"
#include "core/engine/team.hpp"

namespace septet {

class WindowRun {
 public:
  WindowRun(Model& model, const RunOptions& options, Partitioning partitioning);

  RunResult run();

 private:
  // What the step between windows must know of a partition.
  struct Outlook {
    Instant next;    // its first pending event
    Instant output;  // before this nothing that it sends arrives elsewhere
  };

  void start();
  bool open_window();
  void handle_window();
  std::uint64_t handle_in(std::size_t id);
  void look_out(std::size_t id);
  void rethrow_first_failure() const;
  void take_rows();
  std::size_t waiting_rows() const;
  RunResult result() const;

  Model& model_;
  const RunOptions options_;
  Mail mail_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::vector<Outlook> outlooks_;
  std::vector<RowBuffer*> rows_;
  Team team_;
  RowPace pace_;
  Instant first_;  // of all pending events
  Instant bound_;  // of the window
  std::uint64_t windows_ = 0;
};

}  // namespace septet
