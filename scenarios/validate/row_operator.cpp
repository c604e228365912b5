#include "scenarios/validate/row_operator.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "scenarios/config/kernels/operator_text.hpp"

namespace septet::validation {
namespace {

config::ConfigValue as_config(const MeasuredRow& row, const std::string& key, bool flag) {
  const nlohmann::ordered_json& value = row.case_->at(key);
  if (flag && value.is_number_integer()) return {row.integer(key) != 0, row.where()};
  if (value.is_boolean()) return {row.flag(key), row.where()};
  if (value.is_string()) return {row.text(key), row.where()};
  return {row.integer(key), row.where()};
}

// Elements of a matrix of so many columns.
std::optional<std::int64_t> rows_of_elements(const MeasuredRow& row,
                                             const program::OperatorKind& kind) {
  if (kind.field("rows") == nullptr || !row.has("elements") || !row.has("cols")) return {};
  return row.integer("elements") / std::max<std::int64_t>(1, row.integer("cols"));
}

// The keys of the case that the operator has; others say how it was measured.
config::ConfigValue::Table shape_of(const MeasuredRow& row, const program::OperatorKind& kind) {
  config::ConfigValue::Table table;
  const auto add = [&](const std::string& key, bool flag = false, std::string in_row = "") {
    if (in_row.empty()) in_row = key;
    if (row.has(in_row)) table.push_back({key, row.where(), as_config(row, in_row, flag)});
  };
  add("dtype");
  for (const program::ShapeField& field : kind.fields) {
    add(field.key, field.flag, field.row_key);
    if (field.matrix) {
      add("rows");
      add("cols");
    }
  }
  if (const auto rows = rows_of_elements(row, kind)) {
    table.push_back({"rows", row.where(), config::ConfigValue{*rows, row.where()}});
  }
  return table;
}

program::Operator read(const MeasuredRow& row, config::ConfigValue::Table table,
                       config::OperatorForm form) {
  const config::ConfigValue value{std::move(table), row.where()};
  return read_operator({value, "case"}, form).what;
}

}  // namespace

program::Operator operator_of(const MeasuredRow& row, const program::OperatorKind& kind) {
  config::ConfigValue::Table table = shape_of(row, kind);
  table.push_back({"op", row.where(), as_config(row, "op", false)});
  return read(row, std::move(table), config::OperatorForm::kRow);
}

program::Operator load_of(const MeasuredRow& row, const program::OperatorKind& kind) {
  config::ConfigValue::Table table = shape_of(row, kind);
  table.push_back({"op", row.where(), config::ConfigValue{kind.name, row.where()}});
  return read(row, std::move(table), config::OperatorForm::kQuestion);
}

}  // namespace septet::validation
