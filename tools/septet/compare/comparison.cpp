#include "tools/septet/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "tools/septet/optional_json.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

bool is_below(const std::string& key, const std::string& parent) {
  if (!key.starts_with(parent)) return false;
  return key.size() == parent.size() || key[parent.size()] == '.' || key[parent.size()] == '[';
}

bool is_ignored(const std::string& key, const std::vector<std::string>& ignored) {
  return std::ranges::any_of(ignored,
                             [&](const std::string& parent) { return is_below(key, parent); });
}

const double* number_of(const std::optional<ResultValue>& value) {
  return value ? std::get_if<double>(&*value) : nullptr;
}

using ByKey = std::map<std::string, ResultValue>;

constexpr const char* kHalfWidth = ".half_width_95";
constexpr std::string_view kMean = ".mean";

double half_width_of(const std::string& key, const ByKey& a, const ByKey& b) {
  if (!key.ends_with(kMean)) return 0;
  const std::string beside = key.substr(0, key.size() - kMean.size()) + kHalfWidth;
  const auto in_a = a.find(beside);
  const auto in_b = b.find(beside);
  if (in_a == a.end() || in_b == b.end()) return 0;
  const double* left = std::get_if<double>(&in_a->second);
  const double* right = std::get_if<double>(&in_b->second);
  return left != nullptr && right != nullptr ? std::hypot(*left, *right) : 0;
}

std::string value_text(const std::optional<ResultValue>& value) {
  if (const double* number = number_of(value)) return fmt::format("{:.6g}", *number);
  return value ? std::get<std::string>(*value) : "-";
}

std::string change_text(const ValueChange& change) {
  const std::optional<NumberChange> numbers = change.numbers();
  return numbers ? numbers->percent_text() : "";
}

Json json_of(const std::optional<ResultValue>& value) {
  if (const double* number = number_of(value)) return *number;
  return value ? Json(std::get<std::string>(*value)) : Json();
}

}  // namespace

std::optional<NumberChange> ValueChange::numbers() const {
  const double* from = number_of(a);
  const double* to = number_of(b);
  if (from == nullptr || to == nullptr) return std::nullopt;
  return NumberChange{*from, *to, half_width};
}

std::optional<double> ValueChange::change_pct() const {
  const std::optional<NumberChange> both = numbers();
  return both ? both->percent() : std::nullopt;
}

bool ValueChange::exceeds(double limit_pct) const {
  if (const std::optional<NumberChange> both = numbers()) return both->exceeds(limit_pct);
  return number_of(a) != nullptr || number_of(b) != nullptr;
}

Comparison compare_values(const ResultValues& a, const ResultValues& b,
                          const std::vector<std::string>& ignored) {
  const std::map<std::string, ResultValue> all_a(a.begin(), a.end());
  const std::map<std::string, ResultValue> all_b(b.begin(), b.end());
  std::map<std::string, ResultValue> left = all_b;
  Comparison out;
  for (const auto& [key, value] : a) {
    if (is_ignored(key, ignored) || key.ends_with(kHalfWidth)) continue;
    const auto found = left.find(key);
    if (found == left.end()) {
      out.changes.push_back({key, value, std::nullopt});
      continue;
    }
    if (found->second == value) {
      ++out.equal;
    } else {
      out.changes.push_back({key, value, found->second, half_width_of(key, all_a, all_b)});
    }
    left.erase(found);
  }
  for (const auto& [key, value] : b) {
    if (left.contains(key) && !is_ignored(key, ignored) && !key.ends_with(kHalfWidth)) {
      out.changes.push_back({key, std::nullopt, value});
    }
  }
  return out;
}

std::size_t count_above(const Comparison& comparison, double limit_pct) {
  return static_cast<std::size_t>(std::ranges::count_if(
      comparison.changes, [&](const ValueChange& change) { return change.exceeds(limit_pct); }));
}

std::string comparison_text(const Comparison& comparison, std::size_t columns) {
  const std::string counts =
      fmt::format("{} values differ, {} are equal\n", comparison.changes.size(), comparison.equal);
  if (comparison.changes.empty()) return counts;
  TablePrinter table({{"value", Align::kLeft, true},
                      {"A", Align::kRight},
                      {"B", Align::kRight},
                      {"change", Align::kRight}});
  for (const ValueChange& change : comparison.changes) {
    table.add_row({change.key, value_text(change.a), value_text(change.b), change_text(change)});
  }
  return table.text(columns) + counts;
}

Json comparison_json(const Comparison& comparison) {
  Json changes = Json::array();
  for (const ValueChange& change : comparison.changes) {
    changes.push_back({{"key", change.key},
                       {"a", json_of(change.a)},
                       {"b", json_of(change.b)},
                       {"change_pct", or_null(change.change_pct())},
                       {"half_width_95", change.half_width}});
  }
  return {{"equal", comparison.equal}, {"changed", std::move(changes)}};
}

}  // namespace septet::command
