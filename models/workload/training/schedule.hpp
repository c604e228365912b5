// The order in which a pipeline stage takes microbatches: one forward, one backward (1F1B), with
// one or several chunks of layers on each stage.
//
// A stage runs as many forward passes ahead as there are stages behind it, then alternates, then
// finishes its backward passes: no stage holds activations of more microbatches than there are
// stages from it to the end. With v chunks on each of p stages, microbatches go in groups of p
// through one chunk after the other, and stage s runs 2 (p - s - 1) + (v - 1) p passes ahead
// (Narayanan et al., "Efficient large-scale language model training on GPU clusters using
// Megatron-LM", SC'21). The bubble is (p - 1) / (v m) of the time of m microbatches.
#pragma once

#include <cstdint>
#include <vector>

namespace septet::training {

struct Pass {
  bool forward = true;
  std::uint32_t microbatch = 0;
  std::uint32_t chunk = 0;
  constexpr bool operator==(const Pass&) const = default;
};

std::vector<Pass> one_forward_one_backward(std::uint32_t stage, std::uint32_t stages,
                                           std::uint32_t microbatches, std::uint32_t chunks = 1);

}  // namespace septet::training
