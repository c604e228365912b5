#include <cmath>

#include "core/base/error.hpp"
#include "scenarios/system/run_program.hpp"
#include "scenarios/whatif/capture.hpp"
#include "scenarios/whatif/changes.hpp"

namespace septet::whatif::changes {

analysis::RunRows run_now(const WhatIfState& state) {
  system::SystemSpec system = state.system;
  system.traced_gpus = kNone;
  engine::RunOptions whole = state.options;
  whole.end = Instant::max();  // what is changed is the program as a whole
  return analysis::collect_rows(run_program(state.program, system, whole));
}

void wrong_value(const std::string& name, const std::string& value, const std::string& wanted) {
  throw ConfigError::value({}, "what-if " + name, "'" + value + "'", wanted);
}

double read_factor(const std::string& name, const std::string& value) {
  constexpr double kMost = 1e6;
  std::size_t read = 0;
  double factor = 0;
  try {
    factor = std::stod(value, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  const bool good = read > 0 && read == value.size() && factor >= 1 / kMost && factor <= kMost;
  if (!good) wrong_value(name, value, "a number from 0.000001 to 1000000");
  return factor;
}

}  // namespace septet::whatif::changes
