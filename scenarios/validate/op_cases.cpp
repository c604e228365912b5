// Group op: one operator of a model, timed in one of three ways.
//
//   events  one call between two events in a busy stream, after a fill of 256 MB: operands are
//           cold, the L2 cache is dirty; PyTorch's kernels (cuBLAS, cuDNN)
//   graph   a graph of one or of six calls, replayed back to back, per call: the L2 cache keeps
//           what fits of all six; vLLM's kernels (cuBLAS, CUTLASS for fp8, FlashAttention 3)
#include <map>
#include <optional>

#include <fmt/format.h>

#include "models/gpu/operators/elementwise.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/operator_kernel.hpp"
#include "scenarios/validate/kernel_cases.hpp"

namespace septet {
namespace {

// Calls of cold rows follow other work and 30 ms of their own kind; fitted on the long ones.
constexpr Duration kLoadBeforeEvents = 27'200_us;
// Replays before and while the clock is read.
constexpr double kProductsInBurst = 54;
constexpr double kPrefillsInBurst = 9;

constexpr OperandState kCold{0, true, false};

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

DataType type_of(const MeasuredRow& row) {
  const std::string name = row.text("dtype");
  const std::optional<DataType> type = data_type_named(name);
  if (!type) {
    throw ConfigError::value(row.where(), "case.dtype", "\"" + name + "\"",
                             "bf16, fp16, fp8, tf32 or fp32");
  }
  return *type;
}

std::uint64_t whole(const MeasuredRow& row, const char* key) {
  const std::int64_t value = row.integer(key);
  if (value < 1) throw ConfigError(row.where(), std::string("case.") + key + " is below 1");
  return static_cast<std::uint64_t>(value);
}

double positive(const MeasuredRow& row, const char* key) {
  return static_cast<double>(whole(row, key));
}

double elements(const MeasuredRow& row) {
  return row.has("elements") ? positive(row, "elements")
                             : positive(row, "rows") * positive(row, "cols");
}

constexpr double kMostlyKept = 0.5;  // outputs are written over before they leave the L2 cache

// What is timed, and what the timing adds to the kernel's own time.
struct TimedOperator {
  OperatorWork work;
  Duration beside{};
};

Duration between_graphs(const GpuSpec& gpu) {
  return gpu.front_end.graph_gap + gpu.distributor.block_overhead;
}

OperandState replayed(const GpuSpec& gpu, double bytes) {
  OperandState out;
  out.l2_hit = replayed_hit(gpu, bytes);
  out.output_stays = out.l2_hit > kMostlyKept;
  return out;
}

TimedOperator gemm(const MeasuredRow& row, const GpuSpec& gpu, const Timing& timing) {
  Gemm what;
  what.m = positive(row, "m");
  what.n = positive(row, "n");
  what.k = positive(row, "k");
  what.type = type_of(row);
  TimedOperator out;
  if (timing.events) {
    what.state = kCold;
    out.work.load.before = kLoadBeforeEvents;
  } else {
    const double size = bytes_of(what.type);
    const double activations = what.m * what.k * (size < 2 ? 2 + size : 2.0);
    const double set =
        timing.calls_of_graph * what.n * what.k * size + activations + what.m * what.n * 2;
    what.state = replayed(gpu, set);
    what.switching = gpu.power.unfilled_switching;
    out.work.library = Library::kVllm;
    out.work.load.calls = kProductsInBurst;
    out.beside =
        gpu.operators.call.node_gap + scale(between_graphs(gpu), 1 / timing.calls_of_graph);
  }
  out.work.what = what;
  return out;
}

Attention attention_of(const MeasuredRow& row) {
  Attention out;
  out.batch = whole(row, "batch");
  out.heads = whole(row, "heads");
  out.kv_heads = row.has("kv_heads") ? whole(row, "kv_heads") : out.heads;
  out.dim = whole(row, "dim");
  out.type = type_of(row);
  if (out.heads % out.kv_heads != 0) {
    throw ConfigError(row.where(), "case.heads is no multiple of case.kv_heads");
  }
  return out;
}

TimedOperator prefill(const MeasuredRow& row, const GpuSpec& gpu, const Timing& timing) {
  Attention what = attention_of(row);
  what.queries = what.keys = whole(row, "seq");
  what.causal = row.flag("causal");
  TimedOperator out;
  if (timing.events) {
    what.state = kCold;
    out.work.load.before = kLoadBeforeEvents;
  } else {
    // Queries, outputs, and keys and values twice: as computed and in the cache.
    const double set =
        bytes_of(what.type) * static_cast<double>(what.batch * what.queries * what.dim *
                                                  (2 * what.heads + 4 * what.kv_heads));
    what.state = replayed(gpu, set);
    out.work.library = Library::kVllm;
    out.work.load.calls = kPrefillsInBurst;
    out.beside = between_graphs(gpu);
  }
  out.work.what = AttentionCall{AttentionPhase::kPrefill, what};
  return out;
}

TimedOperator decode(const MeasuredRow& row, const GpuSpec& gpu, const Timing& timing) {
  Attention what = attention_of(row);
  what.keys = whole(row, "kv");
  TimedOperator out;
  if (timing.events) {
    what.state = kCold;
  } else {
    const auto cached = static_cast<double>(what.batch * what.kv_heads * what.keys * what.dim);
    what.state.l2_hit = replayed_hit(gpu, 2 * cached * bytes_of(what.type));
    out.work.library = Library::kVllm;
    out.beside = between_graphs(gpu);
  }
  out.work.what = AttentionCall{AttentionPhase::kDecode, what};
  return out;
}

using OperatorCase =
    std::function<TimedOperator(const MeasuredRow&, const GpuSpec&, const Timing&)>;

TimedOperator described(const Operator& what, const Timing& timing) {
  TimedOperator out;
  out.work.what = what;
  out.work.state = timing.events ? kCold : OperandState{1, false, true};
  return out;
}

OperatorCase elementwise(double inputs, double instructions) {
  return [=](const MeasuredRow& row, const GpuSpec&, const Timing& timing) {
    Elementwise what;
    what.elements = elements(row);
    what.inputs = inputs;
    what.size = what.output_size = bytes_of(type_of(row));
    what.instructions = instructions;
    return described(what, timing);
  };
}

OperatorCase rowwise(RowOperator what) {
  return [what](const MeasuredRow& row, const GpuSpec&, const Timing& timing) {
    return described(Rowwise{what, positive(row, "rows"), positive(row, "cols")}, timing);
  };
}

const std::map<std::string, OperatorCase>& operators() {
  static const std::map<std::string, OperatorCase> kOperators = {
      {"gemm", gemm},
      {"attention_prefill", prefill},
      {"attention_decode", decode},
      {"attention_decode_gqa", decode},
      {"add", elementwise(2, kAddInstructions)},
      {"mul", elementwise(2, kAddInstructions)},
      {"gelu", elementwise(1, kGeluInstructions)},
      {"silu", elementwise(1, kSiluInstructions)},
      {"layernorm", rowwise(RowOperator::kLayerNorm)},
      {"rmsnorm", rowwise(RowOperator::kRmsNorm)},
      {"softmax", rowwise(RowOperator::kSoftmax)},
      {"argmax", rowwise(RowOperator::kArgmax)}};
  return kOperators;
}

// Elements of all operands and results.
double elements_of_all(const MeasuredRow& row) {
  if (row.has("m")) {
    const double m = positive(row, "m"), n = positive(row, "n"), k = positive(row, "k");
    return m * k + n * k + m * n;
  }
  if (!row.has("heads")) return elements(row);
  const Attention what = attention_of(row);
  const double keys = positive(row, row.has("kv") ? "kv" : "seq");
  const double queries = row.has("kv") ? 1.0 : keys;
  return 2.0 * static_cast<double>(what.batch) * static_cast<double>(what.dim) *
         (static_cast<double>(what.heads) * queries + static_cast<double>(what.kv_heads) * keys);
}

std::optional<std::string> why_too_large(const MeasuredRow& row, const GpuSpec& gpu) {
  const double bytes = elements_of_all(row) * bytes_of(type_of(row));
  if (bytes <= static_cast<double>(gpu.memory.count())) return std::nullopt;
  return fmt::format("operands of {:.3g} bytes do not fit into the device's {:.3g}", bytes,
                     static_cast<double>(gpu.memory.count()));
}

// One launch, alone.
Duration simulated(const OperatorWork& work, const SystemSpec& system) {
  ProgramBuilder builder;
  Kernel kernel;
  kernel.name = "operator";
  kernel.work = work;
  const std::uint32_t index = builder.kernel(kernel);
  const std::uint32_t stream = builder.stream();
  builder.thread();
  builder.launch(index, stream);
  builder.synchronize_stream(stream);
  return CaseRun(builder.take(), system).kernel_time(0);
}

Prediction operation(const MeasuredRow& row, const SystemSpec& system) {
  const auto found = operators().find(row.text("op"));
  if (found == operators().end()) return unsupported("no kernels for operator " + row.text("op"));
  if (row.metric != "device_time") return unsupported("no metric " + row.metric);
  const std::optional<Timing> timing = timing_of(row);
  if (!timing) return unsupported("case.timer names neither events nor a graph of calls");
  if (const auto reason = why_too_large(row, system.gpu)) return unsupported(*reason);
  TimedOperator timed = found->second(row, system.gpu, *timing);
  if (timing->events) timed.beside += system.gpu.operators.call.event_floor;
  return {to_us(simulated(timed.work, system) + timed.beside),
          name_of(operator_time(system.gpu, timed.work).limiter)};
}

}  // namespace

std::vector<CaseKind> op_cases() { return {{"op", "", operation}}; }

}  // namespace septet
