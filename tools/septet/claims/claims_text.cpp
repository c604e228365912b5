#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/septet/claims/claims_output.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/text_width.hpp"

namespace septet {
namespace {

std::string number(double value) {
  return std::abs(value) < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string number(const std::optional<double>& value) { return value ? number(*value) : "-"; }

std::string met_text(const SituationResult& situation) {
  if (situation.met) return "yes";
  return situation.met_on.empty() ? "no" : fmt::format("{}", fmt::join(situation.met_on, ", "));
}

// The situations of one claim.
std::string situations_text(const Judgement& judgement, std::size_t columns) {
  if (judgement.situations.empty()) return "";
  std::vector<TableColumn> titles = {{"situation", Align::kLeft, true}};
  for (const std::string& gpu : judgement.claim.gpus()) titles.push_back({gpu, Align::kRight});
  titles.push_back({"measured", Align::kRight});
  titles.push_back({"met"});
  TablePrinter table(titles);
  for (const SituationResult& situation : judgement.situations) {
    std::vector<std::string> cells = {situation.name};
    for (const std::optional<double>& value : situation.simulated) cells.push_back(number(value));
    cells.push_back(number(situation.measured));
    cells.push_back(met_text(situation));
    table.add_row(cells);
  }
  return table.text(columns);
}

std::string claimed(const Judgement& judgement) {
  return judgement.situations.empty() ? "" : figure_text(judgement.claim.figure);
}

std::string verdict_text(const Judgement& judgement) {
  std::string out = name_of(judgement.verdict);
  const std::vector<std::string> met = judgement.met_situations();
  if (judgement.verdict == Verdict::kHoldsWhen && !met.empty()) {
    out += fmt::format(" ({})", fmt::join(met, "; "));
  }
  if (judgement.verdict == judgement.claim.written) {
    return out + ": " + judgement.claim.text.claim.reason;
  }
  return out +
         fmt::format(" (the reason in the file is for: {})", name_of(judgement.claim.written));
}

std::string claim_text(const Judgement& judgement, std::size_t columns) {
  const Claim& claim = judgement.claim;
  const std::string figure = claimed(judgement);
  std::string out = wrapped(
      claim.name + ": " + claim.text.claim.text + (figure.empty() ? "" : " [" + figure + "]"), 2,
      columns);
  out += situations_text(judgement, columns);
  for (const SituationResult& situation : judgement.situations) {
    if (situation.missing.empty()) continue;
    out += wrapped("no answer for " + situation.name + ": " + situation.missing, 2, columns);
  }
  return out + wrapped(verdict_text(judgement), 2, columns) + "\n";
}

std::string summary_text(const std::vector<Judgement>& judgements, std::size_t columns) {
  TablePrinter table({{"claim", Align::kLeft, true}, {"claimed", Align::kRight}, {"verdict"}});
  std::map<Verdict, std::size_t> counts;
  for (const Judgement& judgement : judgements) {
    table.add_row({judgement.claim.name, claimed(judgement), name_of(judgement.verdict)});
    ++counts[judgement.verdict];
  }
  std::vector<std::string> totals;
  for (const auto& [verdict, count] : counts) {
    totals.push_back(fmt::format("{} {}", count, name_of(verdict)));
  }
  return table.text(columns) +
         fmt::format("\n{} claims: {}\n", judgements.size(), fmt::join(totals, ", "));
}

}  // namespace

std::string figure_text(const Figure& figure) {
  static constexpr const char* kBounds[] = {"", ">= ", "<= "};
  std::string out = kBounds[static_cast<std::size_t>(figure.bound)] + number(figure.least);
  if (figure.most > figure.least) out += " to " + number(figure.most);
  const bool close = figure.unit.empty() || figure.unit == "x";
  return out + (close ? "" : " ") + figure.unit;
}

std::string claims_text(const std::vector<Judgement>& judgements, std::size_t columns) {
  std::string out;
  for (const Judgement& judgement : judgements) out += claim_text(judgement, columns);
  return out + summary_text(judgements, columns);
}

}  // namespace septet
