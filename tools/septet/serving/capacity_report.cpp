#include "tools/septet/serving/capacity_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/serving/serving_report.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;
using capacity::Candidate;
using capacity::CapacityResult;
using capacity::Option;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

double unit_of(bool at_most) { return at_most ? 1000 : 1; }

Json objectives_of(const Candidate& candidate) {
  Json out = Json::array();
  for (const capacity::ObjectiveEstimate& one : candidate.objectives) {
    Json row = objectives_json({one.worst}).front();
    const double unit = unit_of(one.worst.at_most);
    row["mean"] = one.got.mean * unit;
    row["half_width_95"] = one.got.half_width * unit;
    out.push_back(std::move(row));
  }
  return out;
}

Json candidate_json(const CapacityResult& result, const Candidate& candidate) {
  const Option& option = result.options[candidate.option];
  return {{"gpu", option.gpu},
          {"engine", option.engine},
          {"tensor_parallel_size", option.tensor_parallel_size},
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
          {"cost_per_million_output_tokens", or_null(candidate.cost_per_million_output_tokens)}};
}

Json limits_json(const CapacityResult& result) {
  Json out = Json::array();
  for (const capacity::Limit& limit : result.limits) {
    const double unit = unit_of(limit.at_most);
    out.push_back({{"objective", limit.objective},
                   {"wanted", limit.wanted * unit},
                   {"got", limit.got * unit},
                   {"kind", text_of(limit.kind)},
                   {"change", limit.change}});
  }
  return out;
}

Json removed_json(const CapacityResult& result) {
  Json out = {{"count", Json::object()}, {"options", Json::array()}};
  for (const capacity::Bound bound : values_of<capacity::Bound>()) {
    out["count"][std::string(text_of(bound))] = 0;
  }
  for (const Option& option : result.options) {
    if (!option.removed_by) continue;
    const std::string bound(text_of(*option.removed_by));
    out["count"][bound] = out["count"][bound].get<int>() + 1;
    out["options"].push_back({{"gpu", option.gpu},
                              {"engine", option.engine},
                              {"tensor_parallel_size", option.tensor_parallel_size},
                              {"bound", bound},
                              {"reason", option.reason}});
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
  out["model_error"] = {{"relative", result.model_error},
                        {"gpus_if_slower", or_null(sureness.gpus_if_slower)},
                        {"gpus_if_faster", or_null(sureness.gpus_if_faster)}};
  out["sensitivity"] = sensitivity_json(result);
  out["months"] = or_null(sureness.months);
}

std::string option_text(const Option& option) {
  return fmt::format("{} {} tp {}", option.gpu, option.engine, option.tensor_parallel_size);
}

std::string worst_text(const Candidate& candidate) {
  std::string out;
  for (const capacity::ObjectiveEstimate& one : candidate.objectives) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {:.4g}", one.worst.key, one.worst.got * unit_of(one.worst.at_most));
  }
  return out;
}

std::string candidates_text(const CapacityResult& result, std::size_t columns) {
  TablePrinter table({{"option", Align::kLeft, true},
                      {"GPUs", Align::kRight},
                      {"holds"},
                      {"busy, %", Align::kRight},
                      {"objectives (ms, tokens/s)", Align::kLeft, true}});
  for (const Candidate& candidate : result.candidates) {
    const char* verdict = candidate.holds ? "yes" : candidate.overloaded ? "overloaded" : "no";
    table.add_row({option_text(result.options[candidate.option]), std::to_string(candidate.gpus),
                   verdict, fmt::format("{:.0f}", 100 * candidate.gpu_busy_share),
                   worst_text(candidate)});
  }
  return table.text(columns);
}

std::string verdict_text(const CapacityResult& result) {
  if (!result.best) {
    const std::string beyond = result.beyond
                                   ? fmt::format("; {} GPUs would ({})", result.beyond->gpus,
                                                 option_text(result.options[result.beyond->option]))
                                   : "";
    return "No allowed fleet meets the objectives" + beyond + ".\n";
  }
  const Candidate& best = *result.best;
  return fmt::format("{} GPUs: {} replicas of {}, busy {:.0f} %\n", best.gpus, best.replicas,
                     option_text(result.options[best.option]), 100 * best.gpu_busy_share);
}

std::string gpus_text(const std::optional<std::uint32_t>& gpus) {
  return gpus ? fmt::format("{} GPUs", *gpus) : "more GPUs than allowed";
}

std::string sureness_text(const CapacityResult& result) {
  const capacity::Sureness& sureness = result.sureness;
  std::string out =
      fmt::format("headroom: sustains up to {:.2f} times the rate\n", sureness.headroom);
  if (sureness.holds_without_one) {
    out += fmt::format("without one replica: {}\n",
                       *sureness.holds_without_one ? "objectives still met" : "objectives missed");
  }
  out += fmt::format("steps {:.0f} % slower than predicted: {}; faster by the same amount: {}\n",
                     100 * result.model_error, gpus_text(sureness.gpus_if_slower),
                     gpus_text(sureness.gpus_if_faster));
  if (sureness.months)
    out += fmt::format("growth: sufficient for {:.1f} months\n", *sureness.months);
  return out;
}

std::string sensitivity_text(const CapacityResult& result) {
  std::string out;
  for (const capacity::Sensitivity& one : result.sensitivities) {
    out +=
        fmt::format("{} {:+.0f} / {:+.0f} %: worst objective at {:.0f} / {:.0f} % of its limit\n",
                    text_of(one.assumed), 100 * (one.low.factor - 1), 100 * (one.high.factor - 1),
                    100 * one.low.worst_share, 100 * one.high.worst_share);
  }
  return out;
}

std::string limits_text(const CapacityResult& result) {
  std::string out;
  for (const capacity::Limit& limit : result.limits) {
    if (limit.wanted == 0 && limit.got == 0) {
      out +=
          fmt::format("limit: {} ({}): {}\n", limit.objective, text_of(limit.kind), limit.change);
      continue;
    }
    const double unit = unit_of(limit.at_most);
    out += fmt::format("limit: {} {:.4g}, wanted {:.4g} ({}): {}\n", limit.objective,
                       limit.got * unit, limit.wanted * unit, text_of(limit.kind), limit.change);
  }
  return out;
}

std::string removed_text(const CapacityResult& result) {
  std::string out;
  for (const Option& option : result.options) {
    if (!option.removed_by) continue;
    out += fmt::format("ruled out by {}: {}: {}\n", text_of(*option.removed_by),
                       option_text(option), option.reason);
  }
  return out;
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

std::string capacity_text(const CapacityResult& result, std::size_t columns) {
  std::string out = verdict_text(result) + limits_text(result);
  if (result.best) out += sureness_text(result) + sensitivity_text(result);
  out += removed_text(result);
  if (!result.candidates.empty()) out += "\n" + candidates_text(result, columns);
  return out;
}

}  // namespace septet::command
