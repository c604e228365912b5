// The amount of work in a Program, counted without running it. Work that can never run counts, too,
// so these are floating-point numbers, which don't wrap.
#pragma once

#include <vector>

#include "models/program/program.hpp"

namespace septet::program {

// Of each graph: its nodes, with those of the graphs inside it and two around each of these. A
// graph holds only graphs before it, as `check` wants.
std::vector<double> nodes_with_children(const std::vector<Graph>& graphs);

struct WorkSize {
  double calls = 0;  // of all threads
  double gpu_commands =
      0;  // kernels, copies, memsets and ranks of collectives, those in graphs too
  double block_threads = 0;  // threads of all blocks of all kernels
};

WorkSize work_size(const Program& program);

}  // namespace septet::program
