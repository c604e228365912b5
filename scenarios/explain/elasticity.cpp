#include "scenarios/explain/elasticity.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace septet::explain {
namespace {

constexpr double kStep = 0.01;  // change of a group, up and down

void slow_rate(ByteRate& rate, double factor) { rate = ByteRate(rate.count() / factor); }

void slow_times(std::initializer_list<Duration*> times, double factor) {
  for (Duration* time : times) *time = scale(*time, factor);
}

void slow_cycles(std::initializer_list<double*> cycles, double factor) {
  for (double* c : cycles) *c *= factor;
}

void slow_rates(std::initializer_list<double*> per_cycle, double factor) {
  for (double* rate : per_cycle) *rate /= factor;
}

void dispatch(gpu::GpuSpec& gpu, double factor) {
  gpu::BlockSchedulerSpec& d = gpu.block_scheduler;
  slow_times({&d.block_interval, &d.block_overhead, &d.block_overhead_per_warp}, factor);
}

// Kernels in addition to the main one: their gaps, and the time of the small ones.
void helpers(gpu::GpuSpec& gpu, double factor) {
  gpu::OperatorSpec& o = gpu.operators;
  slow_times(
      {&o.call.node_gap, &o.call.helper_kernel, &o.flash3.schedule, &o.flash3.combine,
       &o.cudnn.decode_combine, &o.gemm.atomic_interval, &o.grouped.prepare, &o.flash2.combine,
       &o.rowwise.sort_pass, &o.rowwise.grid_reduce, &gpu.front_end.stream_gap},
      factor);
  slow_cycles({&o.gemm.split_reduce_cycles, &o.flash3.search_cycles}, factor);
}

void block_life(gpu::GpuSpec& gpu, double factor) {
  gpu::BlockLifeSpec& b = gpu.kernel.block;
  gpu::OperatorSpec& o = gpu.operators;
  slow_times({&b.ramp, &b.grid_sync, &b.grid_sync_per_block}, factor);
  slow_cycles({&b.turnover_cycles, &b.turnover_cycles_per_warp, &o.pipeline.start_cycles,
               &o.cudnn.start_cycles, &o.cudnn.decode_unit_cycles},
              factor);
}

void fetch(gpu::GpuSpec& gpu, double factor) {
  gpu::FetchSpec& f = gpu.kernel.fetch;
  gpu::RowwiseSpec& r = gpu.operators.rowwise;
  slow_cycles({&f.cycles_from_l15, &f.cycles_from_l2, &gpu.kernel.cold.fetch_cycles, &r.once_cycles,
               &r.cold_code_cycles},
              factor);
}

void pipes(gpu::GpuSpec& gpu, double factor) {
  for (gpu::PipeSpec& pipe : gpu.kernel.pipes)
    slow_cycles({&pipe.interval, &pipe.sm_interval}, factor);
}

void tensor(gpu::GpuSpec& gpu, double factor) {
  gpu::TensorSpec& t = gpu.tensor;
  gpu::OperatorSpec& o = gpu.operators;
  slow_rates(
      {&t.bf16_flops, &t.fp8_flops, &t.tf32_flops, &t.fp32_flops, &o.mma.flops, &o.flash2.flops},
      factor);
}

void softmax(gpu::GpuSpec& gpu, double factor) {
  gpu::OperatorSpec& o = gpu.operators;
  slow_rates({&o.cudnn.softmax_per_cycle, &o.flash2.softmax_per_cycle, &o.flash3.softmax_per_cycle},
             factor);
  slow_cycles({&o.cudnn.backward_step_cycles}, factor);
}

// What a tile or row waits for its own instructions.
void dependency(gpu::GpuSpec& gpu, double factor) {
  gpu::OperatorSpec& o = gpu.operators;
  slow_cycles(
      {&o.pipeline.step_cycles, &o.cudnn.tile_cycles, &o.cudnn.mask_cycles,
       &o.cudnn.decode_step_cycles, &o.flash2.tile_cycles, &o.flash3.tile_cycles,
       &o.grouped.tile_cycles, &o.cudnn.backward_tile_cycles, &gpu.kernel.issue.branch_cycles},
      factor);
}

void shared_memory(gpu::GpuSpec& gpu, double factor) {
  slow_rates({&gpu.tensor.shared_bytes}, factor);
  slow_cycles({&gpu.operators.gemm.epilogue_cycles}, factor);
}

void l1(gpu::GpuSpec& gpu, double factor) { slow_rates({&gpu.kernel.memory.l1_bytes}, factor); }

void port(gpu::GpuSpec& gpu, double factor) {
  gpu::MemorySpec& m = gpu.kernel.memory;
  gpu::OperatorSpec& o = gpu.operators;
  slow_rates({&m.warp_port_bytes, &m.sm_port_bytes, &o.pipeline.copy_bytes,
              &o.cudnn.decode_copy_bytes, &o.cudnn.backward_row_bytes, &o.flash3.row_bytes},
             factor);
  slow_cycles({&m.port_queue_cycles, &o.mma.access_cycles, &o.mma.store_cycles}, factor);
}

void l2(gpu::GpuSpec& gpu, double factor) {
  slow_rate(gpu.kernel.memory.l2_bandwidth, factor);
  slow_cycles({&gpu.kernel.memory.l2_queue_cycles}, factor);
  slow_rates({&gpu.operators.rowwise.atomics_per_second}, factor);
}

void dram(gpu::GpuSpec& gpu, double factor) {
  gpu::MemorySpec& m = gpu.kernel.memory;
  slow_rate(m.dram_bandwidth, factor);
  slow_rate(gpu.copy.memset, factor);
  slow_times({&m.dram_row_time}, factor);
  slow_cycles({&m.dram_queue_cycles, &m.dram_write_queue_cycles}, factor);
}

void memory_latency(gpu::GpuSpec& gpu, double factor) {
  gpu::MemorySpec& m = gpu.kernel.memory;
  slow_cycles({&m.l1_latency, &m.shared_latency, &m.l2_latency, &m.dram_latency,
               &m.stream_conflict_cycles, &m.dram_spread_cycles, &m.l2_spread_cycles,
               &m.tlb_miss_cycles, &gpu.kernel.cold.first_touch_cycles,
               &gpu.kernel.cold.parameter_cycles, &gpu.operators.pipeline.first_touch_cycles},
              factor);
}

// Elasticity of `time_at(1)` in its argument.
double elasticity(const std::function<Duration(double)>& time_at) {
  const double slower = to_seconds(time_at(1.0 + kStep));
  const double faster = to_seconds(time_at(1.0 / (1.0 + kStep)));
  return std::max(0.0, std::log(slower / faster) / (2.0 * std::log(1.0 + kStep)));
}

Duration with_work(const gpu::GpuSpec& gpu, const KernelDescription& kernel, double instructions,
                   double wavefronts) {
  program::InstructionWork work = work_of(kernel);
  for (program::Segment& segment : work.segments) {
    for (double& n : segment.instructions) n *= instructions;
    for (double& n : segment.bank_conflicts) n *= instructions;
    segment.async_tensor_cycles *= instructions;
    segment.shared_wavefronts *= wavefronts;
  }
  return kernel_time(gpu, kernel.shape, work).total;
}

}  // namespace

const std::vector<HardwareGroup>& hardware_groups() {
  using B = gpu::Bottleneck;
  static const std::vector<HardwareGroup> kGroups = {
      {"dispatch", Stage::kDistribution, B::kDispatch, Bound::kLatency, dispatch},
      {"helper kernels", Stage::kDistribution, B::kDispatch, Bound::kLatency, helpers},
      {"start and end of blocks", Stage::kCreation, B::kDependency, Bound::kLatency, block_life},
      {"instruction fetch", Stage::kFetch, B::kFetch, Bound::kLatency, fetch},
      {"pipes", Stage::kExecution, B::kPipe, Bound::kCompute, pipes},
      {"tensor cores", Stage::kExecution, B::kPipe, Bound::kCompute, tensor},
      {"softmax", Stage::kExecution, B::kPipe, Bound::kCompute, softmax},
      {"instruction latency", Stage::kExecution, B::kDependency, Bound::kLatency, dependency},
      {"shared memory", Stage::kMemory, B::kSharedMemory, Bound::kMemory, shared_memory},
      {"L1 bandwidth", Stage::kMemory, B::kL1, Bound::kMemory, l1},
      {"SM port", Stage::kMemory, B::kSmPort, Bound::kMemory, port},
      {"L2 bandwidth", Stage::kMemory, B::kL2, Bound::kMemory, l2},
      {"DRAM bandwidth", Stage::kMemory, B::kDram, Bound::kMemory, dram},
      {"memory latency", Stage::kMemory, B::kMemoryLatency, Bound::kLatency, memory_latency},
  };
  return kGroups;
}

std::vector<double> elasticities(const gpu::GpuSpec& gpu,
                                 const std::function<Duration(const gpu::GpuSpec&)>& time_on) {
  std::vector<double> out;
  for (const HardwareGroup& group : hardware_groups()) {
    out.push_back(elasticity([&](double factor) {
      gpu::GpuSpec changed = gpu;
      group.slow(changed, factor);
      return time_on(changed);
    }));
  }
  return out;
}

BoundShares bound_shares(const std::vector<double>& elasticities) {
  BoundShares out;
  for (std::size_t g = 0; g < elasticities.size(); ++g) {
    const Bound bound = hardware_groups()[g].bound;
    if (bound == Bound::kMemory) out.memory += elasticities[g];
    if (bound == Bound::kCompute) out.compute += elasticities[g];
  }
  out.latency = std::max(0.0, 1.0 - out.memory - out.compute);
  return out;
}

BoundShares bound_shares(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const auto on = [&](const gpu::GpuSpec& changed) {
    return kernel_time(changed, kernel.shape, work_of(kernel)).total;
  };
  BoundShares out = bound_shares(elasticities(gpu, on));
  out.compute = elasticity([&](double f) { return with_work(gpu, kernel, f, 1.0); });
  out.memory += elasticity([&](double f) { return with_work(gpu, kernel, 1.0, f); });
  out.latency = std::max(0.0, 1.0 - out.memory - out.compute);
  return out;
}

}  // namespace septet::explain
