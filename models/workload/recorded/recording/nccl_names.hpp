// Interprets the names of NCCL kernels, for formats that have this information nowhere else.
#pragma once

#include <optional>
#include <string_view>

#include "models/program/program.hpp"

namespace septet::recorded {

// "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)". Nothing for kernels that are no collective.
std::optional<program::CollectiveOp> nccl_op(std::string_view kernel);

}  // namespace septet::recorded
