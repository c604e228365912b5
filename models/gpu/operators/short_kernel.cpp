#include "models/gpu/operators/short_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.hpp"

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

}  // namespace septet::gpu
