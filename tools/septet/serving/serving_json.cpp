#include <nlohmann/json.hpp>

#include "tools/septet/optional_json.hpp"
#include "tools/septet/serving/serving_report.hpp"
#include "tools/septet/study/run_report.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMillion = 1e6;
constexpr double kJoulesPerKwh = 3.6e6;

double ms(Duration time) { return to_us(time) / 1000; }

Json load_json(const fleet::LoadTotals& load) {
  return {{"requests", load.requests},
          {"input_tokens", load.input_tokens},
          {"output_tokens", load.output_tokens}};
}

Json latency_json(const fleet::Distribution& values) {
  return {{"mean", ms(values.mean())}, {"p50", ms(values.at(50))}, {"p90", ms(values.at(90))},
          {"p95", ms(values.at(95))},  {"p99", ms(values.at(99))}, {"max", ms(values.at(100))}};
}

Json requests_json(const fleet::FleetMetrics& metrics) {
  return {{"offered", metrics.offered.requests},
          {"admitted", metrics.admitted.requests},
          {"completed", metrics.completed.requests},
          {"refused", metrics.refused},
          {"unfinished", metrics.unfinished}};
}

Json throughput_json(const fleet::FleetMetrics& metrics) {
  const double seconds = to_seconds(metrics.arrivals);
  const double offered = seconds > 0 ? static_cast<double>(metrics.offered.requests) / seconds : 0;
  return {{"offered_requests_per_s", seconds > 0 ? Json(offered) : Json(nullptr)},
          {"completed_requests_per_s", metrics.per_second(metrics.completed.requests)},
          {"input_tokens_per_s", metrics.per_second(metrics.completed.input_tokens)},
          {"output_tokens_per_s", metrics.per_second(metrics.completed.output_tokens)}};
}

Json memory_json(const serving::ServingCase& of) {
  const llm::MemoryBudget& memory = of.memory;
  return {{"total_bytes", memory.total.count()},
          {"limit_bytes", memory.limit.count()},
          {"weights_bytes", memory.weights.count()},
          {"activations_bytes", memory.activations.count()},
          {"graphs_bytes", memory.graphs.count()},
          {"other_bytes", memory.other.count()},
          {"kv_bytes", memory.kv.count()},
          {"kv_blocks", memory.kv_blocks},
          {"kv_tokens", memory.kv_tokens}};
}

Json cost_json(const ServingReport& report) {
  const serving::ServingCost& cost = report.run.cost;
  const serving::GpuCost& gpu = report.of.gpu_cost;
  Json price;
  if (gpu.price) {
    price = {{"gpu_hour", gpu.price->gpu_hour},
             {"currency", gpu.currency},
             {"list", gpu.list},
             {"source", gpu.price->source},
             {"date", gpu.price->date}};
  }
  return {{"gpu_hours", cost.gpu_hours},
          {"price", or_null(cost.price)},
          {"per_hour", or_null(cost.per_hour)},
          {"per_million_output_tokens", or_null(cost.per_million_output_tokens)},
          {"per_million_tokens", or_null(cost.per_million_tokens)},
          {"gpu_price", price}};
}

Json energy_json(const serving::ServingCost& cost) {
  const auto& joules = cost.joules_per_output_token;
  return {{"joules", cost.energy.count()},
          {"average_w", cost.power.count()},
          {"joules_per_output_token", or_null(joules)},
          {"kwh_per_million_output_tokens",
           joules ? Json(*joules * kMillion / kJoulesPerKwh) : Json(nullptr)}};
}

Json replicas_json(const fleet::FleetResult& result) {
  Json out = Json::array();
  for (const fleet::ReplicaTotals& replica : result.replicas) {
    const double provided = to_seconds(replica.provided);
    out.push_back({{"prefill", replica.prefill},
                   {"steps", replica.steps},
                   {"prompt_tokens", replica.prompt_tokens},
                   {"output_tokens", replica.output_tokens},
                   {"preemptions", replica.preemptions},
                   {"failures", replica.failures},
                   {"gpu_busy_share", provided > 0 ? to_seconds(replica.gpu) / provided : 0},
                   {"provided_s", provided},
                   {"peak_kv_use", replica.peak_cache_use},
                   {"peak_running", replica.peak_running},
                   {"peak_waiting", replica.peak_waiting}});
  }
  return out;
}

}  // namespace

Json objectives_json(const std::vector<serving::ObjectiveResult>& results) {
  Json out = Json::array();
  for (const serving::ObjectiveResult& result : results) {
    const double unit = shown_factor(result.unit);
    out.push_back({{"objective", result.key},
                   {"wanted", result.wanted * unit},
                   {"got", result.got * unit},
                   {"unit", shown_unit(result.unit)},
                   {"met", result.met}});
  }
  return out;
}

Json serving_summary(const ServingReport& report) {
  const fleet::FleetMetrics& metrics = report.run.metrics;
  Json latency = Json::object();
  for (const fleet::Latency one : values_of<fleet::Latency>()) {
    latency[std::string(text_of(one))] = latency_json(metrics.of(one));
  }
  Json out;
  out["requests"] = requests_json(metrics);
  out["load"] = {{"offered", load_json(metrics.offered)},
                 {"admitted", load_json(metrics.admitted)},
                 {"completed", load_json(metrics.completed)}};
  out["throughput"] = throughput_json(metrics);
  out["latency_ms"] = latency;
  if (report.of.prefill) {
    out["hand_over_ms"] = {{"all", latency_json(metrics.hand_over)},
                           {"transfer", latency_json(metrics.transfer)}};
  }
  out["overloaded"] = metrics.overloaded;
  out["objectives"] = objectives_json(report.run.objectives);
  out["goodput"] = {{"requests", report.run.good},
                    {"requests_per_s", metrics.per_second(report.run.good)}};
  out["cost"] = cost_json(report);
  out["energy"] = energy_json(report.run.cost);
  out["memory"] = memory_json(report.of);
  out["replicas"] = replicas_json(report.run.result);
  out["findings"] = report.run.findings;
  return out;
}

Json serving_json(const std::vector<ServingReport>& reports) {
  const ServingReport& first = reports.front();
  Json out;
  out["simulated_us"] = to_us(first.run.metrics.span);
  out["events"] = first.run.result.engine.events;
  out["digest"] = hex(first.run.result.engine.digest);
  out["wall_s"] = first.run.wall_s;
  out["summary"] = serving_summary(first);
  out["what_ifs"] = Json::array();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    out["what_ifs"].push_back({{"name", reports[i].name},
                               {"simulated_us", to_us(reports[i].run.metrics.span)},
                               {"summary", serving_summary(reports[i])}});
  }
  out["warnings"] = first.of.warnings;
  return out;
}

}  // namespace septet::command
