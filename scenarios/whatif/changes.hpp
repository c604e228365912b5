// Shared by the changes listed in what_if.cpp.
#pragma once

#include <string>

#include "scenarios/analysis/run_rows.hpp"
#include "scenarios/whatif/what_if.hpp"

namespace septet::whatif::changes {

// The rows of all GPUs in a run of the program as it is now, to its end.
analysis::RunRows run_now(const WhatIfState& state);

// Kernels that never overlapped have durations without sharing: those that overlap because of a
// change must share the SMs (models/gpu/execution/shared_run.hpp). Durations of kernels that did
// overlap already include the effects of sharing; then nothing is added. `before`: the rows of a
// run before the change.
void share_if_alone(WhatIfState& state, const analysis::RunRows& before);
void share_if_alone(WhatIfState& state);  // runs the program, if that is not settled yet

// "what-if NAME: got 'VALUE', wanted WANTED"
[[noreturn]] void wrong_value(const std::string& name, const std::string& value,
                              const std::string& wanted);
// A finite number above zero.
double read_factor(const std::string& name, const std::string& value);

}  // namespace septet::whatif::changes
