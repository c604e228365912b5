#include "scenarios/explain/named_metrics.hpp"

#include <algorithm>
#include <limits>

namespace septet::explain {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

template <class Number>
double of_warps(const KernelMetrics& metrics, Number WarpMetrics::*member) {
  return metrics.warps ? static_cast<double>((*metrics.warps).*member) : kUnknown;
}

}  // namespace

const std::vector<NamedMetric>& named_metrics() {
  using M = KernelMetrics;
  using W = WarpMetrics;
  static const std::vector<NamedMetric> kMetrics = {
      {"kernel_time_us", [](const M& m) { return to_us(m.kernel_time); }},
      {"stall_memory_pct", [](const M& m) { return 100.0 * m.stalls.memory; }},
      {"stall_synchronisation_pct", [](const M& m) { return 100.0 * m.stalls.synchronisation; }},
      {"stall_dependency_pct", [](const M& m) { return 100.0 * m.stalls.dependency; }},
      {"stall_fetch_pct", [](const M& m) { return 100.0 * m.stalls.fetch; }},
      {"stall_pipe_pct", [](const M& m) { return 100.0 * m.stalls.pipe; }},
      {"theoretical_occupancy_pct",
       [](const M& m) { return 100.0 * of_warps(m, &W::theoretical_occupancy); }},
      {"achieved_occupancy_pct",
       [](const M& m) { return 100.0 * of_warps(m, &W::achieved_occupancy); }},
      {"blocks_per_sm", [](const M& m) { return of_warps(m, &W::blocks_per_sm); }},
      {"waves", [](const M& m) { return m.warps ? m.waves : kUnknown; }},
      {"active_warps_per_scheduler", [](const M& m) { return of_warps(m, &W::active); }},
      {"eligible_warps_per_scheduler", [](const M& m) { return of_warps(m, &W::eligible); }},
      {"warp_not_selected_pct", [](const M& m) { return 100.0 * of_warps(m, &W::not_selected); }},
      {"issue_slots_pct", [](const M& m) { return 100.0 * of_warps(m, &W::issue_slots); }},
      {"memory_throughput_pct", [](const M& m) { return 100.0 * m.memory_throughput; }},
      {"dram_pct", [](const M& m) { return 100.0 * m.dram; }},
      {"l2_pct", [](const M& m) { return 100.0 * m.l2; }},
      {"l1_pct", [](const M& m) { return 100.0 * of_warps(m, &W::l1); }},
      {"sm_port_pct", [](const M& m) { return 100.0 * of_warps(m, &W::sm_port); }},
      {"l1_hit_pct", [](const M& m) { return 100.0 * of_warps(m, &W::l1_hit); }},
      {"l2_hit_pct", [](const M& m) { return 100.0 * m.l2_hit; }},
      {"dram_bytes", [](const M& m) { return m.dram_bytes; }},
      {"dram_bytes_per_s", [](const M& m) { return m.dram_bytes_per_second; }},
      {"operations", [](const M& m) { return m.arithmetic.operations; }},
      {"operations_per_s", [](const M& m) { return m.arithmetic.per_second; }},
      {"operations_per_dram_byte", [](const M& m) { return m.arithmetic.intensity; }},
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

}  // namespace septet::explain
