#include "models/workload/training/schedule.hpp"

#include <algorithm>

namespace septet::training {
namespace {

// Chunks of microbatches in the order of a direction: groups of `stages` microbatches through one
// chunk after the other.
std::vector<Pass> in_groups(bool forward, std::uint32_t stages, std::uint32_t microbatches,
                            std::uint32_t chunks) {
  std::vector<Pass> out;
  for (std::uint32_t first = 0; first < microbatches; first += stages) {
    for (std::uint32_t c = 0; c < chunks; ++c) {
      for (std::uint32_t m = first; m < std::min(first + stages, microbatches); ++m) {
        out.push_back({forward, m, forward ? c : chunks - 1 - c});
      }
    }
  }
  return out;
}

}  // namespace

std::vector<Pass> one_forward_one_backward(std::uint32_t stage, std::uint32_t stages,
                                           std::uint32_t microbatches, std::uint32_t chunks) {
  const std::uint32_t all = microbatches * chunks;
  const std::uint32_t behind = stages - stage - 1;
  const std::uint32_t wanted = chunks == 1 ? behind : 2 * behind + (chunks - 1) * stages;
  const std::uint32_t ahead = std::min(wanted, all);
  const std::vector<Pass> forward = in_groups(true, stages, microbatches, chunks);
  const std::vector<Pass> backward = in_groups(false, stages, microbatches, chunks);
  std::vector<Pass> out(forward.begin(), forward.begin() + ahead);
  for (std::uint32_t k = ahead; k < all; ++k) {
    out.push_back(forward[k]);
    out.push_back(backward[k - ahead]);
  }
  out.insert(out.end(), backward.begin() + (all - ahead), backward.end());
  return out;
}

}  // namespace septet::training
