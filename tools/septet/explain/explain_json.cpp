#include <cmath>

#include <nlohmann/json.hpp>

#include "scenarios/explain/named_metrics.hpp"
#include "tools/septet/explain/explain_output.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

double percent(double share) { return 100.0 * share; }

Json stages_json(const explain::StageTimes& stages) {
  Json out = Json::array();
  for (std::size_t i = 0; i < kEnumSize<explain::Stage>; ++i) {
    out.push_back({{"name", text_of(static_cast<explain::Stage>(i))},
                   {"time_us", to_us(stages.of[i])},
                   {"share", ratio(stages.of[i], stages.total())}});
  }
  return out;
}

void add_profiled(const explain::Explanation& explanation, Json& out) {
  if (!explanation.profiled) return;
  const explain::Profiled& p = *explanation.profiled;
  out["profiler_time_us"] = to_us(p.predicted);
  out["measured_us"] = p.measured ? Json(to_us(*p.measured)) : Json();
}

// What is not known of an operator's kernels is no number, which JSON writes as null.
Json metrics_json(const explain::Explanation& explanation) {
  const explain::KernelMetrics& m = explanation.metrics;
  const bool pipe = explanation.time.limiter == gpu::Bottleneck::kPipe;
  Json out = {{"bound", text_of(m.bound)},
              {"memory_bound_pct", percent(m.shares.memory)},
              {"compute_bound_pct", percent(m.shares.compute)},
              {"latency_bound_pct", percent(m.shares.latency)},
              {"limiting_pipe", pipe ? Json(text_of(explanation.time.pipe)) : Json()},
              {"occupancy_limiter", m.warps ? Json(text_of(m.warps->limiter)) : Json()}};
  for (const explain::NamedMetric& metric : explain::named_metrics()) {
    const double value = metric.of(m);
    out[metric.name] = std::isnan(value) ? Json() : Json(value);
  }
  if (m.warps) out["blocks_per_sm"] = m.warps->blocks_per_sm;  // a whole number
  if (explanation.clock) out["clock_mhz"] = explanation.clock->count() / 1e6;
  add_profiled(explanation, out);
  return out;
}

Json advice_json(const std::vector<explain::Advice>& advice) {
  Json out = Json::array();
  for (const explain::Advice& one : advice) {
    out.push_back(
        {{"change", one.change.text}, {"time_us", to_us(one.time)}, {"speedup", one.speedup}});
  }
  return out;
}

}  // namespace

Json explain_json(const explain::Explanation& explanation) {
  return {{"time_us", to_us(explanation.stages.total())},
          {"limiter", text_of(explanation.time.limiter)},
          {"stages", stages_json(explanation.stages)},
          {"metrics", metrics_json(explanation)},
          {"advice", advice_json(explanation.advice)},
          {"gpu", explanation.gpu},
          {"name", explanation.title},
          {"launch", explanation.launch},
          {"warnings", explanation.warnings}};
}

Json rows_json(const std::vector<explain::Explanation>& rows) {
  Json out = Json::array();
  for (const explain::Explanation& row : rows) {
    Json one = {{"id", row.profiled ? row.profiled->id : ""}};
    one.update(explain_json(row));
    out.push_back(std::move(one));
  }
  return {{"kernels", std::move(out)}};
}

}  // namespace septet::command
