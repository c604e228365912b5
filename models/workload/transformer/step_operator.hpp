// The operators of transformer steps, as kernels of a replayed graph: weights
// come from DRAM, activations stay in the L2 cache where they fit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/operator_time.hpp"
#include "models/program/collective_terms.hpp"
#include "models/program/operator_work.hpp"

namespace septet::transformer {

// Bytes of an activation.
inline constexpr double kActivation = 2;

// Which GPUs a collective joins.
enum class Group : std::uint8_t { kTensor, kExpert };

// What the GPUs of a group do together once an operator has run; no bytes: nothing.
struct Exchange {
  Group group = Group::kTensor;
  program::CollectiveOp op = program::CollectiveOp::kAllReduce;
  Bytes bytes{};

  constexpr bool any() const { return bytes > Bytes(0); }
};

// One operator: a kernel, or more.
struct StepOperator {
  std::string name;
  std::function<gpu::OperatorTime(Frequency)> at;  // at an SM clock
  std::uint32_t nodes = 1;                         // of a graph: two where a product is split
  Exchange then{};                                 // what follows it
};

// Operators that run `times` times in a row: those of a kind of layer.
struct StepPart {
  std::vector<StepOperator> operators;
  std::uint64_t times = 1;
};

// By the library's description, at the full clock whatever the load: it is short.
StepOperator described(const gpu::GpuSpec& gpu, std::string name, const program::Operator& what);

// A norm of rows; its weights were last read a layer ago.
StepOperator norm(const gpu::GpuSpec& gpu, double rows, double columns);

// A function of each element of operands that the kernel before has just written.
StepOperator map(const gpu::GpuSpec& gpu, std::string name, program::Elementwise what);

// A sum or a product of two.
StepOperator combine(const gpu::GpuSpec& gpu, std::string name, double elements,
                     bool strided = false);

// Elements put elsewhere, or negated on the way.
StepOperator copy(const gpu::GpuSpec& gpu, std::string name, double elements);

// y(m x n) = x(m x k) W(n x k)^T with weights that no cache holds.
StepOperator product(const gpu::GpuSpec& gpu, std::string name, program::Gemm gemm,
                     const gpu::GemmChoice& choice = {});

}  // namespace septet::transformer
