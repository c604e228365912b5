// Operators of models (GEMM, attention, norms, ...) in a Program: what is computed, on what data,
// by which library. models/gpu/operators predicts their time.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include "core/base/quantity.hpp"
#include "models/program/operators/adamw.hpp"
#include "models/program/operators/attention.hpp"
#include "models/program/operators/convolution.hpp"
#include "models/program/operators/elementwise.hpp"
#include "models/program/operators/embedding_bag.hpp"
#include "models/program/operators/gather.hpp"
#include "models/program/operators/gemm.hpp"
#include "models/program/operators/grouped_gemm.hpp"
#include "models/program/operators/loss.hpp"
#include "models/program/operators/ordering.hpp"
#include "models/program/operators/rowwise.hpp"
#include "models/program/operators/sum_all.hpp"
#include "models/program/operators/sum_rows.hpp"
#include "models/program/operators/transpose.hpp"

namespace septet::program {

// Every operator, once: the variant here and the declarations of the models that time them
// (models/gpu/operators/library_kernels.hpp) are made from this list.
#define SEPTET_OPERATORS(EACH)                                                    \
  EACH(program::Gemm), EACH(program::GroupedGemm), EACH(program::Attention),      \
      EACH(program::Convolution), EACH(program::Rowwise), EACH(program::Loss),    \
      EACH(program::Ordering), EACH(program::Elementwise), EACH(program::Gather), \
      EACH(program::EmbeddingBag), EACH(program::SumAll), EACH(program::SumRows), \
      EACH(program::Transpose), EACH(program::AdamW)

#define SEPTET_ITSELF(What) What
using Operator = std::variant<SEPTET_OPERATORS(SEPTET_ITSELF)>;
#undef SEPTET_ITSELF

// Whose kernels: PyTorch's (cuBLAS, cuDNN) or those that vLLM runs, helper kernels included
// (cuBLAS, CUTLASS for fp8, FlashAttention 3).
enum class Library : std::uint8_t { kPyTorch, kVllm };
constexpr auto enum_table(std::type_identity<Library>) {
  return enum_texts<Library>("pytorch", "vllm");
}

// How long the GPU has been under the operator's load when it is timed: its clock falls meanwhile.
struct LoadHistory {
  Duration before{};    // whatever the call's own time
  double calls = 0;     // and so many calls
  bool steady = false;  // so long that the clock has settled
  constexpr bool operator==(const LoadHistory&) const = default;
};

struct OperatorWork {
  Operator what;
  Library library = Library::kPyTorch;
  LoadHistory load{};
  // Its kernels take so many times as long: backward operators without a model of their own.
  double factor = 1;
  constexpr bool operator==(const OperatorWork&) const = default;
};

}  // namespace septet::program
