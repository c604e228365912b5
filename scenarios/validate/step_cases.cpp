// Groups tp_step, llm_step, serve_step and spec: steps of transformers, replayed as graphs or
// launched one by one, as Programs (scenarios/llm).
#include "scenarios/validate/step_cases.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/validate/nccl_cases.hpp"

namespace septet::validation {
namespace {

using serving::Execution;

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

transformer::TransformerStep step_of(const MeasuredRow& row) {
  transformer::TransformerStep step;
  step.shape = shape_of(row, "shape");
  step.batch = whole(row, *row.case_, "batch");
  step.keys = whole(row, *row.case_, "ctx");
  step.queries = row.text("phase") == "prefill" ? step.keys : 1;
  return step;
}

// The launch named by a metric; nothing for others.
std::optional<Execution> execution_of(const std::string& metric) {
  if (metric.ends_with("graph_wall")) return Execution::kFullGraph;
  if (metric.ends_with("eager_wall")) return Execution::kEager;
  return std::nullopt;
}

Prediction step_prediction(const MeasuredRow& row, const system::SystemSpec& system,
                           const transformer::TransformerStep& step) {
  const auto execution = execution_of(row.metric);
  if (!execution) return unsupported("no metric " + row.metric);
  const llm::TimedStep timed = framework_step(system, step, kStepsInRow);
  const llm::StepLaunch launch = llm::step_launch(system, llm::Style::kPyTorch, *execution);
  return {to_us(llm::wall_of(system, timed, launch)), std::string(text_of(timed.limiter))};
}

Prediction tp_step(const MeasuredRow& row, const system::SystemSpec& system) {
  transformer::TransformerStep step = step_of(row);
  step.tensor_parallel = whole(row, *row.case_, "tp");
  step.rotary = false;
  step.ends = false;
  if (step.shape.heads % step.tensor_parallel + step.shape.kv_heads % step.tensor_parallel > 0) {
    throw ConfigError(row.where(), "case.tp divides neither heads nor kv_heads evenly");
  }
  return step_prediction(row, system, step);
}

Prediction llm_step(const MeasuredRow& row, const system::SystemSpec& system) {
  transformer::TransformerStep step = step_of(row);
  step.type = row.data_type();
  return step_prediction(row, system, step);
}

Prediction serve_step(const MeasuredRow& row, const system::SystemSpec& system) {
  return step_prediction(row, system, step_of(row));
}

// The steps that a metric's clock goes around: all of a round, or one of them.
std::vector<llm::TimedStep> speculative_steps(const MeasuredRow& row,
                                              const system::SystemSpec& system) {
  const std::uint64_t drafted = whole(row, *row.case_, "draft_tokens");
  transformer::TransformerStep draft;
  draft.shape = shape_of(row, "draft_shape");
  draft.batch = whole(row, *row.case_, "batch");
  draft.keys = whole(row, *row.case_, "ctx");
  transformer::TransformerStep target = draft;
  target.shape = shape_of(row, "target_shape");
  if (row.metric == "draft_step_graph_wall") return {framework_step(system, draft, kStepsInRow)};
  if (row.metric == "target_decode_graph_wall") {
    return {framework_step(system, target, kStepsInRow)};
  }
  target.queries = drafted + 1;
  const llm::TimedStep verified = framework_step(system, target, kStepsInRow);
  if (row.metric == "verify_graph_wall") return {verified};
  std::vector<llm::TimedStep> out(
      drafted, framework_step(system, draft, kStepsInRow * static_cast<double>(drafted)));
  out.push_back(verified);
  return out;
}

Prediction spec(const MeasuredRow& row, const system::SystemSpec& system) {
  const auto execution = execution_of(row.metric);
  if (!execution) return unsupported("no metric " + row.metric);
  const std::vector<llm::TimedStep> steps = speculative_steps(row, system);
  const llm::StepLaunch launch = llm::step_launch(system, llm::Style::kPyTorch, *execution);
  return {to_us(llm::wall_of(system, steps, launch)), std::string(text_of(steps.back().limiter))};
}

}  // namespace

transformer::TransformerShape shape_of(const MeasuredRow& row, const char* key) {
  if (!row.has(key)) throw ConfigError(row.where(), std::string("case.") + key + " is missing");
  const nlohmann::ordered_json& shape = row.case_->at(key);
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

llm::TimedStep framework_step(const system::SystemSpec& system,
                              const transformer::TransformerStep& step, double in_row) {
  const std::vector<transformer::StepPart> parts = {
      {transformer::layer_operators(system.gpu, step), step.shape.layers},
      {transformer::outer_operators(system.gpu, step), 1}};
  const auto exchange = [&](const transformer::Exchange& one) {
    const auto ranks = static_cast<std::uint32_t>(step.tensor_parallel);
    return plain_all_reduce(system.gpu, ranks, one.bytes).alone() +
           system.gpu.collective.node_extra;
  };
  return llm::timed_step(system.gpu, parts, exchange, {.calls = in_row});
}

std::vector<CaseKind> step_cases() {
  return {{"tp_step", "", tp_step},
          {"llm_step", "", llm_step},
          {"serve_step", "", serve_step},
          {"spec", "", spec}};
}

}  // namespace septet::validation
