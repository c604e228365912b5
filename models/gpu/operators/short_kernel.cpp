#include "models/gpu/operators/short_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::gpu {

program::MemoryBatch load_batch(double requests, double sectors, double lines, double l2_hit) {
  program::MemoryBatch batch;
  batch.requests = requests;
  batch.sectors = sectors;
  batch.lines = lines;
  batch.l2_hit = l2_hit;
  return batch;
}

program::MemoryBatch store_batch(double requests, double sectors, double lines, double l2_hit) {
  program::MemoryBatch batch = load_batch(requests, sectors, lines, l2_hit);
  batch.write = true;
  return batch;
}

program::Segment segment_of(std::initializer_list<std::pair<program::Pipe, double>> instructions,
                            double chain_cycles, std::vector<program::MemoryBatch> batches,
                            double repeat) {
  program::Segment out;
  out.repeat = repeat;
  for (const auto& [pipe, count] : instructions) out[pipe] = count;
  out.chain_cycles = chain_cycles;
  out.batches = std::move(batches);
  return out;
}

program::Kernel short_kernel(std::string name, double blocks, double threads,
                             std::uint32_t registers, std::vector<program::Segment> segments,
                             double once_cycles, Bytes shared) {
  constexpr double kMostBlocks = std::numeric_limits<std::int32_t>::max();
  if (blocks > kMostBlocks) throw ModelError(name + ": more blocks than a grid may have");
  program::Kernel kernel;
  kernel.name = std::move(name);
  kernel.shape.grid.x = static_cast<std::uint32_t>(std::max(1.0, std::ceil(blocks)));
  kernel.shape.block.x = static_cast<std::uint32_t>(threads);
  kernel.shape.registers_per_thread = registers;
  kernel.shape.dynamic_shared = shared;
  kernel.work = program::InstructionWork{std::move(segments), once_cycles};
  return kernel;
}

OperatorTime one_after_another(const GpuSpec& gpu, std::initializer_list<OperatorTime> times) {
  OperatorTime out;
  Duration longest{};
  for (const OperatorTime& one : times) {
    if (one.time > longest) {
      longest = one.time;
      out.limiter = one.limiter;
      out.shape = one.shape;
    }
    if (out.time > Duration(0)) out.time += gpu.front_end.stream_gap;
    out.time += one.time;
    out.activity.dram_bytes += one.activity.dram_bytes;
    out.activity.l2_bytes += one.activity.l2_bytes;
    out.activity.instructions += one.activity.instructions;
  }
  out.clock = gpu.clock;
  return out;
}

double resident_blocks(const GpuSpec& gpu, const program::Kernel& kernel, double most) {
  const double slots =
      static_cast<double>(occupancy_of(gpu.sm, kernel.shape).blocks_per_sm) * gpu.sm_count;
  return std::clamp(most, 1.0, std::max(1.0, slots));
}

program::Kernel rows_read_thrice(const GpuSpec& gpu, std::string name, const program::Rowwise& what,
                                 double output_hit) {
  constexpr double kThreads = 1024;
  constexpr double kCode = 2000;
  constexpr double kVector = 16;  // bytes
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double row = what.columns * bytes_of(what.type);
  const double elements = kVector / bytes_of(what.type);
  const double turns = std::max(1.0, row / kVector / kThreads);
  program::Kernel kernel = short_kernel(std::move(name), what.rows, kThreads, 32, {},
                                        spec.once_cycles + spec.cold_code_cycles * kCode);
  const double kept = l2_hit_rate(gpu.kernel.memory, resident_blocks(gpu, kernel, what.rows) * row);
  const auto pass = [&](double functions, double hit, std::vector<program::MemoryBatch> more) {
    more.insert(more.begin(), load_batch(1, 16, 4, hit));
    return segment_of({{program::Pipe::kSfu, functions * elements},
                       {program::Pipe::kFma, 4 * elements},
                       {program::Pipe::kAlu, 4 * elements},
                       {program::Pipe::kOther, 12}},
                      60 + 10 * elements, std::move(more), turns);
  };
  const program::Segment tree = segment_of(
      {{program::Pipe::kShuffle, 10}, {program::Pipe::kAlu, 10}, {program::Pipe::kOther, 40}},
      spec.block_reduce_cycles);
  std::get<program::InstructionWork>(kernel.work).segments = {
      pass(0, what.state.l2_hit, {}), tree, pass(1, kept, {}), tree,
      pass(1, kept, {store_batch(1, 16, 4, output_hit)})};
  return kernel;
}

OperatorTime clear_time(const GpuSpec& gpu, double bytes) {
  OperatorTime out;
  out.time = gpu.kernel.block.ramp + from_seconds(bytes / gpu.copy.memset.count());
  out.clock = gpu.clock;
  out.activity.dram_bytes = bytes;
  out.limiter = Bottleneck::kDram;
  return out;
}

}  // namespace septet::gpu
