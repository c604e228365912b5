#include <nlohmann/json.hpp>

#include "scenarios/config/pipe_names.hpp"
#include "tools/septet/explain/explain_output.hpp"

namespace septet {
namespace {

using Json = nlohmann::ordered_json;

double percent(double share) { return 100.0 * share; }

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
  return {{"kernel_time_us", to_us(m.kernel_time)},
          {"bound", name_of(m.bound)},
          {"limiting_pipe", pipe ? Json(key_of(explanation.time.pipe)) : Json()},
          {"stall_memory_pct", percent(m.stalls.memory)},
          {"stall_synchronisation_pct", percent(m.stalls.synchronisation)},
          {"stall_dependency_pct", percent(m.stalls.dependency)},
          {"stall_fetch_pct", percent(m.stalls.fetch)},
          {"theoretical_occupancy_pct", percent(m.theoretical_occupancy)},
          {"achieved_occupancy_pct", percent(m.achieved_occupancy)},
          {"occupancy_limiter", name_of(m.occupancy_limiter)},
          {"blocks_per_sm", m.blocks_per_sm},
          {"waves", m.waves},
          {"active_warps_per_scheduler", m.active_warps},
          {"eligible_warps_per_scheduler", m.eligible_warps},
          {"issue_slots_pct", percent(m.issue_slots)},
          {"memory_throughput_pct", percent(m.memory_throughput)},
          {"dram_pct", percent(m.dram)},
          {"l2_pct", percent(m.l2)},
          {"l1_pct", percent(m.l1)},
          {"sm_port_pct", percent(m.sm_port)},
          {"l1_hit_pct", percent(m.l1_hit)},
          {"l2_hit_pct", percent(m.l2_hit)},
          {"dram_bytes", m.dram_bytes},
          {"dram_bytes_per_s", m.dram_bytes_per_second}};
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
