// Operators of models (products, attention, norms, ...) as a Program describes them: what is
// computed, on what data, by whose kernels. How long that takes is the business of
// models/gpu/operators.
#pragma once

#include <cstdint>
#include <variant>

#include "core/base/quantity.hpp"
#include "models/program/data_type.hpp"

namespace septet {

// Where the operands of a call are when it starts.
struct OperandState {
  double l2_hit = 0;          // share of the operands that the L2 cache holds, 0 to 1
  bool l2_dirty = false;      // it is full of lines that another call wrote
  bool output_stays = false;  // the output is written over before it leaves the L2 cache
  bool weights_cold = false;  // but a norm's weights, last read a layer ago, are in DRAM alone
  constexpr bool operator==(const OperandState&) const = default;
};

// How long the GPU has been under the operator's load when it is timed: its clock falls meanwhile.
struct LoadHistory {
  Duration before{};    // whatever the call's own time
  double calls = 0;     // and so many calls
  bool steady = false;  // so long that the clock has settled
  constexpr bool operator==(const LoadHistory&) const = default;
};

// y(m x n) = a(m x k) b(n x k)^T
struct Gemm {
  double m = 0;
  double n = 0;
  double k = 0;
  DataType type = DataType::kBf16;
  double output_size = 2;  // bytes of an element
  OperandState state;
  double switching = 1;  // energy of the operations against random operands
  constexpr bool operator==(const Gemm&) const = default;
};

struct Convolution {
  double images = 1;
  double channels = 1;
  double height = 1;
  double width = 1;
  double filters = 1;
  double filter_height = 1;
  double filter_width = 1;
  double stride = 1;
  DataType type = DataType::kFp16;
  OperandState state;
  constexpr bool operator==(const Convolution&) const = default;
};

struct Attention {
  std::uint64_t batch = 1;
  std::uint64_t heads = 1;
  std::uint64_t kv_heads = 1;
  std::uint64_t queries = 1;  // of a sequence
  std::uint64_t keys = 1;
  std::uint64_t dim = 128;
  bool causal = false;
  DataType type = DataType::kBf16;
  OperandState state;
  constexpr bool operator==(const Attention&) const = default;
};

struct Elementwise {
  double elements = 0;
  double inputs = 1;
  double outputs = 1;
  double size = 2;          // bytes of an input's element
  double output_size = 2;   // bytes of an output's
  double instructions = 8;  // of arithmetic an element
  constexpr bool operator==(const Elementwise&) const = default;
};

enum class RowOperator : std::uint8_t { kLayerNorm, kRmsNorm, kSoftmax, kArgmax };

struct Rowwise {
  RowOperator what = RowOperator::kLayerNorm;
  double rows = 1;
  double columns = 1;
  constexpr bool operator==(const Rowwise&) const = default;
};

// Rows of a table by index.
struct Gather {
  double rows = 1;
  double columns = 1;
  double size = 2;  // bytes of an element
  constexpr bool operator==(const Gather&) const = default;
};

// All elements into one sum.
struct SumAll {
  double elements = 1;
  constexpr bool operator==(const SumAll&) const = default;
};

enum class AttentionPhase : std::uint8_t { kPrefill, kDecode };

struct AttentionCall {
  AttentionPhase phase = AttentionPhase::kPrefill;
  Attention what;
  constexpr bool operator==(const AttentionCall&) const = default;
};

using Operator =
    std::variant<Gemm, Convolution, AttentionCall, Elementwise, Rowwise, Gather, SumAll>;

// Whose kernels: PyTorch's (cuBLAS, cuDNN) or those that vLLM runs, helper kernels included
// (cuBLAS, CUTLASS for fp8, FlashAttention 3).
enum class Library : std::uint8_t { kPyTorch, kVllm };

struct OperatorWork {
  Operator what;
  OperandState state;  // of operators that have none of their own
  Library library = Library::kPyTorch;
  LoadHistory load;
  // Its kernels take so many times as long: backward operators without a model of their own.
  double factor = 1;
  constexpr bool operator==(const OperatorWork&) const = default;
};

}  // namespace septet
