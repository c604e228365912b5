#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/septet/claims/claims_output.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

std::string number(double value) {
  return std::abs(value) < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string number(const std::optional<double>& value) { return value ? number(*value) : "-"; }

std::string met_text(const claims::SituationResult& situation) {
  if (situation.matched) return "yes";
  return situation.matched_on.empty() ? "no"
                                      : fmt::format("{}", fmt::join(situation.matched_on, ", "));
}

// The situations of one claim.
std::string situations_text(const claims::ClaimResult& result, std::size_t columns) {
  if (result.situations.empty()) return "";
  std::vector<TableColumn> titles = {{"situation", Align::kLeft, true}};
  for (const std::string& gpu : result.claim.gpus()) titles.push_back({gpu, Align::kRight});
  titles.push_back({"measured", Align::kRight});
  titles.push_back({"matches"});
  TablePrinter table(titles);
  for (const claims::SituationResult& situation : result.situations) {
    std::vector<std::string> cells = {situation.name};
    for (const std::optional<double>& value : situation.simulated) cells.push_back(number(value));
    cells.push_back(number(situation.measured));
    cells.push_back(met_text(situation));
    table.add_row(cells);
  }
  return table.text(columns);
}

std::string claimed(const claims::ClaimResult& result) {
  return result.situations.empty() ? "" : figure_text(result.claim.figure);
}

std::string verdict_text(const claims::ClaimResult& result) {
  std::string out = name_of(result.verdict);
  const std::vector<std::string> matched = result.matched_situations();
  if (result.verdict == claims::Verdict::kHoldsWhen && !matched.empty()) {
    out += fmt::format(" ({})", fmt::join(matched, "; "));
  }
  if (result.verdict == result.claim.written) {
    return out + ": " + result.claim.text.claim.reason;
  }
  return out + fmt::format(" (the reason in the file is for: {})", name_of(result.claim.written));
}

std::string claim_text(const claims::ClaimResult& result, std::size_t columns) {
  const claims::Claim& claim = result.claim;
  const std::string figure = claimed(result);
  std::string out = wrapped(
      claim.name + ": " + claim.text.claim.text + (figure.empty() ? "" : " [" + figure + "]"), 2,
      columns);
  out += situations_text(result, columns);
  for (const claims::SituationResult& situation : result.situations) {
    if (situation.missing.empty()) continue;
    out += wrapped("no result for " + situation.name + ": " + situation.missing, 2, columns);
  }
  return out + wrapped(verdict_text(result), 2, columns) + "\n";
}

std::string summary_text(const std::vector<claims::ClaimResult>& results, std::size_t columns) {
  TablePrinter table({{"claim", Align::kLeft, true}, {"claimed", Align::kRight}, {"verdict"}});
  std::map<claims::Verdict, std::size_t> counts;
  for (const claims::ClaimResult& result : results) {
    table.add_row({result.claim.name, claimed(result), name_of(result.verdict)});
    ++counts[result.verdict];
  }
  std::vector<std::string> totals;
  for (const auto& [verdict, count] : counts) {
    totals.push_back(fmt::format("{} {}", count, name_of(verdict)));
  }
  return table.text(columns) + fmt::format("\n{} claim{}: {}\n", results.size(),
                                           results.size() == 1 ? "" : "s", fmt::join(totals, ", "));
}

}  // namespace

std::string figure_text(const claims::Figure& figure) {
  static constexpr const char* kBounds[] = {"", ">= ", "<= "};
  std::string out = kBounds[static_cast<std::size_t>(figure.bound)] + number(figure.least);
  if (figure.most > figure.least) out += " to " + number(figure.most);
  const bool close = figure.unit.empty() || figure.unit == "x";
  return out + (close ? "" : " ") + figure.unit;
}

std::string claims_text(const std::vector<claims::ClaimResult>& results, std::size_t columns) {
  std::string out;
  for (const claims::ClaimResult& result : results) out += claim_text(result, columns);
  return out + summary_text(results, columns);
}

}  // namespace septet::command
