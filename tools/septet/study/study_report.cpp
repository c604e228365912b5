#include "tools/septet/study/study_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/study/rank_report.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/study/what_if_table.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kTopLinks = 10;

// Which rank others wait for in a what-if, if any.
std::string straggler_line(const study::Outcome& outcome) {
  const std::optional<analysis::RankTimes>& ranks = outcome.summary.ranks;
  return ranks && has_straggler(*ranks) ? "  " + straggler_text(*ranks) : "";
}

std::string notes_text(const study::Outcome& outcome) {
  if (!outcome.failure.empty()) {
    return fmt::format("\n{}:\n  failed: {}\n", outcome.name, outcome.failure);
  }
  std::string out = straggler_line(outcome);
  for (const std::string& note : outcome.notes) out += fmt::format("  {}\n", note);
  const std::string cut = unfinished_text(outcome.summary.unfinished);
  if (!cut.empty()) out += fmt::format("  {}\n", cut);
  return out.empty() ? out : fmt::format("\n{}:\n{}", outcome.name, out);
}

// The report on the baseline and on each what-if.
nlohmann::ordered_json outcome_json(const study::Outcome& outcome) {
  const analysis::RunSummary& summary = outcome.summary;
  nlohmann::ordered_json out = {{"attribution", attribution_json(summary.attribution)},
                                {"critical_path", path_json(summary)},
                                {"limited_by", bottleneck_json(summary)},
                                {"unfinished", unfinished_json(summary.unfinished)}};
  if (summary.ranks) out["ranks"] = ranks_json(*summary.ranks);
  if (outcome.training) out["training"] = training_json(*outcome.training);
  return out;
}

nlohmann::ordered_json what_if_json(const study::Outcome& outcome) {
  if (!outcome.failure.empty()) {
    return {{"name", outcome.name},
            {"simulated_us", nullptr},
            {"speedup", nullptr},
            {"error", outcome.failure}};
  }
  nlohmann::ordered_json out = {{"name", outcome.name},
                                {"simulated_us", to_us(outcome.summary.span)},
                                {"speedup", outcome.speedup}};
  if (outcome.unprofiled) {
    out["unprofiled_us"] = to_us(*outcome.unprofiled);
    out["unprofiled_speedup"] = outcome.unprofiled_speedup;
  }
  out.update(outcome_json(outcome));
  out["notes"] = outcome.notes;
  return out;
}

}  // namespace

std::string study_text(const study::StudyResult& result, const std::string& as_it_is,
                       std::size_t top, std::size_t columns) {
  const analysis::RunSummary& summary = result.baseline.summary;
  std::string out = attribution_text(summary.attribution, columns) + "\n";
  if (summary.ranks) out += ranks_text(*summary.ranks, columns);
  if (result.baseline.training) out += training_text(*result.baseline.training);
  if (summary.ranks || result.baseline.training) out += "\n";
  out += kernels_text(summary, top, columns) + "\n";
  if (!summary.unrecorded.empty()) out += unrecorded_text(summary, top, columns) + "\n";
  if (!summary.links.empty()) out += links_text(summary, kTopLinks, columns) + "\n";
  out += path_text(summary, columns);
  if (result.what_ifs.empty()) return out;
  out += "\n" + what_if_table(result, as_it_is, columns);
  for (const study::Outcome& outcome : result.what_ifs) out += notes_text(outcome);
  return out;
}

std::string run_text(const std::string& name, const study::StudyResult& result,
                     const std::string& as_it_is, std::size_t top, std::size_t columns) {
  const analysis::RunSummary& summary = result.baseline.summary;
  const std::string cut = unfinished_text(summary.unfinished);
  return fmt::format("{}: simulated {:.1f} us, {} events, digest {}\n{}{}\n{}", name,
                     to_us(summary.span), summary.engine.events, hex(summary.engine.digest), cut,
                     cut.empty() ? "" : "\n", study_text(result, as_it_is, top, columns));
}

nlohmann::ordered_json study_json(const study::StudyResult& result, std::size_t top) {
  const analysis::RunSummary& summary = result.baseline.summary;
  nlohmann::ordered_json out = {{"simulated_us", to_us(summary.span)},
                                {"events", summary.engine.events},
                                {"digest", hex(summary.engine.digest)},
                                {"wall_s", result.wall_s}};
  out["summary"] = {{"gpu_commands", summary.gpu_commands},
                    {"kernels", kernels_json(summary, top)},
                    {"unrecorded_waits", unrecorded_json(summary, top)}};
  out["summary"].update(outcome_json(result.baseline));
  if (!summary.links.empty()) out["summary"]["links"] = links_json(summary, kTopLinks);
  out["what_ifs"] = nlohmann::ordered_json::array();
  for (const study::Outcome& outcome : result.what_ifs)
    out["what_ifs"].push_back(what_if_json(outcome));
  return out;
}

}  // namespace septet::command
