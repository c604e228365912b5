// How an operator is declared: in one header of this folder, next to its struct.
//
//   struct Gemm { double m, n, k; DataType type; OperandState state; ... };
//   double operand_bytes(const Gemm&);                    // of operands and results of a call
//   double written_bytes(const Gemm&);                    // of results alone
//   template <std::same_as<Gemm> What>
//   OperatorKinds<What> kinds_of(std::type_identity<What>)  // names, fields, measured rows
//
// which is a template so that only operator_kinds.cpp compiles the tables, a second's work: half of
// all source files include these headers. And, where they say more than the defaults do,
//
//   std::optional<OperatorMistake> mistake_in(const Gemm&);     // sizes that don't go together
//   double graph_bytes(const Gemm&, double calls);        // what calls of one graph go over
//   double operations(const Gemm&);                       // multiplications and additions
//
// Its line in operator_work.hpp makes it known. Scenario files, options, help, references and
// measured rows all come from these declarations (operator_kinds.hpp); which kernels a library runs
// for it is defined in models/gpu/operators.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/program/data_type.hpp"

namespace septet::program {

// Where the operands of a call are when it starts. Every operator has one: `state`.
struct OperandState {
  double l2_hit = 0;          // share of the operands that the L2 cache holds, 0 to 1
  bool l2_dirty = false;      // it is full of lines that another call wrote
  bool output_stays = false;  // the output is written over before it leaves the L2 cache
  bool weights_cold = false;  // but a norm's weights, last read a layer ago, are in DRAM alone
  constexpr bool operator==(const OperandState&) const = default;
};

// Inside a large step: others have used the whole cache since.
inline constexpr OperandState kColdOperands{.l2_dirty = true};

// Beyond these a time would not fit, or a grid be refused.
struct OperatorLimit {
  static constexpr std::uint64_t kSide = 1ULL << 22;  // of a product
  static constexpr std::uint64_t kRows = 0x7FFFFFFF;  // a block each
  static constexpr std::uint64_t kElements = 1ULL << 39;
  static constexpr std::uint64_t kKeys = 1ULL << 24;
  static constexpr std::uint64_t kSmall = 1024;  // elements of a head; heads; inputs, ...
};

// A count from 1, or a flag.
template <class What>
struct OperatorField {
  std::string key;
  std::variant<double What::*, std::uint64_t What::*, bool What::*> member;
  std::string meaning;
  std::uint64_t most = 1;
  bool required = false;
  std::string like{};     // an absent one is as large as this field; empty: as the kind has it
  bool matrix = false;    // or as the sides of a matrix, `rows` and `cols`
  std::string row_key{};  // as measured rows call it; empty: the same

  template <class Member>
  static OperatorField needed(std::string key, Member What::*member, std::uint64_t most,
                              std::string meaning) {
    return {std::move(key), member, std::move(meaning), most, true};
  }
  template <class Member>
  static OperatorField optional(std::string key, Member What::*member, std::uint64_t most,
                                std::string meaning, std::string like = "") {
    return {std::move(key), member, std::move(meaning), most, false, std::move(like)};
  }
  OperatorField in_rows(std::string name) const {
    OperatorField out = *this;
    out.row_key = std::move(name);
    return out;
  }
  static OperatorField flag(std::string key, bool What::*member, std::string meaning) {
    return {std::move(key), member, std::move(meaning)};
  }
  // Elements of each operand, plain or as those of a matrix.
  static OperatorField elements(double What::*member) {
    return {"elements",
            member,
            "elements of each operand; or give rows and cols",
            OperatorLimit::kElements,
            true,
            "",
            true};
  }
};

// The rows of group op that measured the operator (data/measurements/FORMAT.md).
struct MeasuredOperator {
  struct Extent {  // of a field in the rows of data/measurements/h200
    std::string key;
    double least = 0;
    double most = 0;
  };
  std::vector<std::string> names{};  // as the rows call it; empty: none are answered
  std::vector<Extent> extents{};
  std::vector<DataType> types{};  // in those rows; empty: there are none
  double replays = 0;             // of a graph, before and while the clock is read
};

// What an operator is called and takes, whatever its fields are.
struct OperatorText {
  std::string name;
  std::string meaning;
  std::vector<DataType> types{};
  std::string joined_by{};             // the field that grows where several calls become one
  bool library = false;                // libraries differ in its kernels
  bool gradient = false;               // of another operator: frameworks call it by autograd
  bool load = false;                   // it runs long enough to pull the clock down
  std::vector<std::string> aliases{};  // other names of the same
  MeasuredOperator measured{};
};

// One way in which an operator can be asked for: `preset` with the fields filled in.
template <class What>
struct OperatorKindOf {
  OperatorText text;
  std::vector<OperatorField<What>> fields;
  What preset{};
};

template <class What>
using OperatorKinds = std::vector<OperatorKindOf<What>>;

// Sizes that don't go together: the field, what is too large ("rows of queries") and what is
// wanted.
struct OperatorMistake {
  std::string key;
  double got = 0;
  std::string of{};
  std::string wanted{};
};

inline std::vector<DataType> all_types() {
  return {DataType::kBf16, DataType::kFp16, DataType::kFp8, DataType::kTf32, DataType::kFp32};
}
inline std::vector<DataType> plain_types() {
  return {DataType::kBf16, DataType::kFp16, DataType::kFp8, DataType::kFp32};
}
inline std::vector<DataType> half_types() { return {DataType::kBf16, DataType::kFp16}; }

}  // namespace septet::program
