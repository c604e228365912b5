// Interprets the names of kernels that communicate: of NCCL and RCCL, and those that libraries and
// serving engines bring along (PyTorch's symmetric memory, NVSHMEM, DeepEP, custom all-reduces of
// vLLM, SGLang, TensorRT-LLM and FlashInfer). Names are as in their sources.
#pragma once

#include <optional>
#include <string_view>

#include "models/program/program.hpp"

namespace septet::recorded {

// "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)". Nothing for kernels that are no collective.
std::optional<program::CollectiveOp> nccl_op(std::string_view kernel);

// Of a collective as PyTorch names it: "allreduce", "_allgather_base", "all_to_allv".
std::optional<program::CollectiveOp> named_op(std::string_view name);

}  // namespace septet::recorded
