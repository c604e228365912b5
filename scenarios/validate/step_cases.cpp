// Groups tp_step and llm_step: one step of a transformer, replayed as one graph.
#include <nlohmann/json.hpp>

#include "models/workload/transformer/transformer_step.hpp"
#include "scenarios/validate/nccl_cases.hpp"

namespace septet::validation {
namespace {

// Half of the steps that were timed, and those before that were not.
constexpr double kStepsInRow = 10;

std::uint64_t whole(const MeasuredRow& row, const nlohmann::ordered_json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() == 0) {
    throw ConfigError(row.where(),
                      std::string("case: '") + key + "' is not a positive whole number");
  }
  return found->get<std::uint64_t>();
}

transformer::TransformerShape shape_of(const MeasuredRow& row) {
  if (!row.has("shape")) throw ConfigError(row.where(), "case.shape is missing");
  const nlohmann::ordered_json& shape = row.case_->at("shape");
  transformer::TransformerShape out;
  out.layers = whole(row, shape, "layers");
  out.hidden = whole(row, shape, "hidden");
  out.ffn = whole(row, shape, "ffn");
  out.heads = whole(row, shape, "heads");
  out.kv_heads = whole(row, shape, "kv_heads");
  out.dim = whole(row, shape, "dim");
  out.vocab = whole(row, shape, "vocab");
  return out;
}

transformer::TransformerStep step_of(const MeasuredRow& row) {
  transformer::TransformerStep step;
  step.shape = shape_of(row);
  step.batch = whole(row, *row.case_, "batch");
  step.keys = whole(row, *row.case_, "ctx");
  step.queries = row.text("phase") == "prefill" ? step.keys : 1;
  return step;
}

// From the call that launches the graph to its first node, and from the last node to the return of
// the synchronisation.
Duration around_graph(const system::SystemSpec& system, double nodes) {
  const host::HostSpec& host = system.host;
  const gpu::FrontEndSpec& front_end = system.gpu.front_end;
  const double more = std::max(0.0, nodes - host.graph_nodes_free);
  return host.graph_launch_cost + scale(host.graph_launch_cost_per_node, more) +
         front_end.doorbell_latency + front_end.graph_launch_latency +
         front_end.completion_latency + host.wake_latency;
}

Prediction graph_wall(const system::SystemSpec& system, const transformer::TransformerStep& step,
                      Duration all_reduce) {
  const auto layer = static_cast<double>(layer_operators(system.gpu, step).size());
  const double nodes = layer * static_cast<double>(step.shape.layers);
  const gpu::OperatorTime time = step_time(system.gpu, step, all_reduce, kStepsInRow);
  return {to_us(time.time + around_graph(system, nodes)), std::string(text_of(time.limiter))};
}

constexpr const char* kEager =
    "the CPU cost of a framework's calls differs from machine to machine";

Prediction tp_step(const MeasuredRow& row, const system::SystemSpec& system) {
  if (row.metric == "eager_wall") return unsupported(kEager);
  if (row.metric != "graph_wall") return unsupported("no metric " + row.metric);
  transformer::TransformerStep step = step_of(row);
  step.tensor_parallel = whole(row, *row.case_, "tp");
  step.rotary = false;
  step.ends = false;
  if (step.shape.heads % step.tensor_parallel + step.shape.kv_heads % step.tensor_parallel > 0) {
    throw ConfigError(row.where(), "case.tp divides neither heads nor kv_heads evenly");
  }
  const auto ranks = static_cast<std::uint32_t>(step.tensor_parallel);
  const network::CollectivePlan plan = plain_all_reduce(system.gpu, ranks, all_reduce_bytes(step));
  return graph_wall(system, step, plan.alone() + collective_node_gap(system.gpu));
}

Prediction llm_step(const MeasuredRow& row, const system::SystemSpec& system) {
  if (row.metric == "eager_wall") return unsupported(kEager);
  if (row.metric != "graph_wall") return unsupported("no metric " + row.metric);
  transformer::TransformerStep step = step_of(row);
  step.type = row.data_type();
  return graph_wall(system, step, {});
}

}  // namespace

std::vector<CaseKind> step_cases() {
  return {{"tp_step", "", tp_step}, {"llm_step", "", llm_step}};
}

}  // namespace septet::validation
