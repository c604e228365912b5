// The time of an operator on a GPU, as the models of models/gpu/operators give it.
//
// Cold: operands are not in the L2 cache, which is full of what other work wrote, as inside a large
// step; warm: the same call is repeated, and the cache keeps what fits of operands and outputs. The
// states are those in which the rows of group op were measured.
#pragma once

#include <optional>
#include <string>

#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/operators/operator_time.hpp"
#include "scenarios/explain/operator_help.hpp"

namespace septet::explain {

struct OperatorAnswer {
  gpu::OperatorTime time;                 // its limiter is known only where `kernel` is
  std::optional<program::Kernel> kernel;  // operators whose kernel the kernel model times
  std::string plan;                       // what the library is taken to run: "tiles of 128 x 256"
};

// Throws ModelError where the GPU can't compute with the type.
OperatorAnswer operator_answer(const gpu::GpuSpec& gpu, const config::WrittenOperator& op);

// "gemm m 4096, n 4096, k 4096, bf16, cold L2"
std::string operator_title(const config::WrittenOperator& op);

}  // namespace septet::explain
