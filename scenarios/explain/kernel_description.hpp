// A kernel as input of advice: what the model times, plus what only changes need, such as the size
// of an element. Readers of kernels fill in what they know.
#pragma once

#include <string>
#include <vector>

#include "models/program/kernel.hpp"

namespace septet::explain {

struct AccessDescription {
  program::MemoryBatch batch;
  double element_bytes = 0;  // of one thread in a request; 0: not known
  bool dependent = false;    // each request needs the answer of the one before
  double working_set = 0;  // bytes of repeated passes, from which the L2 hit rate came; 0: unknown

  // Sectors of a request whose threads lie side by side.
  double dense_sectors() const { return element_bytes; }
};

struct SegmentDescription {
  program::Segment segment;   // its batches are those of `accesses`
  double barrier_cycles = 0;  // of its chain
  double active_lanes = 32;   // threads of a warp that take part in an instruction, mean
  std::vector<AccessDescription> accesses;

  double issued() const;  // warp instructions of an iteration
  bool loads() const;
};

struct KernelDescription {
  std::string name;
  program::LaunchShape shape;
  std::vector<SegmentDescription> segments;
  double once_cycles = 0;
  double wave_cycles = 0;
};

program::InstructionWork work_of(const KernelDescription& kernel);

// A kernel with InstructionWork, of which nothing else is known.
KernelDescription description_of(const program::Kernel& kernel);

}  // namespace septet::explain
