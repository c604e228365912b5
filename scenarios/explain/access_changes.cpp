// Changes of the access to memory.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "models/gpu/kernel/memory.hpp"
#include "scenarios/explain/changes.hpp"

namespace septet::explain {
namespace {

constexpr double kWidest = 16;       // bytes that one thread loads at once
constexpr double kMostInFlight = 8;  // loads of a batch: as far as the model was validated
constexpr double kRegisterBytes = 4;
constexpr double kSectorsInALine = 4;
constexpr double kThreads = 32;
constexpr double kSectorBytes = 32;
constexpr double kGoodHitRate = 0.9;

bool is_dense(const AccessDescription& access) {
  return access.element_bytes > 0 && !access.dependent &&
         access.batch.sectors == access.dense_sectors();
}

bool has_dependent(const SegmentDescription& described) {
  return std::ranges::any_of(described.accesses, &AccessDescription::dependent);
}

// An iteration that does the work of `k`; address arithmetic and the loop overhead are shared.
void deepen(SegmentDescription& described, double k) {
  program::Segment& s = described.segment;
  const double before = described.issued();
  for (std::size_t p = 0; p < kEnumSize<program::Pipe>; ++p) {
    const auto pipe = static_cast<program::Pipe>(p);
    if (pipe == program::Pipe::kOther || pipe == program::Pipe::kBranch) continue;
    s.instructions[p] *= k;
    s.bank_conflicts[p] *= k;
  }
  if (s.chain_cycles > 0) s.chain_cycles += described.issued() - before;
  s.shared_wavefronts *= k;
  s.code_bytes *= k;
  s.async_tensor_cycles *= k;
  for (AccessDescription& access : described.accesses) access.batch.requests *= k;
}

// Each thread does k times as much per iteration, in fewer iterations or, if it has only one, with
// fewer threads. Nothing if neither is possible.
std::optional<KernelDescription> deepened(const KernelDescription& kernel, std::size_t at,
                                          double k) {
  KernelDescription out = kernel;
  SegmentDescription& described = out.segments[at];
  if (described.segment.repeat >= k) {
    described.segment.repeat /= k;
  } else if (kernel.segments.size() == 1 && out.shape.grid.x >= k) {
    out.shape.grid.x = static_cast<std::uint32_t>(std::ceil(out.shape.grid.x / k));
  } else {
    return std::nullopt;
  }
  deepen(described, k);
  return out;
}

// Elements of one request become k times as wide, requests k times fewer.
void widen(SegmentDescription& described, double k) {
  for (AccessDescription& access : described.accesses) {
    described.segment[program::Pipe::kLsu] -= access.batch.requests * (1.0 - 1.0 / k);
    access.batch.requests /= k;
    access.batch.sectors *= k;
    access.batch.lines = std::max(1.0, access.batch.sectors / kSectorsInALine);
    access.element_bytes *= k;
  }
}

bool can_widen(const SegmentDescription& described, double k) {
  return !described.accesses.empty() && std::ranges::all_of(described.accesses, [k](const auto& a) {
    return is_dense(a) && a.batch.bytes_below_l1 == 0 && a.element_bytes * k <= kWidest;
  });
}

bool has_requests(const SegmentDescription& described, double k) {
  return std::ranges::all_of(described.accesses,
                             [k](const auto& a) { return a.batch.requests >= k; });
}

double bytes_of_a_thread(const AccessDescription& access) {
  if (access.element_bytes > 0) return access.element_bytes;
  return std::min(kWidest, access.batch.sectors * kSectorBytes / kThreads);
}

// Registers that hold what is in flight.
double registers_in_flight(const SegmentDescription& described) {
  double bytes = 0;
  for (const AccessDescription& access : described.accesses) {
    if (!access.batch.write) bytes += access.batch.requests * bytes_of_a_thread(access);
  }
  return bytes / kRegisterBytes;
}

double loads_in_flight(const SegmentDescription& described) {
  double out = 0;
  for (const AccessDescription& access : described.accesses) {
    if (!access.batch.write) out = std::max(out, access.batch.requests);
  }
  return out;
}

double element_of(const SegmentDescription& described) {
  return described.accesses.front().element_bytes;
}

}  // namespace

Changes wider_access(const gpu::GpuSpec&, const KernelDescription& kernel) {
  Changes out;
  for (const double k : {2.0, 4.0}) {
    for (std::size_t at = 0; at < kernel.segments.size(); ++at) {
      const SegmentDescription& now = kernel.segments[at];
      if (!can_widen(now, k)) continue;
      std::optional<KernelDescription> changed = kernel;
      if (!has_requests(now, k)) changed = deepened(kernel, at, k);
      if (!changed) continue;
      widen(changed->segments[at], k);
      out.push_back({fmt::format("loads and stores of {} bytes per thread instead of {}",
                                 element_of(changed->segments[at]), element_of(now)),
                     *changed});
    }
  }
  return out;
}

Changes more_loads_in_flight(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  Changes out;
  for (const double k : {2.0, 4.0, 8.0}) {
    for (std::size_t at = 0; at < kernel.segments.size(); ++at) {
      const SegmentDescription& now = kernel.segments[at];
      if (!now.loads() || has_dependent(now) || loads_in_flight(now) * k > kMostInFlight) continue;
      std::optional<KernelDescription> changed = deepened(kernel, at, k);
      if (!changed) continue;
      const double more = registers_in_flight(changed->segments[at]) - registers_in_flight(now);
      std::uint32_t& registers = changed->shape.registers_per_thread;
      registers += static_cast<std::uint32_t>(std::ceil(more));
      if (registers > gpu.sm.max_registers_per_thread) continue;
      out.push_back({fmt::format("{:.3g} loads in flight per warp instead of {:.3g} (unroll by "
                                 "{}), with {} registers per thread",
                                 loads_in_flight(now) * k, loads_in_flight(now), k, registers),
                     *changed});
    }
  }
  return out;
}

Changes dense_access(const gpu::GpuSpec&, const KernelDescription& kernel) {
  Change out{{}, kernel};
  double worst = 0;
  for (SegmentDescription& described : out.kernel.segments) {
    for (AccessDescription& access : described.accesses) {
      program::MemoryBatch& batch = access.batch;
      const double dense = access.dense_sectors();
      if (dense <= 0 || batch.sectors <= dense || batch.sectors / dense <= worst) continue;
      worst = batch.sectors / dense;
      const bool shifted = batch.sectors <= dense + 1;
      out.text = fmt::format("{}: {} sectors per request instead of {:.3g}",
                             shifted ? "align the accesses of a warp"
                                     : "let neighbouring threads access neighbouring elements, if "
                                       "necessary through shared memory",
                             dense, batch.sectors);
    }
  }
  if (worst == 0) return {};
  for (SegmentDescription& described : out.kernel.segments) {
    for (AccessDescription& access : described.accesses) {
      const double dense = access.dense_sectors();
      if (dense <= 0 || access.batch.sectors <= dense) continue;
      access.batch.sectors = dense;
      access.batch.lines = std::max(1.0, dense / kSectorsInALine);
      access.batch.bytes_below_l1 = 0;
      access.batch.extra_rows = 0;
      access.batch.footprint_bytes = 0;
    }
  }
  return {out};
}

Changes no_bank_conflicts(const gpu::GpuSpec&, const KernelDescription& kernel) {
  Change out{{}, kernel};
  double wavefronts = 0;
  for (SegmentDescription& described : out.kernel.segments) {
    wavefronts += described.segment.repeat * described.segment.shared_wavefronts;
    described.segment.shared_wavefronts = 0;
  }
  if (wavefronts == 0) return {};
  out.text = fmt::format(
      "pad shared memory to avoid bank conflicts: {:.4g} fewer wavefronts per warp", wavefronts);
  return {out};
}

Changes blocking_for_l2(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const gpu::MemorySpec& memory = gpu.kernel.memory;
  const Bytes tile = memory.l2_capacity - memory.l2_edge * 2;
  const double tile_hit = l2_hit_rate(memory, static_cast<double>(tile.count()));
  Change out{{}, kernel};
  for (SegmentDescription& described : out.kernel.segments) {
    for (AccessDescription& access : described.accesses) {
      double& hit = access.batch.l2_hit;
      if (hit >= kGoodHitRate) continue;
      if (access.working_set > 0) {
        out.text = fmt::format(
            "process at most {:.0f} MB at a time, so that later passes hit the L2 cache",
            static_cast<double>(tile.count()) / 1e6);
        hit = tile_hit;
        access.working_set = static_cast<double>(tile.count());
      } else if (hit > 0) {
        out.text = fmt::format("halve the L2 misses by blocking: {:.0f} % hits instead of {:.0f} %",
                               50.0 * (1.0 + hit), 100.0 * hit);
        hit = 0.5 * (1.0 + hit);
      }
    }
  }
  if (out.text.empty()) return {};
  return {out};
}

// Loads of the next iteration go into a second buffer in shared memory while the current one
// computes: the part of the chain that is neither issue nor barrier overlaps the latency of the
// loads.
Changes prefetch(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  Change out{{}, kernel};
  double buffers = 0;
  for (SegmentDescription& described : out.kernel.segments) {
    program::Segment& s = described.segment;
    const double waits = s.chain_cycles - described.barrier_cycles - described.issued();
    if (!described.loads() || has_dependent(described) || s.repeat < 2 || waits <= 0) continue;
    double latency = 0;
    for (const AccessDescription& access : described.accesses) {
      if (access.batch.write) continue;
      latency += batch_latency(gpu.kernel.memory, access.batch);
      buffers += 2 * access.batch.requests * access.batch.sectors * kSectorBytes;
      s[program::Pipe::kLsu] += access.batch.requests;  // out of shared memory again
    }
    s.chain_cycles -= std::min(waits, latency);
  }
  if (buffers == 0) return {};
  const double warps = std::ceil(static_cast<double>(kernel.shape.threads_per_block()) / kThreads);
  const Bytes shared(static_cast<std::int64_t>(std::ceil(buffers * warps)));
  out.kernel.shape.dynamic_shared += shared;
  out.text = fmt::format(
      "prefetch: load the next iteration into shared memory during the current one, using {} more "
      "per block",
      to_text(shared));
  return {out};
}

}  // namespace septet::explain
