// An operator of a model as it is written: `op = { name = "gemm", m = 4096, n = 4096, k = 4096 }`.
#pragma once

#include <map>
#include <string>

#include "models/program/operator_work.hpp"
#include "scenarios/config/field.hpp"

namespace septet {

struct OperatorText {
  Place place;
  std::string name;
  std::string type = "bf16";
  std::string library = "pytorch";
  std::map<std::string, std::uint64_t> sizes;  // by key
  bool causal = false;
  double l2_hit = 0;
  bool l2_dirty = false;
  bool output_stays = false;
  Duration load{};
};

const Fields<OperatorText>& operator_text_fields();

// Throws ConfigError where the name, a size or a key doesn't go with the others.
OperatorWork operator_work(const OperatorText& text);

}  // namespace septet
