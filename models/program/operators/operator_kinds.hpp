// All operators by name, independent of their types: used by files, options, help and measured
// rows. Generated from the declarations of the operators (operator_field.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/operator_work.hpp"

namespace septet::program {

// A field of a kind; flags are 0 or 1.
struct ShapeField {
  std::string key;
  std::string meaning;
  std::uint64_t most = 1;
  bool required = false;
  std::string like{};
  bool matrix = false;
  std::string row_key{};
  bool flag = false;
  std::function<double(const Operator&)> get{};
  std::function<void(Operator&, double)> set{};
};

struct OperatorKind : OperatorText {
  std::vector<ShapeField> fields;
  Operator preset;

  // Null where it has no such field.
  const ShapeField* field(std::string_view key) const;
  bool computes_with(DataType type) const;
};

const std::vector<OperatorKind>& operator_kinds();

// By name or alias; null if there is no such operator.
const OperatorKind* operator_kind(std::string_view name);
// That which rows of group op call so.
const OperatorKind* measured_operator(std::string_view name);

// Bytes of operands and results of one call, and of what `calls` of one graph go over.
double bytes_of_call(const Operator& what);
double bytes_of_graph(const Operator& what, double calls);

// Bytes of results alone, and multiplications and additions; 0 where none count.
double bytes_written(const Operator& what);
double operations_of(const Operator& what);

std::optional<OperatorMistake> mistake_of(const Operator& what);

DataType type_of(const Operator& what);
void set_type(Operator& what, DataType type);
void set_state(Operator& what, const OperandState& state);
const OperandState& state_of(const Operator& what);

}  // namespace septet::program
