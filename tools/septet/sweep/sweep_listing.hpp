// What a sweep would run, without running it.
#pragma once

#include "tools/septet/sweep/sweep_case.hpp"

namespace septet::command {

// Lists and counts the points, with an estimate of time and memory from the first few.
void print_points(const Sweep& sweep, const SweepRequest& request);

// The scenario of the point that was asked for. Throws UsageError where there is none of its name.
void print_point(const Sweep& sweep, const SweepRequest& request);

// The batch script for so many tasks as were asked for.
void print_script(const Sweep& sweep, const SweepRequest& request);

}  // namespace septet::command
