// Group claim: what an article says about kernels, measured.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "scenarios/validate/kernel_cases.hpp"

namespace septet::validation {
namespace {

const gpu::KernelSpec& kernel_spec(const system::SystemSpec& system) { return system.gpu.kernel; }

// Dependent gathers, each lane another sector. The random function contracts while it runs, so that
// what is still visited lies in the L2 cache.
Prediction register_pressure(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kOther = 10;
  constexpr double kChain = 32;
  const double live = row.number("live");
  program::Segment segment;
  segment.repeat = row.number("iters");
  segment[program::Pipe::kFma] = live;
  segment[program::Pipe::kOther] = kOther;
  segment[program::Pipe::kLsu] = 1;
  segment.chain_cycles = live + kChain;
  program::MemoryBatch load;
  load.sectors = row.number("sectors_per_warp_load");
  load.lines = load.sectors;
  load.footprint_bytes = row.number("footprint_bytes_last");
  load.l2_hit = l2_hit_rate(kernel_spec(system).memory, load.footprint_bytes);
  segment.batches = {load};
  return device_time(described_kernel(row, {segment}), system);
}

double per_reduction(const MeasuredRow& row, const char* instruction) {
  const auto& counts = row.case_->at("per_reduction");
  return counts.contains(instruction) ? counts.at(instruction).get<double>() : 0.0;
}

// Sums of a warp by shuffles, by a reduction instruction, or by steps in shared memory.
Prediction warp_reduce(const MeasuredRow& row, const system::SystemSpec& system) {
  const gpu::KernelSpec& spec = kernel_spec(system);
  const double add = spec.pipe(program::Pipe::kFma).latency;
  const double shuffles = per_reduction(row, "SHFL");
  const double reductions = per_reduction(row, "REDUX");
  const double loads = per_reduction(row, "LDS");
  const double stores = per_reduction(row, "STS");
  const double barriers = per_reduction(row, "BAR");
  const double warp_barriers = per_reduction(row, "WARPSYNC");
  program::Segment segment;
  segment.repeat = row.number("reductions");
  segment[program::Pipe::kShuffle] = shuffles;
  segment[program::Pipe::kReduce] = reductions;
  segment[program::Pipe::kLsu] = loads + stores;
  segment[program::Pipe::kFma] = per_reduction(row, "FADD") + per_reduction(row, "FFMA");
  segment[program::Pipe::kOther] =
      3 + per_reduction(row, "LEA") + barriers + warp_barriers + (loads > 0 ? 5 : 0);
  // Steps of a chain: shuffle and add; reduce and add; store, load the partner's value and add.
  constexpr double kBarrierCycles = 25;
  constexpr double kStoreToLoad = 6;
  constexpr double kCompareAndJump = 8;
  segment.chain_cycles = shuffles * (spec.pipe(program::Pipe::kShuffle).latency + add) +
                         reductions * (spec.pipe(program::Pipe::kReduce).latency + add) +
                         stores * (spec.memory.shared_latency + kStoreToLoad) +
                         (stores > 1 ? stores - 1 : 0) * (add + kCompareAndJump) +
                         barriers * kBarrierCycles + add + spec.issue.branch_cycles;
  return device_time(described_kernel(row, {segment}), system);
}

Prediction split_body(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kOther = 12;
  constexpr double kEnds = 20;
  const double body = row.number("body_instr");
  program::Segment segment;
  segment[program::Pipe::kFma] = body;
  segment[program::Pipe::kOther] = kOther;
  segment.chain_cycles = body + kEnds;
  segment.code_bytes = body * kernel_spec(system).fetch.instruction_bytes;
  return device_time(described_kernel(row, {segment}), system, row.integer("launches"));
}

Prediction vector_copy(const MeasuredRow& row, const system::SystemSpec& system) {
  StreamLoop loop;
  loop.vec = row.number("vec");
  loop.unroll = row.number("unroll");
  loop.instructions = row.number("loop_instructions");
  loop.write = true;
  const double threads = row.number("blocks") * row.number("threads");
  const double iterations = loop_iterations(row.number("bytes_read"), loop, threads);
  return device_time(described_kernel(row, {stream_segment(loop, iterations)}), system);
}

// Every thread copies one element.
Prediction one_element_copy(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kOther = 13;
  constexpr double kChain = 70;
  StreamLoop loop;
  loop.vec = row.number("vec");
  loop.write = true;
  program::Segment segment = stream_segment(loop, 1);
  segment[program::Pipe::kOther] = kOther;
  segment.chain_cycles = kChain;
  return device_time(described_kernel(row, {segment}), system);
}

// Tiles of 32 x 32 through shared memory, four rows a warp.
Prediction transpose(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kRows = 4;
  const gpu::MemorySpec& memory = kernel_spec(system).memory;
  program::MemoryBatch loads;
  loads.requests = kRows;
  loads.l2_hit = l2_hit_rate(memory, row.number("bytes_read") + row.number("bytes_written"));
  program::MemoryBatch stores = loads;
  stores.write = true;
  program::Segment segment;
  segment[program::Pipe::kLsu] = 4 * kRows;
  segment[program::Pipe::kOther] = 40;
  segment.shared_wavefronts = kRows * (row.number("shared_read_conflict_ways") - 1);
  segment.chain_cycles = 70 + 60;  // both halves, and the barrier between them
  segment.batches = {loads, stores};
  return device_time(described_kernel(row, {segment}), system);
}

// A step of `kernels` short kernels, launched one by one, as a graph, or as one kernel whose blocks
// meet after each part.
Prediction token(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t kernels = row.integer("kernels");
  const double spin = row.number("spin_us");
  const std::string how = row.text("how");
  program::ProgramBuilder builder;
  const std::uint32_t stream = builder.stream();
  program::Kernel kernel = row_kernel(row, spin);
  if (how == "one_kernel_grid_sync") {
    program::FixedBlockWork& work = std::get<program::FixedBlockWork>(kernel.work);
    const gpu::BlockLifeSpec& block = kernel_spec(system).block;
    const Duration meeting =
        block.grid_sync + block.grid_sync_per_block * (row.integer("blocks") - 1);
    work.block_time = (work.block_time + meeting) * kernels;
  }
  const std::uint32_t index = builder.kernel(kernel);
  if (how == "graph")
    builder.graph(program::chain_graph(index, static_cast<std::uint32_t>(kernels)));
  builder.thread();
  if (how == "graph") builder.launch_graph(0, stream);
  const std::int64_t launches = how == "eager" ? kernels : how == "graph" ? 0 : 1;
  for (std::int64_t k = 0; k < launches; ++k) builder.launch(index, stream);
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

}  // namespace

std::vector<CaseKind> claim_cases() {
  return {{"claim", "register_pressure", register_pressure},
          {"claim", "warp_reduce", warp_reduce},
          {"claim", "split_body", split_body},
          {"claim", "vector_copy", vector_copy},
          {"claim", "one_element_copy", one_element_copy},
          {"claim", "transpose", transpose},
          {"claim", "token", token}};
}

}  // namespace septet::validation
