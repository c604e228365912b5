#include "models/program/operators/operator_kinds.hpp"

#include <algorithm>

namespace septet::program {
namespace {

template <class What>
ShapeField shape_field(OperatorField<What> field) {
  ShapeField out{.key = std::move(field.key),
                 .meaning = std::move(field.meaning),
                 .most = field.most,
                 .required = field.required,
                 .like = std::move(field.like),
                 .matrix = field.matrix,
                 .row_key = std::move(field.row_key)};
  std::visit(
      [&]<class Value>(Value What::*member) {
        out.flag = std::is_same_v<Value, bool>;
        out.get = [member](const Operator& op) {
          return static_cast<double>(std::get<What>(op).*member);
        };
        out.set = [member](Operator& op, double value) {
          std::get<What>(op).*member = static_cast<Value>(value);
        };
      },
      field.member);
  return out;
}

template <class What>
void add_kinds(std::vector<OperatorKind>& out) {
  for (OperatorKindOf<What>& kind : kinds_of(std::type_identity<What>())) {
    OperatorKind& added = out.emplace_back(OperatorKind{std::move(kind.text), {}, kind.preset});
    for (OperatorField<What>& field : kind.fields) {
      added.fields.push_back(shape_field(std::move(field)));
    }
  }
}

bool is_in(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

template <class Calls>
const OperatorKind* first_kind(Calls calls) {
  const auto found = std::ranges::find_if(operator_kinds(), calls);
  return found == operator_kinds().end() ? nullptr : &*found;
}

}  // namespace

const ShapeField* OperatorKind::field(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &ShapeField::key);
  return found == fields.end() ? nullptr : &*found;
}

bool OperatorKind::computes_with(DataType type) const {
  return std::ranges::find(types, type) != types.end();
}

const std::vector<OperatorKind>& operator_kinds() {
#define SEPTET_ADD_KINDS(What) add_kinds<What>(all)
  static const std::vector<OperatorKind> kKinds = [] {
    std::vector<OperatorKind> all;
    (SEPTET_OPERATORS(SEPTET_ADD_KINDS));
    return all;
  }();
#undef SEPTET_ADD_KINDS
  return kKinds;
}

const OperatorKind* operator_kind(std::string_view name) {
  return first_kind(
      [&](const OperatorKind& kind) { return kind.name == name || is_in(kind.aliases, name); });
}

const OperatorKind* measured_operator(std::string_view name) {
  return first_kind([&](const OperatorKind& kind) { return is_in(kind.measured.names, name); });
}

double bytes_of_call(const Operator& what) {
  return std::visit([](const auto& one) { return operand_bytes(one); }, what);
}

double bytes_of_graph(const Operator& what, double calls) {
  return std::visit(
      [&](const auto& one) {
        if constexpr (requires { graph_bytes(one, calls); }) return graph_bytes(one, calls);
        return operand_bytes(one);
      },
      what);
}

double bytes_written(const Operator& what) {
  return std::visit([](const auto& one) { return written_bytes(one); }, what);
}

double operations_of(const Operator& what) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { operations(one); }) return static_cast<double>(operations(one));
        return 0.0;
      },
      what);
}

std::optional<OperatorMistake> mistake_of(const Operator& what) {
  return std::visit(
      [](const auto& one) -> std::optional<OperatorMistake> {
        if constexpr (requires { mistake_in(one); }) return mistake_in(one);
        return std::nullopt;
      },
      what);
}

DataType type_of(const Operator& what) {
  return std::visit([](const auto& one) { return one.type; }, what);
}

void set_type(Operator& what, DataType type) {
  std::visit([&](auto& one) { one.type = type; }, what);
}

void set_state(Operator& what, const OperandState& state) {
  std::visit([&](auto& one) { one.state = state; }, what);
}

const OperandState& state_of(const Operator& what) {
  return std::visit([](const auto& one) -> const OperandState& { return one.state; }, what);
}

}  // namespace septet::program
