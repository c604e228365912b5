// Stage 7: latency of memory batches, use of the memory system, growth of latency with load.
//
// Latency of a batch of u loads on an idle system: the mixture of the levels that they hit, plus
// the spread of one load's latency times the expected largest of u normal values (the warp waits
// for the slowest), plus the bytes through the port that one warp's answers share. A batch hits a
// level only when all of its loads do.
//
// Use: cycles for which one iteration of all warps keeps a resource busy. DRAM: bytes / bandwidth,
// more where reads and writes alternate, plus rows opened beyond dense access. L2: bytes /
// bandwidth, writes and lone sectors cost more. SM port and L1: bytes of the SM's warps.
//
// Latency grows with use: q rho / (1 - rho)^power for each batch of loads, rho = use / period. The
// period T = compute + latency + queues(use / T) is a fixed point and not the larger of two
// numbers; it is unique, since the right side falls with T. Little's law follows from it.
//
// Hit rates of repeated passes over a working set: 1 - Phi((set - capacity) / edge).
// Not modelled: near and far L2 partition (their mean and spread are), atomics, sector promotion.
#pragma once

#include <array>
#include <span>

#include "models/gpu/kernel/issue.hpp"

namespace septet::gpu {

// Share of hits of repeated passes over `working_set` bytes, 0 to 1.
double cyclic_hit(Bytes capacity, Bytes edge, double working_set);

// The same of a GPU's own caches.
double l1_hit_rate(const MemorySpec& spec, double working_set);
double l2_hit_rate(const MemorySpec& spec, double working_set);

// Cycles by which TLB misses lengthen random loads from `footprint` bytes.
double tlb_cycles(const MemorySpec& spec, double footprint);

// Cycles until the last load of a batch has come, on an idle memory system; 0 for writes.
double batch_latency(const MemorySpec& spec, const program::MemoryBatch& batch);

// One iteration of a segment as the memory system sees it. Times in cycles.
struct MemoryLoad {
  double compute = 0;  // of the SM, beyond what hides behind latency
  double latency = 0;  // of the batches, idle system
  double waits = 1;    // batches of loads
  double dram = 0;     // use of each resource
  double l2 = 0;
  double port = 0;
  double l1 = 0;
  double write_mix = 0;  // 0: only reads or only writes; 1: half of each
};

// `warps_sm`, `warps_gpu`: warps that do the iteration on the busiest SM and on the GPU.
MemoryLoad memory_load(const MemorySpec& spec, Frequency clock, const program::Segment& segment,
                       double compute, double warps_sm, double warps_gpu);

// Bytes that one iteration of `warps` warps moves between the L2 cache and DRAM.
double dram_bytes(const program::Segment& segment, double warps);

// How full the resources are: use / period, 0 to 1.
struct Utilization {
  double dram = 0;
  double l2 = 0;
  double port = 0;
  double l1 = 0;
};

// The period T = base + queues(use / T), at least `base`, with the queues of each resource that has
// a cost: `each` cycles of waiting times use / (1 - use)^power. The right side falls with T and is
// convex, so Newton's method finds the one solution from any start; `guess`: where it is expected.
struct Queueing {
  double use = 0;  // cycles for which the resource is busy in a period
  double each = 0;
};
double period_with(double base, std::span<const Queueing> queues, double power, double guess = 0);

// What a load waits for: DRAM, L2, port and L1.
std::array<Queueing, 4> queues_of(const MemorySpec& spec, const MemoryLoad& load);

// use / (1 - use)^power and its inverse.
double queue_length(double use, double power);
double use_of_queue(double length, double power);

// Period of a load that is alone in the memory system.
double period_alone(const MemorySpec& spec, const MemoryLoad& load);

// DRAM and L2 cycles of the loads alone and of the writes alone, when each comes in one burst.
double read_burst_cycles(const MemorySpec& spec, Frequency clock, const program::Segment& segment,
                         double warps_gpu);
double write_burst_cycles(const MemorySpec& spec, Frequency clock, const program::Segment& segment,
                          double warps_gpu);

}  // namespace septet::gpu
