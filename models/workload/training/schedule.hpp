// The order in which a pipeline stage takes microbatches: one forward, one backward (1F1B).
//
// A stage runs as many forward passes ahead as there are stages behind it, then alternates, then
// finishes its backward passes: no stage holds activations of more microbatches than there are
// stages from it to the end (Narayanan et al., "Efficient large-scale language model training on
// GPU clusters using Megatron-LM", SC'21).
#pragma once

#include <cstdint>
#include <vector>

namespace septet::training {

struct Pass {
  bool forward = true;
  std::uint32_t microbatch = 0;
  constexpr bool operator==(const Pass&) const = default;
};

std::vector<Pass> one_forward_one_backward(std::uint32_t stage, std::uint32_t stages,
                                           std::uint32_t microbatches);

}  // namespace septet::training
