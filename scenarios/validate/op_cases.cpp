// Group op: one operator of a model, timed in one of three ways.
//
//   events  one call between two events in a busy stream, after a fill of 256 MB: operands are
//           cold, the L2 cache is dirty; PyTorch's kernels (cuBLAS, cuDNN)
//   graph   a graph of one or of six calls, replayed back to back, per call: the L2 cache keeps
//           what fits of all six; vLLM's kernels (cuBLAS, CUTLASS for fp8, FlashAttention 3)
//
// What is timed is read as any operator is written (scenarios/config/kernels/operator_text.hpp).
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "scenarios/validate/kernel_cases.hpp"
#include "scenarios/validate/row_operator.hpp"

namespace septet::validation {
namespace {

// Calls of cold rows follow other work and 30 ms of their own kind; fitted on the long ones.
constexpr Duration kLoadBeforeEvents = 27'200_us;

struct Timing {
  bool events = false;
  double calls_of_graph = 1;
};

std::optional<Timing> timing_of(const MeasuredRow& row) {
  const std::string timer = row.has("timer") ? row.text("timer") : "";
  const auto says = [&](const char* text) { return timer.find(text) != std::string::npos; };
  if (says("events")) return Timing{true, 1};
  if (says("graph of six")) return Timing{false, 6};
  if (says("graph of one")) return Timing{false, 1};
  return std::nullopt;
}

program::OperatorWork work_of(const MeasuredRow& row, const program::OperatorKind& kind,
                              const gpu::GpuSpec& gpu, const Timing& timing) {
  program::OperatorWork work{operator_of(row, kind)};
  if (timing.events) {
    set_state(work.what, program::kColdOperands);
    work.load.before = kLoadBeforeEvents;
    return work;
  }
  set_state(work.what, replayed_state(gpu, bytes_of_graph(work.what, timing.calls_of_graph)));
  if (auto* product = std::get_if<program::Gemm>(&work.what)) {
    product->switching = gpu.power.unfilled_switching;
  }
  work.library = program::Library::kVllm;
  work.load.calls = kind.measured.replays;
  return work;
}

// What the way of timing adds to the kernels' own time.
Duration beside(const program::OperatorWork& work, const gpu::GpuSpec& gpu, const Timing& timing) {
  if (timing.events) return gpu.operators.call.event_floor;
  const Duration between_graphs = gpu.front_end.graph_gap + gpu.block_scheduler.block_overhead;
  const Duration out = scale(between_graphs, 1 / timing.calls_of_graph);
  // Attention's helper kernels and their gaps are part of its time.
  return std::holds_alternative<program::Gemm>(work.what) ? gpu.operators.call.node_gap + out : out;
}

// The least time between two events: the GPU waits where the CPU takes longer for the call.
Duration cpu_time(const program::OperatorKind& kind, const program::OperatorWork& work,
                  const gpu::CallSpec& call) {
  if (kind.gradient) return call.autograd_call;
  const auto* optimizer = std::get_if<program::AdamW>(&work.what);
  return optimizer != nullptr ? scale(call.optimizer_tensor, optimizer->tensors) : Duration(0);
}

std::optional<std::string> why_too_large(const program::Operator& what, const gpu::GpuSpec& gpu) {
  const double bytes = bytes_of_call(what);
  if (bytes <= static_cast<double>(gpu.memory.count())) return std::nullopt;
  return fmt::format("operands of {:.3g} bytes do not fit in the device's {:.3g}", bytes,
                     static_cast<double>(gpu.memory.count()));
}

// One launch, alone.
Duration simulated(const program::OperatorWork& work, const system::SystemSpec& system) {
  program::ProgramBuilder builder;
  program::Kernel kernel;
  kernel.name = "operator";
  kernel.work = work;
  const std::uint32_t index = builder.kernel(kernel);
  const std::uint32_t stream = builder.stream();
  builder.thread();
  builder.launch(index, stream);
  builder.synchronize_stream(stream);
  return CaseRun(builder.take(), system).kernel_time(0);
}

Prediction operation(const MeasuredRow& row, const system::SystemSpec& system) {
  const program::OperatorKind* kind = program::measured_operator(row.text("op"));
  if (kind == nullptr) return unsupported("no kernels for operator " + row.text("op"));
  if (row.metric != "device_time") return unsupported("no metric " + row.metric);
  const std::string layout = row.has("layout") ? row.text("layout") : "nhwc";
  if (layout != "nhwc") return unsupported("no kernels for layout " + layout);
  const std::optional<Timing> timing = timing_of(row);
  if (!timing) return unsupported("case.timer is neither events nor a graph of calls");
  const program::OperatorWork work = work_of(row, *kind, system.gpu, *timing);
  if (const auto reason = why_too_large(work.what, system.gpu)) return unsupported(*reason);
  Duration time = simulated(work, system) + beside(work, system.gpu, *timing);
  if (timing->events) time = std::max(time, cpu_time(*kind, work, system.gpu.operators.call));
  return {to_us(time), std::string(text_of(operator_time(system.gpu, work).limiter))};
}

}  // namespace

std::vector<CaseKind> op_cases() { return {{"op", "", operation}}; }

}  // namespace septet::validation
