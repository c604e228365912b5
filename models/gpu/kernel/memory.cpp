#include "models/gpu/kernel/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace septet {
namespace {

constexpr double kSectorBytes = 32;

double normal_share_below(double x) { return 0.5 * (1.0 + std::erf(x / std::sqrt(2.0))); }

double as_double(Bytes bytes) { return static_cast<double>(bytes.count()); }

double request_bytes(const MemoryBatch& batch) { return batch.sectors * kSectorBytes; }

double bytes_below_l1(const MemoryBatch& batch) {
  const double each = batch.bytes_below_l1 > 0 ? batch.bytes_below_l1 : request_bytes(batch);
  return batch.requests * each * (batch.write ? 1.0 : 1.0 - batch.l1_hit);
}

// L2 time of a byte of the batch against a byte of a full line that is read.
double l2_cost(const MemorySpec& spec, const MemoryBatch& batch) {
  const bool lone = batch.sectors <= batch.lines && batch.bytes_below_l1 == 0;
  const double sector = lone ? spec.l2_lone_sector_bytes / kSectorBytes : 1.0;
  return sector * (batch.write ? spec.l2_write_cost : 1.0);
}

double bytes_below_l2(const MemoryBatch& batch) {
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

Demand demand_of(const MemorySpec& spec, const Segment& segment, double warps_sm,
                 double warps_gpu) {
  Demand out;
  for (const MemoryBatch& batch : segment.batches) {
    const double below = bytes_below_l1(batch);
    const double missed = warps_gpu * bytes_below_l2(batch);
    out.l1_bytes += warps_sm * batch.requests * request_bytes(batch);
    out.port_bytes += warps_sm * below;
    out.l2_bytes += warps_gpu * below * l2_cost(spec, batch);
    (batch.write ? out.write : out.read) += missed;
    out.rows += warps_gpu * batch.requests * batch.extra_rows * (1.0 - batch.l2_hit);
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

double batches_of_loads(const Segment& segment) {
  const auto loads = std::count_if(segment.batches.begin(), segment.batches.end(),
                                   [](const MemoryBatch& batch) { return !batch.write; });
  return std::max(1.0, static_cast<double>(loads));
}

double queue(const MemorySpec& spec, double use) {
  if (use >= 1) return std::numeric_limits<double>::infinity();
  return use / std::pow(1.0 - use, spec.queue_power);
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

double batch_latency(const MemorySpec& spec, const MemoryBatch& batch) {
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

MemoryLoad memory_load(const MemorySpec& spec, Frequency clock, const Segment& segment,
                       double compute, double warps_sm, double warps_gpu) {
  const Demand demand = demand_of(spec, segment, warps_sm, warps_gpu);
  MemoryLoad load;
  load.compute = compute;
  for (const MemoryBatch& batch : segment.batches) load.latency += batch_latency(spec, batch);
  load.waits = batches_of_loads(segment);
  load.dram = dram_cycles(spec, clock, demand);
  load.l2 = cycles(demand.l2_bytes / spec.l2_bandwidth.count(), clock);
  load.port = demand.port_bytes / spec.sm_port_bytes;
  load.l1 = demand.l1_bytes / spec.l1_bytes;
  load.write_mix = write_mix(demand);
  return load;
}

double dram_bytes(const Segment& segment, double warps) {
  double sum = 0;
  for (const MemoryBatch& batch : segment.batches) sum += warps * bytes_below_l2(batch);
  return sum;
}

double queue_wait(const MemorySpec& spec, const MemoryLoad& load, const Utilisation& use) {
  double wait = 0;
  if (load.dram > 0) {
    const double each = spec.dram_queue_cycles + load.write_mix * spec.dram_write_queue_cycles;
    wait += load.waits * each * queue(spec, use.dram);
  }
  if (load.l2 > 0) wait += load.waits * spec.l2_queue_cycles * queue(spec, use.l2);
  if (load.port > 0) wait += spec.port_queue_cycles * queue(spec, use.port);
  if (load.l1 > 0) wait += spec.port_queue_cycles * queue(spec, use.l1);
  return wait;
}

double period_alone(const MemorySpec& spec, const MemoryLoad& load) {
  constexpr int kSteps = 48;  // relative error below 1e-9
  constexpr double kMostQueueing = 4000;
  double low = std::max({load.dram, load.l2, load.port, load.l1, load.compute + load.latency, 1.0});
  double high = 2.0 * low + kMostQueueing;
  for (int step = 0; step < kSteps; ++step) {
    const double period = 0.5 * (low + high);
    const Utilisation use{load.dram / period, load.l2 / period, load.port / period,
                          load.l1 / period};
    const double needed = load.compute + load.latency + queue_wait(spec, load, use);
    (needed > period ? low : high) = period;
  }
  return high;
}

double read_burst_cycles(const MemorySpec& spec, Frequency clock, const Segment& segment,
                         double warps_gpu) {
  Demand reads = demand_of(spec, segment, 0, warps_gpu);
  reads.write = 0;
  return dram_cycles(spec, clock, reads) / batches_of_loads(segment);
}

double write_burst_cycles(const MemorySpec& spec, Frequency clock, const Segment& segment,
                          double warps_gpu) {
  double written = 0;
  for (const MemoryBatch& batch : segment.batches) {
    if (batch.write) written += warps_gpu * bytes_below_l1(batch);
  }
  return cycles(written * spec.l2_write_cost / spec.l2_bandwidth.count(), clock);
}

}  // namespace septet
