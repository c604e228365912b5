#include "scenarios/explain/named_metrics.hpp"

#include <algorithm>

namespace septet {

const std::vector<NamedMetric>& named_metrics() {
  using M = KernelMetrics;
  static const std::vector<NamedMetric> kMetrics = {
      {"kernel_time_us", [](const M& m) { return to_us(m.kernel_time); }},
      {"stall_memory_pct", [](const M& m) { return 100.0 * m.stalls.memory; }},
      {"stall_synchronisation_pct", [](const M& m) { return 100.0 * m.stalls.synchronisation; }},
      {"stall_dependency_pct", [](const M& m) { return 100.0 * m.stalls.dependency; }},
      {"stall_fetch_pct", [](const M& m) { return 100.0 * m.stalls.fetch; }},
      {"theoretical_occupancy_pct", [](const M& m) { return 100.0 * m.theoretical_occupancy; }},
      {"achieved_occupancy_pct", [](const M& m) { return 100.0 * m.achieved_occupancy; }},
      {"blocks_per_sm", [](const M& m) { return static_cast<double>(m.blocks_per_sm); }},
      {"waves", [](const M& m) { return m.waves; }},
      {"active_warps_per_scheduler", [](const M& m) { return m.active_warps; }},
      {"eligible_warps_per_scheduler", [](const M& m) { return m.eligible_warps; }},
      {"issue_slots_pct", [](const M& m) { return 100.0 * m.issue_slots; }},
      {"memory_throughput_pct", [](const M& m) { return 100.0 * m.memory_throughput; }},
      {"dram_pct", [](const M& m) { return 100.0 * m.dram; }},
      {"l2_pct", [](const M& m) { return 100.0 * m.l2; }},
      {"l1_pct", [](const M& m) { return 100.0 * m.l1; }},
      {"sm_port_pct", [](const M& m) { return 100.0 * m.sm_port; }},
      {"l1_hit_pct", [](const M& m) { return 100.0 * m.l1_hit; }},
      {"l2_hit_pct", [](const M& m) { return 100.0 * m.l2_hit; }},
      {"dram_bytes", [](const M& m) { return m.dram_bytes; }},
      {"dram_bytes_per_s", [](const M& m) { return m.dram_bytes_per_second; }},
  };
  return kMetrics;
}

const NamedMetric* find_metric(const std::string& name) {
  const auto& all = named_metrics();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const NamedMetric& metric) { return name == metric.name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> out;
  for (const NamedMetric& metric : named_metrics()) out.emplace_back(metric.name);
  return out;
}

}  // namespace septet
