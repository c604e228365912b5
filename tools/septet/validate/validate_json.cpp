#include <optional>

#include <nlohmann/json.hpp>

#include "tools/septet/validate/validate_report.hpp"

namespace septet::command {
namespace {

nlohmann::ordered_json optional_json(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json group_json(const validation::GroupErrors& group) {
  const bool known = group.compared > 0;
  const auto figure = [&](double value) {
    return known ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  return {{"n", group.rows},
          {"unsupported", group.unsupported},
          {"median_abs_pct", figure(group.median_abs)},
          {"p90_abs_pct", figure(group.p90_abs)},
          {"max_abs_pct", figure(group.max_abs)},
          {"bias_pct", figure(group.bias)}};
}

nlohmann::ordered_json row_json(const validation::ValidatedRow& row) {
  return {{"file", row.row.file},
          {"line", row.row.line},
          {"group", row.row.group},
          {"case", *row.row.case_},
          {"metric", row.row.metric},
          {"measured", optional_json(row.row.value)},
          {"predicted", optional_json(row.prediction.value)},
          {"error_pct", optional_json(row.error_percent())},
          {"limiter", row.prediction.limiter}};
}

}  // namespace

nlohmann::ordered_json validate_json(const std::vector<validation::ValidatedRow>& rows,
                                     const std::vector<std::string>& warnings) {
  nlohmann::ordered_json out;
  out["groups"] = nlohmann::ordered_json::object();
  for (const auto& [name, group] : group_errors(rows)) out["groups"][name] = group_json(group);
  out["rows"] = nlohmann::ordered_json::array();
  for (const validation::ValidatedRow& row : rows) out["rows"].push_back(row_json(row));
  out["warnings"] = warnings;
  return out;
}

}  // namespace septet::command
