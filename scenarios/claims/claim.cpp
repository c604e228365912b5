#include "scenarios/claims/claim.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/validate/case_keys.hpp"

namespace septet::claims {
namespace {

constexpr std::array kKinds = {"value", "ratio", "speedup", "saving", "rate"};
constexpr std::array kBounds = {"about", "at least", "at most"};
constexpr std::array kVerdicts = {"holds", "holds when", "does not hold", "not simulated"};
constexpr std::array kPartKeys = {"rows", "group", "kernel", "number", "reports"};

// The index of a word in the list of valid `words`.
template <class Enum, std::size_t N>
Enum choice(const config::Place& place, const char* key, const std::string& text,
            const std::array<const char*, N>& words) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) {
    const std::vector<std::string> all(words.begin(), words.end());
    place.fail(key, "\"" + text + "\"",
               "one of: " + config::listed(all) + config::did_you_mean(text, all));
  }
  return static_cast<Enum>(found - words.begin());
}

Figure figure_of(const StatementText& text) {
  for (const char* key : {"kind", "figure"}) {
    if (!text.place.has(key)) {
      throw ConfigError::value(text.place.where(), config::joined(text.place.path, key), "nothing",
                               "a key of claims that have a [[situation]]");
    }
  }
  Figure out;
  out.kind = choice<FigureKind>(text.place, "kind", text.kind.text, kKinds);
  if (text.bound) {
    out.bound = choice<FigureBound>(text.place, "bound", text.bound->text, kBounds);
  }
  out.least = text.figure;
  out.most = text.figure_most.value_or(text.figure);
  if (out.most < out.least) {
    text.place.fail("figure_most", fmt::format("{}", out.most), "at least `figure`");
  }
  out.tolerance = text.tolerance;
  out.unit = text.unit;
  return out;
}

bool compares(FigureKind kind) { return kind != FigureKind::kValue && kind != FigureKind::kRate; }

// A key that is valid only together with another.
void check_goes_with(const config::Place& place, const char* key, const char* with) {
  if (place.has(key) && !place.has(with)) {
    place.fail(key, fmt::format("{} without {}", key, with), "both or neither");
  }
}

void check_report(const PartText& part) {
  for (const char* key : {"among", "count", "mean"}) check_goes_with(part.place, key, "reports");
  if (part.place.has("reports") && part.place.has("count") == part.place.has("mean")) {
    part.place.fail("reports", "reports with both or neither of count and mean", "one of the two");
  }
}

// An unused key would have no effect.
void check_case_of_group(const PartText& part) {
  const std::vector<std::string> groups = validation::case_groups();
  if (std::ranges::find(groups, part.group) == groups.end()) {
    part.place.fail("group", "\"" + part.group + "\"",
                    "one of: " + config::listed(groups) + config::did_you_mean(part.group, groups));
  }
  const std::vector<std::string>& known = validation::case_keys(part.group);
  for (const config::ConfigEntry& entry : *part.case_.table.table()) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    throw ConfigError::value(
        entry.key_where, config::joined(config::joined(part.place.path, "case"), entry.key),
        "a key that cases of " + part.group + " don't have",
        "one of: " + config::listed(known) + config::did_you_mean(entry.key, known));
  }
}

void check_part(const PartText& part, const Claim& claim) {
  std::vector<std::string> found;
  for (const char* key : kPartKeys) {
    if (part.place.has(key)) found.emplace_back(key);
  }
  if (found.size() != 1) {
    part.place.fail("", found.empty() ? "nothing to simulate" : config::listed(found),
                    fmt::format("exactly one of: {}", fmt::join(kPartKeys, ", ")));
  }
  check_goes_with(part.place, "take", "kernel");
  check_goes_with(part.place, "unit", "number");
  check_report(part);
  const bool of_case = part.place.has("rows") || part.place.has("group");
  if (part.place.has("case") != of_case) {
    part.place.fail("case", of_case ? "no case" : "a case alone", "rows or group, and a case");
  }
  if (part.place.has("group") && part.metric.empty()) {
    part.place.fail("metric", "no metric", "the metric of the case");
  }
  if (!part.group.empty()) check_case_of_group(part);
  if (part.kernel) claim.kernel(part);
}

void check_situation(const SituationText& situation, const Claim& claim) {
  const bool two_sides = compares(claim.figure.kind);
  if (two_sides == situation.before.empty()) {
    situation.place.fail("before", two_sides ? "no before" : "a before",
                         two_sides ? "what to compare with" : "none with this kind of figure");
  }
  if (situation.after.empty()) situation.place.fail("after", "an empty list", "at least one part");
  if ((situation.amount > 0) != (claim.figure.kind == FigureKind::kRate)) {
    situation.place.fail("amount", situation.amount > 0 ? "an amount" : "no amount",
                         "one with kind \"rate\" and only then");
  }
  for (const PartText& part : situation.before) check_part(part, claim);
  for (const PartText& part : situation.after) check_part(part, claim);
}

}  // namespace

const char* name_of(Verdict verdict) { return kVerdicts.at(static_cast<std::size_t>(verdict)); }

bool Figure::matched_by(double value) const {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double none = kind == FigureKind::kSpeedup ? 1.0 : 0.0;
  const double low = none + (least - none) * (1.0 - tolerance);
  const double high = none + (most - none) * (1.0 + tolerance);
  const bool above = value >= (bound == FigureBound::kAtMost ? -kInfinite : low);
  return above && value <= (bound == FigureBound::kAtLeast ? kInfinite : high);
}

double Figure::of(double before, double after, double amount) const {
  switch (kind) {
    case FigureKind::kValue:
      return after;
    case FigureKind::kRatio:
      return after / before;
    case FigureKind::kSpeedup:
      return before / after;
    case FigureKind::kSaving:
      return 100.0 * (1.0 - after / before);
    case FigureKind::kRate:
      return amount / after;
  }
  return after;
}

std::vector<std::string> Claim::gpus() const {
  std::vector<std::string> out;
  if (!text.claim.premises.empty()) out.push_back(text.claim.premises);
  out.insert(out.end(), text.claim.gpus.begin(), text.claim.gpus.end());
  return out;
}

Location Claim::where_of_gpu(const std::string& gpu) const {
  const config::ConfigValue& table = *text.claim.place.table;
  if (gpu == text.claim.premises) return table.find("premises")->where;
  const config::ConfigValue& list = *table.find("gpus");
  for (const config::ConfigValue& one : *list.array()) {
    if (*one.string() == gpu) return one.where;
  }
  return list.where;
}

const config::KernelText& Claim::kernel(const PartText& part) const {
  std::vector<std::string> names;
  for (const config::KernelText& candidate : text.kernels) {
    if (candidate.name.text == part.kernel->text) return candidate;
    names.push_back(candidate.name.text);
  }
  part.place.fail("kernel", "\"" + part.kernel->text + "\"",
                  "a kernel of this file (" + config::listed(names) + ")" +
                      config::did_you_mean(part.kernel->text, names));
}

bool is_claim(const config::ConfigValue& tree) { return tree.find("claim") != nullptr; }

Claim read_claim(const config::ConfigValue& tree, const std::filesystem::path& file) {
  Claim out;
  out.name = file.stem().string();
  out.file = file;
  out.tree = std::make_shared<const config::ConfigValue>(tree);
  const std::string root;
  read_fields({*out.tree, root}, claim_file_fields(), config::Sources::kAllowed, out.text);
  const StatementText& statement = out.text.claim;
  out.written = choice<Verdict>(statement.place, "verdict", statement.verdict.text, kVerdicts);
  if (statement.gpus.empty()) {
    statement.place.fail("gpus", "an empty list", "at least one profile");
  }
  if (out.text.situations.empty()) return out;
  out.figure = figure_of(statement);
  for (const SituationText& situation : out.text.situations) check_situation(situation, out);
  return out;
}

}  // namespace septet::claims
