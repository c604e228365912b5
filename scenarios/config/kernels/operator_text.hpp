// An operator of a model as it is written: its name and its shape, in a scenario
// (`op = { name = "gemm", m = 4096, n = 4096, k = 4096 }`), in the table [operator] of a kernel
// file and on the command line of `septet explain`. All have the same keys for the shape; scenarios
// say in numbers what the L2 cache holds, questions in a word.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/program/operator_work.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet {

using Count = std::optional<std::uint64_t>;

struct OperatorText {
  Place place;
  std::string op;
  Count m, n, k;                      // products
  Count batch, heads, kv_heads, dim;  // attention
  Count seq, kv;                      // queries and keys of a sequence
  Count rows, cols, elements;         // rows of a matrix, plain elements
  Count images, channels, height, width, filters, filter, filter_width, stride;  // convolutions
  Count inputs, outputs, instructions;                                           // `elementwise`
  std::string dtype = "bf16";
  std::string library = "pytorch";
  bool causal = false;
  // Of a kernel in a scenario.
  double l2_hit = 0;
  bool l2_dirty = false;
  bool output_stays = false;
  Duration load{};
  // Of a question.
  std::string l2 = "cold";
  bool steady = false;
};

// The rows of the name, called `name_key`, of the shape, the type and the library.
Fields<OperatorText> operator_shape_fields(const std::string& name_key);

// Those of a kernel in a scenario.
const Fields<OperatorText>& operator_text_fields();

// What an operator is, and the keys of its shape.
struct OperatorKind {
  std::string name;
  std::vector<std::string> needs;
  std::vector<std::string> may_have;
  std::vector<std::string> types;  // of `dtype`
  std::string description;
};

const std::vector<OperatorKind>& operator_kinds();

// The kind that `text.op` names. Throws ConfigError where there is no such operator, a key of its
// shape is missing, or a key is there that it doesn't have.
const OperatorKind& operator_kind(const OperatorText& text);

// What is computed; `text` has been checked. Throws ConfigError for sizes that don't go together.
Operator operator_of(const OperatorText& text);

// Of a kernel in a scenario. Throws as both of the above.
OperatorWork operator_work(const OperatorText& text);

}  // namespace septet
