#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/serving/capacity_report.hpp"
#include "tools/septet/serving/serving_report.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

using capacity::Candidate;
using capacity::CapacityResult;
using capacity::Option;

std::string worst_text(const Candidate& candidate) {
  std::string out;
  for (const capacity::ObjectiveEstimate& one : candidate.objectives) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {:.4g}", one.worst.key, one.worst.got * shown_factor(one.worst.unit));
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

std::string cost_text(const serving::GpuCost& gpu, const Candidate& best) {
  std::string out;
  if (best.cost_per_hour) {
    out = fmt::format("cost: {:.2f}{}", *best.cost_per_hour, priced_text(gpu, " an hour"));
    if (best.cost_per_million_output_tokens) {
      out += fmt::format("; {:.3f} per million output tokens, {:.3f} per million of all",
                         *best.cost_per_million_output_tokens, *best.cost_per_million_tokens);
    }
    out += "\n";
  }
  out += fmt::format("energy: GPUs draw {:.0f} W on average", best.power.count());
  if (best.joules_per_output_token) {
    out += fmt::format(", {:.2f} J per output token", *best.joules_per_output_token);
  }
  return out + "\n";
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
  const Option& option = result.options[best.option];
  return fmt::format("{} GPUs: {} replicas of {}, busy {:.0f} %\n", best.gpus, best.replicas,
                     option_text(option), 100 * best.gpu_busy_share) +
         cost_text(option.of->gpu_cost, best);
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
  out +=
      fmt::format("steps {:.0f} % slower than predicted: {}; faster by the same amount: {} ({})\n",
                  100 * result.model_error.relative, gpus_text(sureness.gpus_if_slower),
                  gpus_text(sureness.gpus_if_faster), result.model_error.source);
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

std::string change_text(const capacity::Limit& limit) {
  return limit.change.empty() ? "" : "; nearest change that helps: " + limit.change;
}

std::string limits_text(const CapacityResult& result) {
  std::string out;
  for (const capacity::Limit& limit : result.limits) {
    if (limit.wanted == 0 && limit.got == 0) {
      out += fmt::format("limit: {} ({}){}\n", limit.objective, text_of(limit.kind),
                         change_text(limit));
      continue;
    }
    const double unit = shown_factor(limit.unit);
    out += fmt::format("limit: {} {:.4g} {}, wanted {:.4g} ({}){}\n", limit.objective,
                       limit.got * unit, shown_unit(limit.unit), limit.wanted * unit,
                       text_of(limit.kind), change_text(limit));
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
  std::string counts;
  for (const capacity::Bound bound : values_of<capacity::Bound>()) {
    const std::uint64_t removed = capacity::candidates_removed(result, bound);
    if (removed > 0) counts += fmt::format(", {} by {}", removed, text_of(bound));
  }
  out += fmt::format("{} fleets allowed: {} simulated", capacity::candidates_allowed(result),
                     result.candidates.size());
  if (!counts.empty()) out += "; ruled out " + counts.substr(2);
  out += "\n";
  return out;
}

}  // namespace

std::string capacity_text(const CapacityResult& result, std::size_t columns) {
  std::string out = verdict_text(result) + limits_text(result);
  if (result.best) out += sureness_text(result) + sensitivity_text(result);
  out += removed_text(result);
  if (!result.candidates.empty()) out += "\n" + candidates_text(result, columns);
  return out;
}

}  // namespace septet::command
