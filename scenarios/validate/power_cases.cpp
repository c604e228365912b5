// Group power: loads that last until the clock has settled. A load is a call that a host repeats;
// the board's power is that of its bytes and operations over the time of a call.
#include <algorithm>
#include <functional>
#include <map>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "scenarios/validate/kernel_cases.hpp"
#include "scenarios/validate/public_training.hpp"
#include "scenarios/validate/row_operator.hpp"

namespace septet::validation {
namespace {

// CPU time of a PyTorch call of a product in a loop, below which calls can't follow each other;
// read off the smallest product of this group.
constexpr Duration kProductCall = 16_us;

constexpr program::LoadHistory kSteady{.steady = true};

// One call at a clock, the gap to the next included.
using Call = std::function<gpu::OperatorTime(Frequency)>;
using Load = std::function<Call(const MeasuredRow&, const system::SystemSpec&)>;

Duration gap(const gpu::GpuSpec& gpu) {
  return gpu.front_end.stream_gap + gpu.block_scheduler.block_overhead;
}

// Threads copy 16 bytes at a time in four instructions.
constexpr double kInstructionsPerByte = 4.0 / 16.0;

gpu::Activity copy_activity(double bytes, bool in_dram) {
  const double moved = 2 * bytes;
  return {.dram_bytes = in_dram ? moved : 0,
          .l2_bytes = moved,
          .instructions = moved * kInstructionsPerByte};
}

Call copy_of(const gpu::GpuSpec& gpu, double bytes, ByteRate rate, bool in_dram) {
  const Duration time = from_seconds(bytes / rate.count()) + gpu.copy.device_to_device_latency;
  return [=, &gpu](Frequency clock) {
    return gpu::OperatorTime{time + gap(gpu), clock, copy_activity(bytes, in_dram),
                             in_dram ? gpu::Bottleneck::kDram : gpu::Bottleneck::kL2};
  };
}

Call copy_in_dram(const MeasuredRow& row, const system::SystemSpec& system) {
  return copy_of(system.gpu, row.number("bytes_read"), system.gpu.copy.device_to_device, true);
}

Call copy_in_l2(const MeasuredRow& row, const system::SystemSpec& system) {
  return copy_of(system.gpu, row.number("bytes_read"), system.gpu.copy.device_to_device_in_l2,
                 false);
}

gpu::GpuSpec at_clock(const gpu::GpuSpec& gpu, Frequency clock) {
  gpu::GpuSpec out = gpu;
  out.clock = clock;
  return out;
}

// The same call over and over: what the L2 cache keeps of its operands is there again. `shared`:
// of its reads, those of operands that are the same tensor.
Call repeated(const gpu::GpuSpec& gpu, program::Operator what, double shared = 0) {
  program::OperandState state = replayed_state(gpu, bytes_of_call(what));
  state.l2_hit = 1 - (1 - state.l2_hit) * (1 - shared);
  set_state(what, state);
  return [=, &gpu](Frequency clock) {
    gpu::OperatorTime out = operator_time(at_clock(gpu, clock), {what});
    out.time = std::max(out.time + gap(gpu), kProductCall);
    return out;
  };
}

// A sum of two-byte elements.
Call sum(const MeasuredRow& row, const system::SystemSpec& system) {
  return repeated(system.gpu, program::SumAll{.elements = row.number("bytes_read") / 2});
}

program::Gemm gemm_of(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  program::Gemm out{.m = row.number("m"), .n = row.number("n"), .k = row.number("k")};
  out.type = row.has("dtype") ? row.data_type() : program::DataType::kBf16;
  if (out.type == program::DataType::kFp32) out.output_size = bytes_of(out.type);
  if (row.has("operand")) out.switching = gpu.power.unfilled_switching;
  return out;
}

Call product(const MeasuredRow& row, const system::SystemSpec& system) {
  if (row.has("operand") && row.text("operand") != "zeros") {
    throw ConfigError(row.where(), "case.operand is not \"zeros\"");
  }
  return repeated(system.gpu, gemm_of(row, system.gpu));
}

// Calls of a graph, one after the other.
void append(const gpu::GpuSpec& gpu, const gpu::OperatorTime& one, double times, Duration between,
            gpu::OperatorTime& sum) {
  sum.time += scale(one.time + between, times);
  sum.limiter = one.limiter;
  add(one.activity, times, sum.activity);
  sum.clock = gpu.clock;
}

// A graph of products with different weights, each read once.
Call decode_products(const MeasuredRow& row, const system::SystemSpec& system) {
  const double count = row.number("count");
  const gpu::GpuSpec& gpu = system.gpu;
  const program::Gemm what = gemm_of(row, gpu);
  return [=, &gpu](Frequency clock) {
    const gpu::GpuSpec slower = at_clock(gpu, clock);
    gpu::OperatorTime out;
    append(slower, operator_time(slower, {what}), count, gpu.operators.call.node_gap, out);
    out.time += gap(gpu);
    return out;
  };
}

// One tensor is queries, keys and values; each query sees what comes before it.
Call attention(const MeasuredRow& row, const system::SystemSpec& system,
               const program::OperatorKind& kind) {
  constexpr double kKeysAreValues = 0.5;
  auto what = std::get<program::Attention>(load_of(row, kind));
  what.causal = what.phase != program::AttentionPhase::kDecode;
  return repeated(system.gpu, what,
                  what.phase == program::AttentionPhase::kBackward ? 0 : kKeysAreValues);
}

Call any_operator(const MeasuredRow& row, const system::SystemSpec& system) {
  const program::OperatorKind* kind = program::measured_operator(row.text("load"));
  if (kind == nullptr) throw ConfigError(row.where(), "no load " + row.text("load"));
  if (kind->name.starts_with("attention")) return attention(row, system, *kind);
  return repeated(system.gpu, load_of(row, *kind));
}

// Copies on one stream and products on another, which wait for each other at the end of a call.
program::Program products_beside_copies(const MeasuredRow& row, const gpu::GpuSpec& gpu) {
  program::ProgramBuilder builder;
  program::Kernel kernel;
  kernel.name = "product";
  program::Operator what = gemm_of(row, gpu);
  set_state(what, replayed_state(gpu, bytes_of_call(what)));
  kernel.work = program::OperatorWork{what};
  const std::uint32_t index = builder.kernel(kernel);
  const std::uint32_t products = builder.stream();
  const std::uint32_t copies = builder.stream();
  builder.thread();
  for (std::int64_t i = 0; i < row.integer("copies"); ++i) {
    builder.copy(copies, program::CopyDirection::kDeviceToDevice, Bytes(row.integer("bytes_read")));
  }
  for (std::int64_t i = 0; i < row.integer("gemms"); ++i) builder.launch(index, products);
  builder.synchronize_device();
  return builder.take();
}

Call beside_copies(const MeasuredRow& row, const system::SystemSpec& system) {
  const program::Program program = products_beside_copies(row, system.gpu);
  const program::Gemm what = gemm_of(row, system.gpu);
  const double bytes = row.number("bytes_read");
  const double copies = row.number("copies");
  const double gemms = row.number("gemms");
  return [=, &system](Frequency clock) {
    system::SystemSpec slower = system;
    slower.gpu.clock = clock;
    gpu::OperatorTime out;
    out.time = CaseRun(program, slower).wall();
    out.clock = clock;
    out.limiter = gpu::Bottleneck::kPipe;
    add(operator_time(slower.gpu, {what}).activity, gemms, out.activity);
    add(copy_activity(bytes, true), copies, out.activity);
    return out;
  };
}

const std::map<std::string, Load>& loads() {
  static const std::map<std::string, Load> kLoads = {
      {"hbm_copy", copy_in_dram},        {"hbm_read", sum},
      {"l2_copy", copy_in_l2},           {"gemm", product},
      {"decode_gemms", decode_products}, {"gemms_beside_copies", beside_copies}};
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

Prediction of_metric(const MeasuredRow& row, const gpu::GpuSpec& gpu, Duration time,
                     Frequency clock, const gpu::Activity& activity) {
  if (row.metric == "sm_clock") return clock_row(clock);
  if (row.metric == "wall_per_call") return {to_us(time), "power"};
  if (row.metric != "power") return unsupported("no metric " + row.metric + " for this case");
  const gpu::LoadPower watts = load_power(gpu.power, activity, time);
  return {board_power(gpu.power, watts, ratio(clock, gpu.clock)).count(), "power"};
}

Prediction steady(const MeasuredRow& row, const system::SystemSpec& system, const Load& load) {
  const gpu::OperatorTime settled = under_load(system.gpu, load(row, system), kSteady);
  Prediction out = of_metric(row, system.gpu, settled.time, settled.clock, settled.activity);
  if (row.metric == "wall_per_call") out.limiter = std::string(text_of(settled.limiter));
  return out;
}

Prediction training_step(const MeasuredRow& row, const system::SystemSpec& system) {
  const training::StepTime step = named_training_step(row, system);
  return of_metric(row, system.gpu, step.total, step.clock, step.activity);
}

Prediction power(const MeasuredRow& row, const system::SystemSpec& system) {
  const gpu::GpuSpec& gpu = system.gpu;
  const std::string name = row.text("load");
  if (row.metric == "mem_clock") return clock_row(gpu.power.memory_clock);
  if (row.metric == "temperature") return unsupported("temperature is not modelled");
  if (name == "idle") return idle(row, gpu, true);
  if (name == "idle_after") return idle(row, gpu, false);
  if (name == "train_step") return training_step(row, system);
  const auto found = loads().find(name);
  return steady(row, system, found == loads().end() ? Load(any_operator) : found->second);
}

}  // namespace

std::vector<CaseKind> power_cases() { return {{"power", "", power}}; }

}  // namespace septet::validation
