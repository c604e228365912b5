#include <algorithm>

#include <nlohmann/json.hpp>

#include "scenarios/config/toml/toml_writer.hpp"
#include "tools/septet/optional_json.hpp"
#include "tools/septet/serving/capacity_report.hpp"
#include "tools/septet/serving/serving_report.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;
using capacity::Candidate;
using capacity::CapacityResult;
using capacity::Option;

Json objectives_of(const Candidate& candidate) {
  Json out = Json::array();
  for (const capacity::ObjectiveEstimate& one : candidate.objectives) {
    Json row = objectives_json({one.worst}).front();
    const double unit = shown_factor(one.worst.unit);
    row["mean"] = one.got.mean * unit;
    row["half_width_95"] = one.got.half_width * unit;
    out.push_back(std::move(row));
  }
  return out;
}

Json settings_json(const Option& option) {
  Json out = Json::object();
  for (const capacity::Setting& one : option.settings) {
    out[one.key] = config::inline_toml(one.value);
  }
  return out;
}

Json candidate_json(const CapacityResult& result, const Candidate& candidate) {
  const Option& option = result.options[candidate.option];
  return {{"gpu", option.gpu},
          {"engine", option.engine},
          {"tensor_parallel_size", option.tensor_parallel_size},
          {"settings", settings_json(option)},
          {"replicas", candidate.replicas},
          {"gpus", candidate.gpus},
          {"holds", candidate.holds},
          {"overloaded", candidate.overloaded},
          {"seeds", candidate.seeds},
          {"objectives", objectives_of(candidate)},
          {"output_tokens_per_s", candidate.output_tokens_per_s.mean},
          {"worst_share", capacity::worst_share(candidate)},
          {"goodput_share", candidate.goodput_share},
          {"gpu_busy_share", candidate.gpu_busy_share},
          {"peak_kv_use", candidate.peak_cache_use},
          {"preemptions", candidate.preemptions},
          {"cost_per_hour", or_null(candidate.cost_per_hour)},
          {"cost_per_million_output_tokens", or_null(candidate.cost_per_million_output_tokens)},
          {"cost_per_million_tokens", or_null(candidate.cost_per_million_tokens)},
          {"power_w", candidate.power.count()},
          {"joules_per_output_token", or_null(candidate.joules_per_output_token)}};
}

Json limits_json(const CapacityResult& result) {
  Json out = Json::array();
  for (const capacity::Limit& limit : result.limits) {
    const double unit = shown_factor(limit.unit);
    out.push_back({{"objective", limit.objective},
                   {"wanted", limit.wanted * unit},
                   {"got", limit.got * unit},
                   {"unit", shown_unit(limit.unit)},
                   {"kind", text_of(limit.kind)},
                   {"change", limit.change},
                   {"reason", limit.reason}});
  }
  return out;
}

// How many options each bound rules out, and how many candidates: numbers of replicas of options,
// those included that it leaves fewer of.
Json removed_json(const CapacityResult& result) {
  Json out = {
      {"count", Json::object()}, {"candidates", Json::object()}, {"options", Json::array()}};
  for (const capacity::Bound bound : values_of<capacity::Bound>()) {
    const std::string name(text_of(bound));
    out["count"][name] =
        std::ranges::count(result.options, std::optional(bound), &Option::removed_by);
    out["candidates"][name] = capacity::candidates_removed(result, bound);
  }
  for (const Option& option : result.options) {
    if (!option.removed_by) continue;
    out["options"].push_back({{"gpu", option.gpu},
                              {"engine", option.engine},
                              {"tensor_parallel_size", option.tensor_parallel_size},
                              {"settings", settings_json(option)},
                              {"bound", text_of(*option.removed_by)},
                              {"reason", option.reason},
                              {"change", option.remedy}});
  }
  return out;
}

Json changed_json(const capacity::Changed& changed) {
  return {
      {"factor", changed.factor}, {"holds", changed.holds}, {"worst_share", changed.worst_share}};
}

Json sensitivity_json(const CapacityResult& result) {
  Json out = Json::array();
  for (const capacity::Sensitivity& one : result.sensitivities) {
    out.push_back({{"assumption", text_of(one.assumed)},
                   {"low", changed_json(one.low)},
                   {"high", changed_json(one.high)}});
  }
  return out;
}

void add_sureness(const CapacityResult& result, Json& out) {
  out["curve"] = Json::array();
  for (const capacity::CurvePoint& point : result.curve) {
    Json row = {{"rate_factor", point.rate_factor}};
    row.update(candidate_json(result, point.candidate));
    out["curve"].push_back(std::move(row));
  }
  const capacity::Sureness& sureness = result.sureness;
  out["headroom"] = sureness.headroom;
  out["loss_of_one_replica"] = {{"holds", or_null(sureness.holds_without_one)}};
  out["model_error"] = {{"relative", result.model_error.relative},
                        {"source", result.model_error.source},
                        {"gpus_if_slower", or_null(sureness.gpus_if_slower)},
                        {"gpus_if_faster", or_null(sureness.gpus_if_faster)}};
  out["sensitivity"] = sensitivity_json(result);
  out["months"] = or_null(sureness.months);
}

}  // namespace

Json capacity_json(const CapacityResult& result) {
  Json out;
  out["feasible"] = result.best.has_value();
  out["best"] = result.best ? candidate_json(result, *result.best) : Json(nullptr);
  out["candidates"] = Json::array();
  for (const Candidate& candidate : result.candidates) {
    out["candidates"].push_back(candidate_json(result, candidate));
  }
  out["limits"] = limits_json(result);
  out["removed"] = removed_json(result);
  out["allowed"] = capacity::candidates_allowed(result);
  out["beyond"] = result.beyond ? candidate_json(result, *result.beyond) : Json(nullptr);
  if (result.best) add_sureness(result, out);
  if (result.best_run) {
    out["offered_requests_per_s"] = result.offered_requests_per_s;
    const serving::ServingCase& of = *result.options[result.best->option].of;
    out["summary"] = serving_summary({"", of, result.best_run->run});
  }
  out["runs"] = result.runs;
  return out;
}

}  // namespace septet::command
