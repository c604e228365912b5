// Group power: loads that last until the clock has settled. A load is a call that a host repeats;
// the board's power is that of its bytes and operations over the time of a call.
#include <algorithm>
#include <functional>
#include <map>

#include "models/gpu/operators/attention.hpp"
#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "scenarios/validate/kernel_cases.hpp"

namespace septet::validation {
namespace {

// CPU time of a PyTorch call of a product in a loop, below which calls can't follow each other;
// read off the smallest product of this group.
constexpr Duration kProductCall = 16_us;

constexpr program::LoadHistory kSteady{.steady = true};

// One call at a clock, the gap to the next included.
using Call = std::function<gpu::OperatorTime(Frequency)>;
using Load = std::function<Call(const MeasuredRow&, const gpu::GpuSpec&)>;

Duration gap(const gpu::GpuSpec& gpu) {
  return gpu.front_end.stream_gap + gpu.block_scheduler.block_overhead;
}

// Threads copy 16 bytes at a time in four instructions.
constexpr double kInstructionsPerByte = 4.0 / 16.0;

Call copy_of(const gpu::GpuSpec& gpu, double bytes, ByteRate rate, bool memory_bound) {
  const double moved = 2 * bytes;
  const gpu::Activity activity{
      memory_bound ? moved : 0,     moved,       0, program::DataType::kBf16, 1,
      moved * kInstructionsPerByte, memory_bound};
  const Duration time = from_seconds(bytes / rate.count()) + gpu.copy.device_to_device_latency;
  return [=, &gpu](Frequency clock) {
    return gpu::OperatorTime{time + gap(gpu), clock, activity,
                             memory_bound ? gpu::Bottleneck::kDram : gpu::Bottleneck::kL2};
  };
}

Call copy_in_dram(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  return copy_of(gpu, row.number("bytes_read"), gpu.copy.device_to_device, true);
}

Call copy_in_l2(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  return copy_of(gpu, row.number("bytes_read"), gpu.copy.device_to_device_in_l2, false);
}

// A sum of two-byte elements.
Call sum(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  constexpr double kInstructionsOfElement = 2.5;
  constexpr double kElement = 2;
  const double bytes = row.number("bytes_read");
  const gpu::Activity activity{
      bytes, bytes, 0, program::DataType::kBf16, 1, bytes / kElement * kInstructionsOfElement,
      true};
  const Duration time =
      operator_time(gpu, {program::SumAll{.elements = bytes / kElement}}).time + gap(gpu);
  return [=](Frequency clock) {
    return gpu::OperatorTime{time, clock, activity, gpu::Bottleneck::kDram};
  };
}

program::Gemm gemm_of(const MeasuredRow& row, program::DataType type) {
  return {.m = row.number("m"), .n = row.number("n"), .k = row.number("k"), .type = type};
}

Call product(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  program::Gemm what = gemm_of(row, row.data_type());
  gpu::GemmChoice choice;
  if (what.type == program::DataType::kFp32) {  // the FMA pipes' kernels have one tile
    what.output_size = bytes_of(what.type);
    choice = {gpu::Tile{128, 128}, 1, false};
  }
  what.state.l2_hit = replayed_hit(gpu, operand_bytes(what));
  const gpu::GemmPlan plan = plan_gemm(gpu, what, choice);
  return [=, &gpu](Frequency clock) {
    gpu::OperatorTime out = plan_time(gpu, what, plan, clock);
    out.time = std::max(out.time + gap(gpu), kProductCall);
    return out;
  };
}

// A graph of products with different weights, each read once.
Call decode_products(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  const double count = row.number("count");
  const program::Gemm what = gemm_of(row, program::DataType::kBf16);
  const gpu::GemmPlan plan = plan_gemm(gpu, what);
  return [=, &gpu](Frequency clock) {
    gpu::OperatorTime out = plan_time(gpu, what, plan, clock);
    out.time = scale(out.time + gpu.operators.call.node_gap, count) + gap(gpu);
    out.activity.dram_bytes *= count;
    out.activity.l2_bytes *= count;
    out.activity.flops *= count;
    out.activity.memory_bound = out.limiter == gpu::Bottleneck::kDram;
    return out;
  };
}

Call prefill(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  program::Attention what;
  what.batch = static_cast<std::uint64_t>(row.integer("batch"));
  what.heads = what.kv_heads = static_cast<std::uint64_t>(row.integer("heads"));
  what.queries = what.keys = static_cast<std::uint64_t>(row.integer("seq"));
  what.dim = static_cast<std::uint64_t>(row.integer("dim"));
  what.causal = true;
  return [=, &gpu](Frequency clock) {
    gpu::OperatorTime out = cudnn_prefill_at(gpu, what, clock);
    out.time += gap(gpu);
    return out;
  };
}

const std::map<std::string, Load>& loads() {
  static const std::map<std::string, Load> kLoads = {
      {"hbm_copy", copy_in_dram},        {"hbm_read", sum},
      {"l2_copy", copy_in_l2},           {"gemm", product},
      {"decode_gemms", decode_products}, {"attention_prefill", prefill}};
  return kLoads;
}

constexpr double kHertzPerMegahertz = 1e6;

Prediction clock_row(Frequency clock) { return {clock.count() / kHertzPerMegahertz, "power"}; }

// `asleep`: so long that the clocks went down.
Prediction idle(const MeasuredRow& row, const gpu::GpuSpec& gpu, bool asleep) {
  if (row.metric == "sm_clock") return clock_row(asleep ? gpu.power.idle_clock : gpu.clock);
  if (row.metric != "power") return unsupported("no metric " + row.metric + " for this case");
  const double watts = asleep ? gpu.power.idle.count() : board_power(gpu.power, {}, 1.0).count();
  return {watts, "idle"};
}

Prediction steady(const MeasuredRow& row, const gpu::GpuSpec& gpu, const Load& load) {
  const Call call = load(row, gpu);
  const gpu::OperatorTime full = call(gpu.clock);
  const gpu::OperatorTime settled = under_load(gpu, call, kSteady);
  if (row.metric == "sm_clock") return clock_row(settled.clock);
  if (row.metric == "wall_per_call")
    return {to_us(settled.time), std::string(text_of(settled.limiter))};
  if (row.metric != "power") return unsupported("no metric " + row.metric + " for this case");
  const gpu::LoadPower watts = load_power(gpu.power, full.activity, full.time);
  const double relative = ratio(settled.clock, gpu.clock);
  return {board_power(gpu.power, watts, relative).count(), "power"};
}

Prediction power(const MeasuredRow& row, const system::SystemSpec& system) {
  const gpu::GpuSpec& gpu = system.gpu;
  const std::string name = row.text("load");
  if (row.metric == "mem_clock") return clock_row(gpu.power.memory_clock);
  if (row.metric == "temperature") return unsupported("temperature is not modelled");
  if (name == "idle") return idle(row, gpu, true);
  if (name == "idle_after") return idle(row, gpu, false);
  const auto found = loads().find(name);
  if (found == loads().end()) return unsupported("no load " + name);
  return steady(row, gpu, found->second);
}

}  // namespace

std::vector<CaseKind> power_cases() { return {{"power", "", power}}; }

}  // namespace septet::validation
