// Operators from text. Names and fields are declared in models/program/operators; one reader serves
// all places where operators are written, which differ in what they say about a call:
//
//   scenario   op = { name = "gemm", m = 4096, ... }: in numbers what the L2 cache holds, the load
//   question   table [operator] of a kernel file, flags of `septet explain`: the cache in a word
//   row        the case of a measured row, which says nothing of it here
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "models/program/operators/operator_kinds.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet::config {

enum class OperatorForm : std::uint8_t { kScenario, kQuestion, kRow };

enum class L2State : std::uint8_t { kCold, kWarm };
constexpr auto enum_table(std::type_identity<L2State>) {
  return enum_texts<L2State>("cold", "warm");
}

struct WrittenOperator {
  Place place;
  std::string name;  // as written: may be an alias
  const program::OperatorKind* kind = nullptr;
  program::Operator what;
  program::DataType type = program::DataType::kBf16;
  program::Library library = program::Library::kPyTorch;
  // Of a kernel in a scenario.
  double l2_hit = 0;
  bool l2_dirty = false;
  bool output_stays = false;
  Duration load{};
  // Of a question.
  L2State l2 = L2State::kCold;
  bool steady = false;
};

// Throws ConfigError where there is no such operator, a field is missing, unknown or out of range,
// and for sizes that don't go together.
WrittenOperator read_operator(const Reading& reading, OperatorForm form);

// The same, of a scenario, as Programs have it.
program::OperatorWork read_operator_work(const Reading& reading);

// A row that reads an operator.
template <class Spec, class Member>
Field<Spec> operator_field(std::string key, Member Spec::*member, Member (*read_it)(const Reading&),
                           std::string description) {
  const auto read = [member, read_it](const Reading& reading, Sources, Spec& spec) {
    spec.*member = read_it(reading);
  };
  return {{std::move(key), "a table", "", std::move(description)}, read};
}

// All keys of all operators in this form, for references and flags.
std::vector<FieldText> operator_keys(OperatorForm form);

}  // namespace septet::config
