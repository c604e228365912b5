// The class of work that a recorded kernel's name states: what kind of loop it runs, in which tile
// and type. Names are those of cuBLAS (nvjet), cuDNN, CUTLASS, FlashAttention, PyTorch and NCCL.
#pragma once

#include <string>
#include <type_traits>

#include "core/base/enum_texts.hpp"
#include "models/program/data_type.hpp"

namespace septet::whatif {

enum class WorkClass : std::uint8_t {
  kProduct,    // matrix products and convolutions
  kAttention,  // flash kernels, prefill and decode
  kCollective,
  kOther  // passes over data: elementwise, norms, reductions, copies, anything unknown
};
constexpr auto enum_table(std::type_identity<WorkClass>) {
  return enum_texts<WorkClass>("GEMM", "attention", "collectives", "other kernels");
}

struct RecordedClass {
  WorkClass work = WorkClass::kOther;
  // Products: rows and columns of the tile; attention: queries and keys of a step, and the head.
  double rows = 128;
  double columns = 128;
  double depth = 128;
  program::DataType type = program::DataType::kBf16;
};

// A tile or type that the name does not state is the one above.
RecordedClass recorded_class(const std::string& kernel_name);

}  // namespace septet::whatif
