// An operator of a model as people write it: its name and its shape, on the command line or in the
// table [operator] of a kernel file. One table of fields serves both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/program/data_type.hpp"
#include "scenarios/config/field.hpp"

namespace septet {

using Count = std::optional<std::uint64_t>;

struct AskedOperator {
  std::string op;
  Count m, n, k;                      // products
  Count batch, heads, kv_heads, dim;  // attention
  Count seq, kv;                      // queries and keys of a sequence
  Count rows, cols, elements;         // rows of a matrix, plain elements
  Count images, channels, height, width, filters, filter, stride;  // convolutions
  Count inputs, outputs, instructions;                             // of `elementwise`
  std::string dtype = "bf16";
  std::string l2 = "cold";
  std::string library = "pytorch";
  bool causal = false;
  bool steady = false;
  Place place;
};

const Fields<AskedOperator>& asked_operator_fields();

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
const OperatorKind& operator_kind(const AskedOperator& text);

// The name of a key's flag: "kv-heads".
std::string flag_of(std::string key);

// A list for --help: a line for each operator with its flags.
std::string operator_list();
// The same as a table of Markdown.
std::string operator_reference();

}  // namespace septet
