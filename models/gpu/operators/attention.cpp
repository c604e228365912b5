// Attention by the library that is asked for.
#include "models/gpu/operators/attention.hpp"

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/serving.hpp"

namespace septet::gpu {

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Attention& what,
                          const program::OperatorWork& work) {
  const bool decode = what.phase == program::AttentionPhase::kDecode;
  if (work.library == program::Library::kVllm) {
    if (decode) return {serving_decode(gpu, what), "FlashAttention 3, keys split"};
    return {serving_prefill(gpu, what, work.load), "FlashAttention 3, cache written"};
  }
  if (decode) return {cudnn_decode(gpu, what), "blocks of 128 keys, keys split"};
  return {cudnn_prefill(gpu, what, work.load), "a persistent kernel of 128 x 128 tiles"};
}

}  // namespace septet::gpu
