// Operators that put the elements of each row in order, or go through them in order: largest k,
// sort, running sum.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

enum class Order : std::uint8_t { kTopK, kSort, kCumsum };
constexpr auto enum_table(std::type_identity<Order>) {
  return enum_texts<Order>("topk", "sort", "cumsum");
}

struct Ordering {
  Order what = Order::kTopK;
  double rows = 1;
  double columns = 1;
  double k = 1;
  DataType type = DataType::kFp32;
  OperandState state{};
  constexpr bool operator==(const Ordering&) const = default;
};

inline constexpr double kIndexBytes = 8;

constexpr double written_bytes(const Ordering& o) {
  const double size = bytes_of(o.type);
  switch (o.what) {
    case Order::kTopK:
      return o.rows * o.k * (size + kIndexBytes);
    case Order::kSort:
      return o.rows * o.columns * (size + kIndexBytes);
    case Order::kCumsum:
      break;
  }
  return o.rows * o.columns * size;
}

constexpr double operand_bytes(const Ordering& o) {
  return o.rows * o.columns * bytes_of(o.type) + written_bytes(o);
}

inline std::optional<OperatorMistake> mistake_in(const Ordering& o) {
  if (o.what != Order::kTopK || o.k <= o.columns) return std::nullopt;
  return OperatorMistake{"top", o.k, "", "at most cols"};
}

template <std::same_as<Ordering> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  const auto kind = [](Order what, const char* meaning, double rows, double columns) {
    const std::string name(text_of(what));
    return OperatorKindOf<What>{
        .text = {.name = name,
                 .meaning = meaning,
                 .types = {DataType::kFp32, DataType::kBf16, DataType::kFp16},
                 .joined_by = "rows",
                 .measured = {.names = {name},
                              .extents = {{"rows", 1, rows}, {"cols", columns, 128256}},
                              .types = {DataType::kFp32}}},
        .fields = {F::needed("rows", &What::rows, OperatorLimit::kRows, "rows of the matrix"),
                   F::needed("cols", &What::columns, OperatorLimit::kRows,
                             "columns of the matrix")},
        .preset = {.what = what}};
  };
  OperatorKindOf<What> top = kind(Order::kTopK, "top k of each row", 8192, 8);
  top.text.measured.extents[1].most = 32000;
  top.fields.push_back(
      F::needed("top", &What::k, OperatorLimit::kSide, "k: elements selected per row")
          .in_rows("k"));
  return {top, kind(Order::kSort, "sort of each row, with indices", 256, 32000),
          kind(Order::kCumsum, "cumulative sum of each row", 256, 32000)};
}

}  // namespace septet::program
