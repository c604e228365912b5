#include "models/gpu/operators/gemm.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/operators/gemm_tiles.hpp"
#include "models/gpu/operators/gemm_variants.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/serving.hpp"
#include "models/gpu/operators/tensor_rate.hpp"

namespace septet::gpu {
namespace {

constexpr double kStepBytes = 128;  // of k

// Operands of one step out of shared memory.
double shared_cycles(const TensorSpec& spec, Tile tile) {
  if (spec.mma_rows == 0) {  // through registers of warps that own a square of the tile
    const double area = tile.m * tile.n;
    const double side = area >= 128 * 128 ? 64.0 : area >= 32 * 32 ? 32.0 : 16.0;
    return 2.0 * kStepBytes * area / side / spec.shared_bytes;
  }
  constexpr double kInstructions = 4;  // of a step, each 32 bytes deep
  constexpr double kDepth = 32;
  const bool whole_m = std::fmod(tile.m, 64) == 0;
  const bool whole_n = std::fmod(tile.n, 64) == 0;
  const bool rows_along_n = whole_n && (!whole_m || tile.n >= tile.m);
  const double p = rows_along_n ? tile.n : tile.m;
  const double q = rows_along_n ? tile.m : tile.n;
  const double rows = spec.mma_rows;
  return kInstructions * std::ceil(p / rows) * kDepth * (rows + q / spec.pair) / spec.shared_bytes;
}

double stored_size(const program::Gemm& gemm, const GemmChoice& choice) {
  return choice.stored_size > 0 ? choice.stored_size : bytes_of(gemm.type);
}

// Of both operands.
double input_bytes(const program::Gemm& gemm, const GemmChoice& choice) {
  return gemm.batch *
         (gemm.m * gemm.k * bytes_of(gemm.type) + gemm.n * gemm.k * stored_size(gemm, choice));
}

struct Traffic {
  double read = 0;
  double write = 0;
};

// The tiles in flight form a nearly square patch; what one wave leaves in L2 serves the next.
double read_again(const GpuSpec& gpu, const program::Gemm& gemm, Tile tile, Tile tiles,
                  double split, const GemmChoice& choice) {
  constexpr double kCrowded = 0.7;  // of L2: less than this stays whole
  constexpr double kPanelsKept = 0.5;
  const double once = input_bytes(gemm, choice);
  const double waves = tiles.m * tiles.n * split / gpu.sm_count;
  const Bytes l2 = gpu.kernel.memory.l2_capacity;
  const double all = once + gemm.m * gemm.n * result_size(gemm);
  if (gemm.batch > 1 || waves <= 1 || all <= kCrowded * static_cast<double>(l2.count())) return 0;
  const double flight = gpu.sm_count / split;
  double along_m = std::min(tiles.m, std::max(1.0, std::sqrt(flight * tile.n / tile.m)));
  const double along_n = std::min(tiles.n, flight / along_m);
  along_m = std::min(tiles.m, flight / along_n);
  const double patch =
      (along_m * tile.m * bytes_of(gemm.type) + along_n * tile.n * stored_size(gemm, choice)) *
      gemm.k;
  const double miss = 1.0 - cyclic_hit(l2 / 2, l2 / 4, patch);
  return std::max(0.0, waves * patch - once) * miss * kPanelsKept;
}

Traffic traffic(const GpuSpec& gpu, const program::Gemm& gemm, Tile tile, Tile tiles, double split,
                const GemmChoice& choice) {
  const double output = written_bytes(gemm);
  Traffic out;
  out.read = input_bytes(gemm, choice) * (1.0 - gemm.state.l2_hit) +
             read_again(gpu, gemm, tile, tiles, split, choice);
  if (gemm.state.l2_dirty) {
    out.write = cold_writes(gpu, out.read, output);
  } else if (!gemm.state.output_stays) {
    out.write = output;
  }
  return out;
}

double first_latency(const GpuSpec& gpu, double hit) {
  const MemorySpec& memory = gpu.kernel.memory;
  return memory.l2_latency +
         (1.0 - hit) * (memory.dram_latency - memory.l2_latency + memory.stream_conflict_cycles +
                        gpu.operators.pipeline.first_touch_cycles);
}

// `stored`: bytes of b in memory over those that the tensor cores read.
void add_copies(const GpuSpec& gpu, Tile tile, Tile tiles, double stored, TileKernel& out) {
  const bool m_is_big = tile.m >= tile.n;
  const double big = m_is_big ? tile.m : tile.n * stored;
  const double small = m_is_big ? tile.n * stored : tile.m;
  const double users = m_is_big ? tiles.n : tiles.m;  // of one slice of the larger operand
  const double pair = std::min<double>(gpu.tensor.pair, users);
  const double cluster = std::min<double>(gpu.tensor.multicast, users);
  out.copy_bytes = (big / pair + small) * kStepBytes;
  out.l2_bytes = (big / cluster + small) * kStepBytes;
}

Duration reduce_time(const GpuSpec& gpu, const program::Gemm& gemm, double split, Frequency clock) {
  const double bytes = gemm.batch * gemm.m * gemm.n *
                       (bytes_of(program::DataType::kFp32) * split + result_size(gemm));
  return gpu.operators.call.node_gap + gpu.kernel.block.ramp +
         cycle_time(gpu.operators.gemm.split_reduce_cycles, clock) +
         from_seconds(bytes / gpu.kernel.memory.l2_bandwidth.count());
}

std::vector<double> splits(const GpuSpec& gpu, const program::Gemm& gemm, Tile tile,
                           const GemmChoice& choice) {
  constexpr double kMostBlocks = 1.3;  // of the SMs
  constexpr double kLeastSteps = 8;
  std::vector<double> out = {1};
  if (!choice.may_split) return out;
  const double tiles = gemm.batch * std::ceil(gemm.m / tile.m) * std::ceil(gemm.n / tile.n);
  const bool elements = family_of(gemm) == GemmFamily::kElements;
  const double steps = gemm.k * bytes_of(gemm.type) / (elements ? kStepBytes / 2 : kStepBytes);
  for (const double split : {2, 3, 4, 6, 8}) {
    if (tiles * split <= kMostBlocks * gpu.sm_count && steps / split >= kLeastSteps) {
      out.push_back(split);
    }
  }
  return out;
}

}  // namespace

TileKernel tiled(const GpuSpec& gpu, const program::Gemm& gemm, Tile tile, double split,
                 const GemmChoice& choice) {
  const double size = bytes_of(gemm.type);
  const double row = choice.tiles_in_a_row;
  const double groups = std::ceil(gemm.m / tile.m / row);
  const Tile tiles{gemm.m > tile.m ? groups * row : 1.0, std::ceil(gemm.n / tile.n)};
  const Traffic dram = traffic(gpu, gemm, tile, tiles, split, choice);
  const double part_size = split > 1 ? bytes_of(program::DataType::kFp32) : result_size(gemm);
  TileKernel out;
  out.tiles = gemm.batch * tiles.m * tiles.n * split;
  out.steps = std::ceil(gemm.k * size / kStepBytes / split);
  out.tensor = 2.0 * tile.m * tile.n * (kStepBytes / size) / tensor_rate(gpu.tensor, gemm.type);
  out.shared = shared_cycles(gpu.tensor, tile);
  add_copies(gpu, tile, tiles, stored_size(gemm, choice) / size, out);
  out.copy_bytes *= choice.copy_cost;
  out.dram_read = dram.read;
  out.dram_write = dram.write;
  out.start_cycles = gpu.operators.pipeline.start_cycles + first_latency(gpu, gemm.state.l2_hit);
  out.end_cycles = gpu.operators.gemm.epilogue_cycles;
  out.tile_end_cycles = tile.m * tile.n * part_size / gpu.operators.pipeline.copy_bytes;
  if (family_of(gemm) == GemmFamily::kElements) copy_by_elements(gpu, gemm, tile, split, out);
  out.activity = {dram.read + dram.write, out.l2_bytes * out.steps * out.tiles, operations(gemm),
                  gemm.type, gemm.switching};
  return out;
}

OperatorTime plan_time(const GpuSpec& gpu, const program::Gemm& gemm, const GemmPlan& plan,
                       Frequency clock) {
  OperatorTime out = pipeline_time(gpu, plan.kernel, clock);
  if (plan.split > 1) out.time += reduce_time(gpu, gemm, plan.split, clock);
  return out;
}

GemmPlan plan_gemm(const GpuSpec& gpu, const program::Gemm& gemm, const GemmChoice& choice) {
  const std::vector<Tile> tiles =
      choice.tile ? std::vector<Tile>{*choice.tile} : sensible_tiles(gpu.tensor, gemm);
  GemmPlan best;
  for (const Tile tile : tiles) {
    for (const double split : splits(gpu, gemm, tile, choice)) {
      GemmPlan plan{tile, split, tiled(gpu, gemm, tile, split, choice), {}};
      plan.alone = plan_time(gpu, gemm, plan, gpu.clock);
      if (best.kernel.tiles == 0 || plan.alone.time < best.alone.time) best = plan;
    }
  }
  return best;
}

OperatorTime plan_time(const GpuSpec& gpu, const program::Gemm& gemm, const GemmPlan& plan,
                       const program::LoadHistory& history) {
  return under_load(
      gpu, [&](Frequency clock) { return plan_time(gpu, gemm, plan, clock); }, history);
}

std::string plan_text(const GemmPlan& plan) {
  const std::string tiles =
      fmt::format("{} tiles of {} x {}", plan.kernel.tiles, plan.tile.m, plan.tile.n);
  return plan.split > 1 ? fmt::format("{}, k split into {}", tiles, plan.split) : tiles;
}

OperatorTime gemm_time(const GpuSpec& gpu, const program::Gemm& gemm, const GemmChoice& choice,
                       const program::LoadHistory& history) {
  return plan_time(gpu, gemm, plan_gemm(gpu, gemm, choice), history);
}

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Gemm& what,
                          const program::OperatorWork& work) {
  if (what.form == program::GemmForm::kInt4Weights) {
    return {int4_time(gpu, what), "weights unpacked for each 16 rows"};
  }
  if (what.form == program::GemmForm::kRowwiseScaled) {
    const GemmPlan plan = plan_gemm(gpu, what, rowwise_choice(what));
    return {plan_time(gpu, what, plan, work.load), plan_text(plan)};
  }
  if (work.library == program::Library::kVllm && what.type == program::DataType::kFp8) {
    return {serving_gemm(gpu, what, work.load), "fp8 tiles by rows, after conversion to fp8"};
  }
  const GemmPlan plan = plan_gemm(gpu, what);
  return {plan_time(gpu, what, plan, work.load), plan_text(plan)};
}

}  // namespace septet::gpu
