#include "scenarios/validate/kernel_cases.hpp"

namespace septet::validation {
namespace {

// From a load's answer to the next iteration's load: index, compare, branch, address.
constexpr double kStrideLoopCycles = 40;

// Adding up what was loaded, so that loads are used: chains of 4-cycle additions.
double reduction_cycles(const StreamLoop& loop) {
  if (loop.write) return 2.0 * loop.unroll;
  constexpr double kVectorOf16 = 12;  // three more additions
  return (loop.vec == 16 ? kVectorOf16 : 0.0) + 4.0 * loop.unroll;
}

std::string limiter_name(const gpu::KernelTime& time) { return std::string(text_of(time.limiter)); }

}  // namespace

program::Kernel described_kernel(const MeasuredRow& row, std::vector<program::Segment> segments) {
  program::Kernel kernel = row_kernel(row, 0.0);
  kernel.name = row.has("what") ? row.text("what") : row.group;
  const char* registers = row.has("regs") ? "regs" : "registers";
  if (row.has(registers)) {
    kernel.shape.registers_per_thread = static_cast<std::uint32_t>(row.integer(registers));
  }
  if (row.has("smem")) kernel.shape.static_shared = Bytes(row.integer("smem"));
  kernel.work = program::InstructionWork{std::move(segments)};
  return kernel;
}

program::Segment stream_segment(const StreamLoop& loop, double iterations) {
  program::Segment out;
  const double accesses = loop.unroll * (loop.write ? 2 : 1);
  out.repeat = iterations;
  out[program::Pipe::kLsu] = accesses;
  out[program::Pipe::kOther] = loop.instructions - accesses;
  out.chain_cycles = kStrideLoopCycles + loop.instructions + reduction_cycles(loop);
  program::MemoryBatch loads;
  loads.requests = loop.unroll;
  loads.sectors = loop.vec;  // 32 lanes of `vec` bytes in sectors of 32
  loads.lines = loop.vec / 4;
  loads.l2_hit = loop.l2_hit;
  out.batches.push_back(loads);
  if (loop.write) {
    program::MemoryBatch stores = loads;
    stores.write = true;
    out.batches.push_back(stores);
  }
  return out;
}

program::Segment roofline_segment(double bytes, double threads, double fma, double other) {
  constexpr double kFold = 16;  // four chains into one
  StreamLoop loop;
  program::Segment segment = stream_segment(loop, loop_iterations(bytes, loop, threads));
  segment.instructions = {};
  segment[program::Pipe::kFma] = fma;
  segment[program::Pipe::kLsu] = 1;
  segment[program::Pipe::kOther] = other - 1;
  segment.chain_cycles = kStrideLoopCycles + other + kFold + fma;
  return segment;
}

double loop_iterations(double bytes, const StreamLoop& loop, double threads_of_grid) {
  return bytes / (loop.vec * loop.unroll * threads_of_grid);
}

Prediction device_time(const program::Kernel& kernel, const system::SystemSpec& system,
                       std::int64_t launches) {
  const CaseRun run = run_between_events(kernel, system, launches);
  const auto& work = std::get<program::InstructionWork>(kernel.work);
  return {to_us(run.between_events()), limiter_name(kernel_time(system.gpu, kernel.shape, work))};
}

Prediction own_cycles(const program::Kernel& kernel, const system::SystemSpec& system) {
  const gpu::GpuSpec& gpu = system.gpu;
  const gpu::KernelTime time =
      kernel_time(gpu, kernel.shape, std::get<program::InstructionWork>(kernel.work));
  const Duration own = time.total - time.creation - time.dispatch;
  return {to_seconds(own) * gpu.clock.count(), limiter_name(time)};
}

}  // namespace septet::validation
