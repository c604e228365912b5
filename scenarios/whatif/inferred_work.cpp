#include "scenarios/whatif/inferred_work.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/kernel_time.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "models/gpu/operators/flash.hpp"
#include "models/gpu/operators/gemm.hpp"

namespace septet::whatif {
namespace {

constexpr double kStepBytes = 128;  // of k, of a product's step
constexpr double kFewRows = 64;     // a tile's side below this: there are no more rows

double blocks_of(const InferredWork& work) { return static_cast<double>(work.shape.blocks()); }

// Blocks and steps on another GPU: one wave that filled the SMs fills those of the other GPU, as
// persistent kernels do and libraries see to.
struct Spread {
  double blocks = 1;
  double steps = 1;
};

Spread spread_on(const gpu::GpuSpec& gpu, const InferredWork& work) {
  constexpr double kFull = 0.9;
  const double blocks = blocks_of(work);
  const double then = work.recorded_sms;
  if (blocks < kFull * then || blocks > then) return {blocks, work.amount};
  const double more = gpu.sm_count / then;
  return {blocks * more, work.amount / more};
}

// fp8 without matrix instructions for it is computed in 16 bits.
program::DataType type_on(const gpu::GpuSpec& gpu, program::DataType type) {
  const bool lacks = type == program::DataType::kFp8 && gpu.tensor.fp8_flops <= 0;
  return lacks ? program::DataType::kBf16 : type;
}

Duration product_time(const gpu::GpuSpec& gpu, const InferredWork& work) {
  const Spread spread = spread_on(gpu, work);
  const gpu::Tile tile{work.what.rows, work.what.columns};
  const bool few = std::min(tile.m, tile.n) < kFewRows;
  double along_m = std::sqrt(spread.blocks * tile.n / tile.m);
  if (few) along_m = tile.m < tile.n ? 1.0 : spread.blocks;
  along_m = std::clamp(along_m, 1.0, spread.blocks);
  program::Gemm gemm;
  gemm.type = type_on(gpu, work.what.type);
  gemm.m = tile.m * along_m;
  gemm.n = tile.n * spread.blocks / along_m;
  // In elements of the recorded type: 16 bits instead of 8 take twice the steps.
  gemm.k = spread.steps * kStepBytes / bytes_of(work.what.type);
  gemm.state = program::kColdOperands;
  gpu::TileKernel kernel = tiled(gpu, gemm, tile, 1);
  kernel.tiles = spread.blocks;
  kernel.steps = gemm.k * bytes_of(gemm.type) / kStepBytes;  // fractions too
  return pipeline_time(gpu, kernel, gpu.clock).time;
}

// What a recording does not say: a block for each SM, of 256 threads, with 32 registers.
program::LaunchShape completed(program::LaunchShape shape, std::uint32_t sm_count) {
  constexpr std::uint32_t kThreads = 256;
  constexpr std::uint32_t kRegisters = 32;
  if (shape.threads_per_block() == 0) shape.block = {kThreads, 1, 1};
  if (shape.blocks() == 0) shape.grid = {sm_count, 1, 1};
  if (shape.registers_per_thread == 0) shape.registers_per_thread = kRegisters;
  return shape;
}

// As it can be launched on this GPU: shared memory that an SM of it doesn't have is left out.
program::LaunchShape shape_on(const gpu::GpuSpec& gpu, program::LaunchShape shape) {
  const Bytes room = gpu.sm.shared_per_block_max - shape.static_shared;
  shape.dynamic_shared = std::min(shape.dynamic_shared, room);
  return shape;
}

// Blocks of a decode kernel that an SM runs at once.
double blocks_together(const gpu::GpuSpec& gpu, const InferredWork& work, double blocks) {
  const program::LaunchShape shape = shape_on(gpu, work.shape);
  if (why_impossible(gpu.sm, shape)) return 1;
  const double room = occupancy_of(gpu.sm, shape).blocks_per_sm;
  return std::min(room, std::ceil(blocks / gpu.sm_count));
}

Duration attention_time(const gpu::GpuSpec& gpu, const InferredWork& work) {
  const Spread spread = spread_on(gpu, work);
  program::Attention attention;
  attention.dim = static_cast<std::uint64_t>(work.what.depth);
  attention.type = type_on(gpu, work.what.type);
  const gpu::FlashTile tile{work.what.rows, work.what.columns};
  const bool few = tile.queries < kFewRows;
  const gpu::CudnnSpec& spec = gpu.operators.cudnn;
  const double bytes = gpu::step_bytes(attention, tile.keys);
  const double together = few ? blocks_together(gpu, work, spread.blocks) : 1.0;
  gpu::TileKernel kernel;
  kernel.tiles = spread.blocks / together;
  kernel.steps = spread.steps;
  kernel.tensor = arithmetic_cycles(gpu, attention, tile, spec.softmax_per_cycle);
  if (few) kernel.shared = spec.decode_step_cycles + bytes / spec.decode_copy_bytes;
  kernel.copy_bytes = kernel.l2_bytes = together * bytes;
  if (few) kernel.dram_read = bytes * spread.blocks * spread.steps;
  kernel.start_cycles = few ? spec.decode_unit_cycles : spec.start_cycles;
  kernel.tile_end_cycles = few ? 0.0 : spec.tile_cycles;
  return pipeline_time(gpu, kernel, gpu.clock).time;
}

Duration pass_time(const gpu::GpuSpec& gpu, const InferredWork& work) {
  constexpr double kInFlight = 8;
  constexpr double kSectors = 16;
  constexpr double kRequestsOfAmount = 4;
  constexpr double kInstructions = 8;  // of one request, address and arithmetic
  constexpr double kChain = 60;        // cycles of an iteration
  const program::LaunchShape shape = shape_on(gpu, work.shape);
  const double warps = static_cast<double>(shape.blocks()) *
                       static_cast<double>(gpu::warps_for(shape.threads_per_block()));
  const double requests = kRequestsOfAmount * work.amount;
  const double at_once = std::clamp(requests, 1.0, kInFlight);
  const double sectors = kSectors * std::min(1.0, requests);
  const double bytes = 1.5 * warps * requests * kSectors * 32;
  const double hit = replayed_hit(gpu, bytes);
  program::Segment iteration;
  iteration.repeat = std::max(1.0, requests / kInFlight);
  iteration[program::Pipe::kOther] = kInstructions * at_once;
  iteration[program::Pipe::kLsu] = 1.5 * at_once;
  iteration.chain_cycles = kChain + iteration[program::Pipe::kOther];
  program::MemoryBatch loads;
  loads.requests = at_once;
  loads.sectors = sectors;
  loads.lines = std::max(1.0, sectors / 4);
  loads.l2_hit = hit;
  program::MemoryBatch stores = loads;
  stores.requests = at_once / 2;
  stores.write = true;
  iteration.batches = {loads, stores};
  program::InstructionWork instructions;
  instructions.segments = {iteration};
  instructions.once_cycles = gpu.operators.rowwise.once_cycles;
  return kernel_time(gpu, shape, instructions).total;
}

}  // namespace

Duration time_on(const gpu::GpuSpec& gpu, const InferredWork& work) {
  switch (work.what.work) {
    case WorkClass::kProduct:
      return product_time(gpu, work);
    case WorkClass::kAttention:
      return attention_time(gpu, work);
    case WorkClass::kCollective:
    case WorkClass::kOther:
      break;
  }
  return pass_time(gpu, work);
}

InferredWork infer_work(const gpu::GpuSpec& gpu, const program::Kernel& kernel, Duration recorded) {
  constexpr double kLeast = 1.0 / 64;
  constexpr double kMost = 1e9;
  constexpr int kHalvings = 48;
  InferredWork work{recorded_class(kernel.name), completed(kernel.shape, gpu.sm_count), kLeast,
                    gpu.sm_count};
  double low = std::log(kLeast);
  double high = std::log(kMost);
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    work.amount = std::exp(middle);
    (time_on(gpu, work) < recorded ? low : high) = middle;
  }
  work.amount = std::exp(low);
  return work;
}

}  // namespace septet::whatif
