// Loads that share DRAM and the L2 cache: how long a period of each is.
//
// With the queue lengths q_d and q_l of the two, load i takes
//   T_i = base_i + each_d q_d + each_l q_l + its own ports' queues(use / T_i)
// and the lengths are those of the use that comes of it, use(q) = sum(use_i / T_i). Newton's method
// in q_d and q_l, from the solution before, since kernels come and go one at a time; a step that
// does not bring both equations nearer is halved.
#pragma once

#include <vector>

#include "models/gpu/kernel/memory.hpp"

namespace septet::gpu {

// Equal loads.
struct BalancedLoad {
  double base = 0;  // cycles: compute and idle latency
  double count = 1;
  std::array<Queueing, 4> queues;  // of DRAM, L2, port and L1; the last two are each one's own
  double period = 0;               // the answer; before: where it is expected
};

class MemoryBalance {
 public:
  // `power`: of the queues.
  explicit MemoryBalance(double power) : power_(power) {}

  // Sets the period of each load.
  void solve(std::vector<BalancedLoad>& loads);

 private:
  struct Pair {
    double dram = 0;
    double l2 = 0;
  };
  // Use beyond what the queue lengths stand for, and its derivatives by them.
  struct Excess {
    Pair use;
    Pair by_dram;
    Pair by_l2;
    double size() const;
  };

  Excess excess(std::vector<BalancedLoad>& loads, const Pair& length) const;
  void subtract_own(double Pair::*which, const Pair& length, Excess& out, Pair& by) const;

  double power_;
  Pair length_;  // of the queues
};

}  // namespace septet::gpu
