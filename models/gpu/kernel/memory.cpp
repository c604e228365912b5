#include "models/gpu/kernel/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace septet::gpu {
namespace {

constexpr double kSectorBytes = 32;

double normal_share_below(double x) { return 0.5 * (1.0 + std::erf(x / std::sqrt(2.0))); }

double as_double(Bytes bytes) { return static_cast<double>(bytes.count()); }

double request_bytes(const program::MemoryBatch& batch) { return batch.sectors * kSectorBytes; }

double bytes_below_l1(const program::MemoryBatch& batch) {
  const double each = batch.bytes_below_l1 > 0 ? batch.bytes_below_l1 : request_bytes(batch);
  return batch.requests * each * (batch.write ? 1.0 : 1.0 - batch.l1_hit);
}

// L2 time of a byte of the batch against a byte of a full line that is read.
double l2_cost(const MemorySpec& spec, const program::MemoryBatch& batch) {
  const bool lone = batch.sectors <= batch.lines && batch.bytes_below_l1 == 0;
  const double sector = lone ? spec.l2_lone_sector_bytes / kSectorBytes : 1.0;
  return sector * (batch.write ? spec.l2_write_cost : 1.0);
}

double bytes_below_l2(const program::MemoryBatch& batch) {
  return bytes_below_l1(batch) * (1.0 - batch.l2_hit);
}

struct Demand {
  double l1_bytes = 0;
  double port_bytes = 0;
  double l2_bytes = 0;  // weighted by their cost
  double read = 0;      // DRAM bytes
  double write = 0;
  double rows = 0;
};

Demand demand_of(const MemorySpec& spec, const program::Segment& segment, double warps_sm,
                 double warps_gpu) {
  Demand out;
  for (const program::MemoryBatch& batch : segment.batches) {
    const double below = batch.times * bytes_below_l1(batch);
    const double missed = warps_gpu * batch.times * bytes_below_l2(batch);
    out.l1_bytes += warps_sm * batch.times * batch.requests * request_bytes(batch);
    out.port_bytes += warps_sm * below;
    out.l2_bytes += warps_gpu * below * l2_cost(spec, batch);
    (batch.write ? out.write : out.read) += missed;
    out.rows += warps_gpu * batch.times * batch.requests * batch.extra_rows * (1.0 - batch.l2_hit);
  }
  return out;
}

double write_mix(const Demand& demand) {
  const double total = demand.read + demand.write;
  return total > 0 ? 2.0 * std::min(demand.read, demand.write) / total : 0.0;
}

double cycles(double seconds, Frequency clock) { return seconds * clock.count(); }

double dram_cycles(const MemorySpec& spec, Frequency clock, const Demand& demand) {
  const double total = demand.read + demand.write;
  const double seconds =
      total / spec.dram_bandwidth.count() * (1.0 + spec.dram_turnaround * write_mix(demand)) +
      demand.rows * to_seconds(spec.dram_row_time);
  return cycles(seconds, clock);
}

double batches_of_loads(const program::Segment& segment) {
  double loads = 0;
  for (const program::MemoryBatch& batch : segment.batches)
    loads += batch.write ? 0.0 : batch.times;
  return std::max(1.0, loads);
}

// Cycles of waiting at full use of DRAM, for each unit of queue length.
double dram_queue(const MemorySpec& spec, const MemoryLoad& load) {
  return load.waits * (spec.dram_queue_cycles + load.write_mix * spec.dram_write_queue_cycles);
}

}  // namespace

double cyclic_hit(Bytes capacity, Bytes edge, double working_set) {
  return 1.0 - normal_share_below((working_set - as_double(capacity)) / as_double(edge));
}

double l1_hit_rate(const MemorySpec& spec, double working_set) {
  return cyclic_hit(spec.l1_capacity, spec.l1_edge, working_set);
}

double l2_hit_rate(const MemorySpec& spec, double working_set) {
  return cyclic_hit(spec.l2_capacity, spec.l2_edge, working_set);
}

double tlb_cycles(const MemorySpec& spec, double footprint) {
  const double reach = as_double(spec.tlb_reach);
  return footprint <= reach ? 0.0 : spec.tlb_miss_cycles * (1.0 - reach / footprint);
}

double batch_latency(const MemorySpec& spec, const program::MemoryBatch& batch) {
  if (batch.write) return 0;
  const double together = std::max(1.0, batch.requests);
  const double l1 = std::pow(batch.l1_hit, together);
  const double l2 = std::pow(batch.l2_hit, together);
  const double dram = spec.dram_latency + (batch.streaming ? spec.stream_conflict_cycles : 0.0) +
                      tlb_cycles(spec, batch.footprint_bytes);
  const double deep = l2 * spec.l2_latency + (1.0 - l2) * dram;
  const double spread = l2 * spec.l2_spread_cycles + (1.0 - l2) * spec.dram_spread_cycles;
  const double transfer = batch.requests * request_bytes(batch) / spec.warp_port_bytes;
  return l1 * spec.l1_latency + (1.0 - l1) * (deep + spread * expected_largest(batch.requests)) +
         transfer;
}

MemoryLoad memory_load(const MemorySpec& spec, Frequency clock, const program::Segment& segment,
                       double compute, double warps_sm, double warps_gpu) {
  const Demand demand = demand_of(spec, segment, warps_sm, warps_gpu);
  MemoryLoad load;
  load.compute = compute;
  for (const program::MemoryBatch& batch : segment.batches) {
    load.latency += batch.times * batch_latency(spec, batch);
  }
  load.waits = batches_of_loads(segment);
  load.dram = dram_cycles(spec, clock, demand);
  load.l2 = cycles(demand.l2_bytes / spec.l2_bandwidth.count(), clock);
  load.port = demand.port_bytes / spec.sm_port_bytes;
  load.l1 = demand.l1_bytes / spec.l1_bytes;
  load.write_mix = write_mix(demand);
  return load;
}

double dram_bytes(const program::Segment& segment, double warps) {
  double sum = 0;
  for (const program::MemoryBatch& batch : segment.batches) {
    sum += warps * batch.times * bytes_below_l2(batch);
  }
  return sum;
}

std::array<Queueing, 4> queues_of(const MemorySpec& spec, const MemoryLoad& load) {
  return {{{load.dram, dram_queue(spec, load)},
           {load.l2, load.waits * spec.l2_queue_cycles},
           {load.port, spec.port_queue_cycles},
           {load.l1, spec.port_queue_cycles}}};
}

double queue_length(double use, double power) {
  if (use >= 1) return std::numeric_limits<double>::infinity();
  return use / std::pow(1.0 - use, power);
}

// With v = 1 - use: 1 - v = length v^power. From this start Newton's steps fall to the root without
// crossing it, whichever way the power bends.
double use_of_queue(double length, double power) {
  constexpr int kMostSteps = 60;
  constexpr double kExact = 1e-14;
  if (std::isinf(length)) return 1;
  double v = std::pow(1.0 + length, -1.0 / power);
  for (int step = 0; step < kMostSteps; ++step) {
    const double curved = length * std::pow(v, power);
    const double change = (1.0 - v - curved) / (1.0 + power * curved / v);
    v += change;
    if (std::abs(change) <= kExact * v) break;
  }
  return 1.0 - v;
}

double period_with(double base, std::span<const Queueing> queues, double power, double guess) {
  constexpr int kMostSteps = 200;
  constexpr double kExact = 1e-13;
  double least = base;
  double pole = 0;
  double period = std::max(base, guess);
  for (const Queueing& q : queues) {
    least = std::max(least, q.use);
    if (q.use <= 0 || q.each <= 0) continue;
    pole = std::max(pole, q.use);
    // The period at power 1 with this queue alone.
    const double apart = base - q.use;
    period = std::max(period, 0.5 * (base + q.use + std::sqrt(apart * apart + 4 * q.each * q.use)));
  }
  for (int step = 0; step < kMostSteps && pole > 0; ++step) {
    double needed = base;
    double slope = 1;
    for (const Queueing& q : queues) {
      if (q.use <= 0 || q.each <= 0) continue;
      const double use = q.use / period;
      const double wait = q.each * use * std::pow(1.0 - use, -power);
      needed += wait;
      slope += wait / period * (1.0 + power * use / (1.0 - use));
    }
    const double change = (needed - period) / slope;
    // A step from the right of the solution may go beyond the pole.
    period = period + change > pole ? period + change : 0.5 * (pole + period);
    if (std::abs(change) <= kExact * period) break;
  }
  return std::max(pole > 0 ? period : 0.0, least);
}

double period_alone(const MemorySpec& spec, const MemoryLoad& load) {
  const double base = std::max(1.0, load.compute + load.latency);
  return period_with(base, queues_of(spec, load), spec.queue_power);
}

double read_burst_cycles(const MemorySpec& spec, Frequency clock, const program::Segment& segment,
                         double warps_gpu) {
  Demand reads = demand_of(spec, segment, 0, warps_gpu);
  reads.write = 0;
  return dram_cycles(spec, clock, reads) / batches_of_loads(segment);
}

double write_burst_cycles(const MemorySpec& spec, Frequency clock, const program::Segment& segment,
                          double warps_gpu) {
  double written = 0;
  for (const program::MemoryBatch& batch : segment.batches) {
    if (batch.write) written += warps_gpu * batch.times * bytes_below_l1(batch);
  }
  return cycles(written * spec.l2_write_cost / spec.l2_bandwidth.count(), clock);
}

}  // namespace septet::gpu
