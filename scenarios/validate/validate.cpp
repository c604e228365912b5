#include "scenarios/validate/validate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/statistics.hpp"
#include "scenarios/validate/row_check.hpp"

namespace septet::validation {
namespace {

const CaseKind* kind_of(const MeasuredRow& row) {
  const std::string what = row.has("what") ? row.text("what") : "";
  for (const CaseKind& kind : case_kinds()) {
    if (kind.group == row.group && kind.what == what) return &kind;
  }
  return nullptr;
}

GroupErrors summarize(const std::vector<double>& errors) {
  GroupErrors out;
  out.compared = errors.size();
  if (errors.empty()) return out;
  std::vector<double> absolute;
  double sum = 0;
  for (const double error : errors) {
    absolute.push_back(std::abs(error));
    sum += error;
  }
  out.median_abs = percentile(absolute, 50);
  out.p90_abs = percentile(absolute, 90);
  out.max_abs = *std::max_element(absolute.begin(), absolute.end());
  out.bias = sum / static_cast<double>(errors.size());
  return out;
}

}  // namespace

std::optional<double> ValidatedRow::error_percent() const {
  if (!prediction.value || !row.value || *row.value == 0.0) return std::nullopt;
  return 100.0 * (*prediction.value / *row.value - 1.0);
}

Prediction predict(const MeasuredRow& row, const system::SystemSpec& system) {
  if (row.mistake) return unsupported(*row.mistake);
  const CaseKind* kind = kind_of(row);
  if (kind == nullptr) return unsupported("no Program for this kind of case");
  try {
    if (const auto reason = why_unanswerable(row)) return unsupported(*reason);
    Prediction out = kind->model(row, system);
    if (out.value && !std::isfinite(*out.value)) return unsupported("no finite answer");
    return out;
  } catch (const ConfigError& error) {
    return unsupported(error.reason());
  } catch (const ModelError& error) {
    return unsupported(error.what());
  }
}

std::vector<std::pair<std::string, GroupErrors>> group_errors(
    const std::vector<ValidatedRow>& rows) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> errors;
  std::map<std::string, GroupErrors> counts;
  for (const ValidatedRow& row : rows) {
    const std::string& group = row.row.group;
    if (counts.find(group) == counts.end()) order.push_back(group);
    ++counts[group].rows;
    if (!row.prediction.value) ++counts[group].unsupported;
    if (const auto error = row.error_percent()) errors[group].push_back(*error);
  }
  std::vector<std::pair<std::string, GroupErrors>> out;
  for (const std::string& group : order) {
    GroupErrors summary = summarize(errors[group]);
    summary.rows = counts[group].rows;
    summary.unsupported = counts[group].unsupported;
    out.emplace_back(group, summary);
  }
  return out;
}

std::vector<std::string> above(const std::vector<ValidatedRow>& rows, const ErrorLimits& limits) {
  std::vector<std::string> out;
  std::size_t compared = 0;
  for (const auto& [name, group] : group_errors(rows)) {
    compared += group.compared;
    if (group.median_abs <= limits.median_abs && group.p90_abs <= limits.p90_abs) continue;
    out.push_back(
        fmt::format("group {}: median |error| {:.2f} %, 90 % {:.2f} %, wanted {:g} % and "
                    "{:g} % at most",
                    name, group.median_abs, group.p90_abs, limits.median_abs, limits.p90_abs));
  }
  if (compared == 0) out.emplace_back("no row could be compared");
  return out;
}

std::string unanswered_text(const std::vector<ValidatedRow>& rows) {
  const auto unanswered = std::ranges::count_if(
      rows, [](const ValidatedRow& row) { return !row.prediction.value.has_value(); });
  if (unanswered == 0) return {};
  if (static_cast<std::size_t>(unanswered) == rows.size()) {
    return fmt::format("not one of {} row{} has an answer", rows.size(),
                       rows.size() == 1 ? "" : "s");
  }
  return fmt::format("{} of {} rows have no answer", unanswered, rows.size());
}

}  // namespace septet::validation
