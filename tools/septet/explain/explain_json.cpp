#include <nlohmann/json.hpp>

#include "scenarios/config/pipe_names.hpp"
#include "scenarios/explain/named_metrics.hpp"
#include "tools/septet/explain/explain_output.hpp"

namespace septet {
namespace {

using Json = nlohmann::ordered_json;

Json stages_json(const StageTimes& stages) {
  Json out = Json::array();
  for (std::size_t i = 0; i < kStages; ++i) {
    out.push_back({{"name", name_of(static_cast<Stage>(i))},
                   {"time_us", to_us(stages.of[i])},
                   {"share", ratio(stages.of[i], stages.total())}});
  }
  return out;
}

Json metrics_json(const Explanation& explanation) {
  const KernelMetrics& m = explanation.metrics;
  const bool pipe = explanation.time.limiter == Bottleneck::kPipe;
  Json out = {{"bound", name_of(m.bound)},
              {"limiting_pipe", pipe ? Json(key_of(explanation.time.pipe)) : Json()},
              {"occupancy_limiter", name_of(m.occupancy_limiter)}};
  for (const NamedMetric& metric : named_metrics()) out[metric.name] = metric.of(m);
  out["blocks_per_sm"] = m.blocks_per_sm;  // a whole number
  return out;
}

Json advice_json(const std::vector<Advice>& advice) {
  Json out = Json::array();
  for (const Advice& one : advice) {
    out.push_back(
        {{"change", one.change.text}, {"time_us", to_us(one.time)}, {"speedup", one.speedup}});
  }
  return out;
}

}  // namespace

Json explain_json(const Explanation& explanation) {
  return {{"time_us", to_us(explanation.stages.total())},
          {"limiter", name_of(explanation.time.limiter)},
          {"stages", stages_json(explanation.stages)},
          {"metrics", metrics_json(explanation)},
          {"advice", advice_json(explanation.advice)}};
}

}  // namespace septet
