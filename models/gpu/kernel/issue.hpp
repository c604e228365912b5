// Stages 4 to 6: instruction fetch, issue slots and pipes of one SM.
//
// Issue and pipes: with w warps on each scheduler, one iteration of a segment takes w sum(n) issue
// slots, w sum(n II + conflicts) cycles of each pipe and W sum(n II_SM) cycles of what the whole SM
// shares; the busiest one counts.
//
// Fetch of a body that L0 does not hold takes f = n cycles_from_(l15|l2). While fetch is slower,
// warps close up and one fetch serves all: max(busy, f). When issue is clearly the slower (busy >
// 1.3 f), warps spread over more code than L0 holds and fetch again: busy + f. Linear in between.
// Fitted on loops of 1 to 16 Ki FMAs on an H200; not modelled: instruction prefetch across
// branches.
#pragma once

#include <type_traits>

#include "models/gpu/kernel/kernel_spec.hpp"

namespace septet::gpu {

enum class Bottleneck : std::uint8_t {
  kDispatch,
  kFetch,
  kIssue,
  kPipe,
  kDependency,
  kSharedMemory,
  kL1,
  kSmPort,
  kL2,
  kDram,
  kMemoryLatency
};
constexpr auto enum_table(std::type_identity<Bottleneck>) {
  return enum_texts<Bottleneck>("dispatch", "fetch", "issue", "pipe", "dependency", "shared memory",
                                "L1", "SM port", "L2", "DRAM", "memory latency");
}

struct Busy {
  double cycles = 0;
  Bottleneck what = Bottleneck::kIssue;
  program::Pipe pipe = program::Pipe::kOther;  // what == kPipe: which
  double issue_slots = 0;                      // of one scheduler
};

// Cycles for which the busiest of issue slots and pipes is busy with one iteration of all `warps`
// warps of an SM.
Busy busy_cycles(const KernelSpec& spec, const program::Segment& segment, double warps);

// Cycles that fetch adds to one iteration in which issue and pipes are busy for `busy` cycles.
double fetch_cycles(const FetchSpec& spec, const program::Segment& segment, double busy);

// How much of `busy` is hidden behind the memory latency of other warps. Warps of a scheduler move
// in a convoy: the leading ones open rows and pages for the following ones, which catch up, so only
// the spread of their arrivals hides issue.
double hidden_issue(const IssueSpec& spec, double busy, double warps);

// Expected largest of `n` independent standard normal values, n >= 1 (0 below); between whole
// numbers linear, beyond 16 growing by 0.305 for each doubling. Source: tables of normal order
// statistics (H. L. Harter, Biometrika 48, 1961).
double expected_largest(double n);

}  // namespace septet::gpu
