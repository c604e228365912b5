// What a kernel's name reveals about its source: how many loads its warps have in flight, whether
// its main loop is a software pipeline, how many dependent loads come before the data. Counters do
// not show that. Names are those of PyTorch, cuBLAS, cuDNN, CUTLASS and CUB; the structure was read
// in their published sources (PyTorch's ATen/native/cuda, CUTLASS, CUB) or, for closed ones, from
// the kind of kernel that their names state. An unknown name gets the default.
#pragma once

#include <string>

#include "models/workload/nsight/profiled_counts.hpp"

namespace septet::nsight {

enum class LoadPattern : std::uint8_t {
  kBatches,       // `in_flight` loads, then work
  kWritesOnly,    // fills
  kPipeline,      // loads run ahead of the main loop
  kElementLoop,   // `elements` rounds of load and store, one after the other
  kReduction,     // one load of 16 bytes or four of 4 at a time
  kTensorLists,   // one turn over several lists of tensors
  kConvertedLoad  // a switch over the type around every load
};

struct SourceStructure {
  LoadPattern pattern = LoadPattern::kBatches;
  double in_flight = 8;        // loads of a warp
  double dependent_loads = 0;  // before the data: indices, lists, statistics
  double elements = 1;         // kElementLoop: of a thread
  double lists = 1;            // kTensorLists
};

SourceStructure source_structure(const std::string& kernel_name);

// Matrix instructions of a kernel.
struct MatrixInstructions {
  double cycles = 0;        // of a scheduler's tensor pipe for one of a warp
  bool warp_group = false;  // wgmma: operands from shared memory, issued by four warps together
};

// From the tile and the data type that the name states.
MatrixInstructions matrix_instructions(const std::string& kernel_name);

// True where the name is that of a matrix product or an attention kernel.
bool names_matrix_product(const std::string& kernel_name);

}  // namespace septet::nsight
