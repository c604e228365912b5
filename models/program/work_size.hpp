// The amount of work in a Program, counted without running it. Work that can never run counts, too,
// so these are floating-point numbers, which don't wrap.
#pragma once

#include <vector>

#include "models/program/program.hpp"

namespace septet::program {

// The nodes of a graph, with those of the graphs inside it and two around each of these. `earlier`:
// the same of the graphs before it, which are all that it can hold.
double nodes_with_children(const Graph& graph, const std::vector<double>& earlier);

struct WorkSize {
  double calls = 0;  // of all threads
  double gpu_commands =
      0;  // kernels, copies, memsets and ranks of collectives, those in graphs too
  double block_threads = 0;  // threads of all blocks of all kernels
};

WorkSize work_size(const Program& program);

}  // namespace septet::program
