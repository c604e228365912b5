// Group memory: streams, pointer chases, strides and bank conflicts.
#include <algorithm>
#include <cmath>

#include "scenarios/validate/kernel_cases.hpp"

namespace septet::validation {
namespace {

const gpu::MemorySpec& memory_of(const system::SystemSpec& system) {
  return system.gpu.kernel.memory;
}

StreamLoop loop_of(const MeasuredRow& row, const system::SystemSpec& system) {
  StreamLoop loop;
  loop.vec = row.number("vec");
  loop.unroll = row.number("unroll");
  loop.instructions = row.number("loop_instructions");
  loop.write = row.has("bytes_written");
  // Buffers are used again and again without a flush: what the L2 cache holds of them hits.
  const double set = row.number("bytes_read") + (loop.write ? row.number("bytes_written") : 0.0);
  loop.l2_hit = l2_hit_rate(memory_of(system), set);
  return loop;
}

Prediction stream(const MeasuredRow& row, const system::SystemSpec& system) {
  const StreamLoop loop = loop_of(row, system);
  const double passes = row.has("repeats") ? row.number("repeats") : 1.0;
  const double threads = row.number("blocks") * row.number("threads");
  const double iterations = loop_iterations(row.number("bytes_read") * passes, loop, threads);
  return device_time(described_kernel(row, {stream_segment(loop, iterations)}), system);
}

// One thread follows a random cycle; address arithmetic is part of each step.
Prediction chase(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kAddressCycles = 9;
  const gpu::MemorySpec& memory = memory_of(system);
  const double bytes = row.number("kbytes") * 1024;
  program::MemoryBatch load;
  load.sectors = 1;
  load.streaming = false;
  load.footprint_bytes = bytes;
  load.l1_hit = l1_hit_rate(memory, bytes);
  const bool fits = bytes < static_cast<double>(memory.l2_capacity.count());
  load.l2_hit = fits ? row.number("revisited_fraction") : 0.0;
  return {batch_latency(memory, load) + kAddressCycles,
          std::string(text_of(gpu::Bottleneck::kMemoryLatency))};
}

// Each thread reads one float; DRAM moves granules of 64 bytes and opens more rows than a dense
// stream of as many bytes would.
Prediction stride(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kGranule = 64;
  constexpr double kWarpSize = 32;
  constexpr double kInstructions = 15;
  constexpr double kChain = 70;
  const double warps = row.number("threads_total") / kWarpSize;
  const double span = row.number("span_bytes") / warps;
  const double row_bytes = static_cast<double>(memory_of(system).dram_row.count());
  program::MemoryBatch load;
  load.sectors = row.number("sectors") / warps;
  load.lines = std::clamp(span / 128.0, 1.0, 32.0);
  const double granules = std::min(32.0, std::max(span / kGranule, load.sectors / 2.0));
  load.bytes_below_l1 = granules * kGranule;
  load.extra_rows = std::max(0.0, (span - load.bytes_below_l1) / row_bytes);
  program::Segment segment;
  segment[program::Pipe::kLsu] = 1;
  segment[program::Pipe::kOther] = kInstructions - 1;
  segment.chain_cycles = kChain;
  segment.batches = {load};
  return device_time(described_kernel(row, {segment}), system);
}

// Loads from shared memory with `way`-way conflicts, each followed by a dependent addition.
Prediction bank(const MeasuredRow& row, const system::SystemSpec& system) {
  const gpu::KernelSpec& spec = system.gpu.kernel;
  const double loads = row.number("loads_in_flight");
  const double way = row.number("way");
  const double additions = spec.pipe(program::Pipe::kFma).latency * loads;
  const double ends = spec.memory.shared_latency + spec.pipe(program::Pipe::kFma).latency +
                      spec.issue.branch_cycles;
  program::Segment segment;
  segment[program::Pipe::kLsu] = loads;
  segment[program::Pipe::kFma] = loads;
  segment.shared_wavefronts = loads * (way - 1);
  const double answers = loads * way * spec.pipe(program::Pipe::kLsu).interval;
  // Both chains run side by side and hinder each other where they take about as long.
  constexpr double kBlend = 5;
  segment.chain_cycles =
      std::pow(std::pow(answers + ends, kBlend) + std::pow(additions + ends, kBlend), 1.0 / kBlend);
  const gpu::Busy busy = busy_cycles(spec, segment, row.number("warps"));
  return {std::max(busy.cycles, segment.chain_cycles) / loads, std::string(text_of(busy.what))};
}

}  // namespace

std::vector<CaseKind> memory_cases() {
  return {{"memory", "copy", stream},     {"memory", "reread", stream},
          {"memory", "read_occ", stream}, {"memory", "read_sms", stream},
          {"memory", "chase", chase},     {"memory", "stride", stride},
          {"memory", "bank", bank}};
}

}  // namespace septet::validation
