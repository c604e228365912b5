#include "models/workload/training/schedule.hpp"

#include <algorithm>

namespace septet::training {

std::vector<Pass> one_forward_one_backward(std::uint32_t stage, std::uint32_t stages,
                                           std::uint32_t microbatches) {
  const std::uint32_t ahead = std::min(stages - stage - 1, microbatches);
  std::vector<Pass> out;
  for (std::uint32_t m = 0; m < ahead; ++m) out.push_back({true, m});
  for (std::uint32_t m = ahead; m < microbatches; ++m) {
    out.push_back({true, m});
    out.push_back({false, m - ahead});
  }
  for (std::uint32_t m = microbatches - ahead; m < microbatches; ++m) out.push_back({false, m});
  return out;
}

}  // namespace septet::training
