// Attention by the requested library.
#include "models/gpu/operators/attention.hpp"

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/serving.hpp"

namespace septet::gpu {

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Attention& what,
                          const program::OperatorWork& work) {
  if (what.phase == program::AttentionPhase::kBackward) {
    return {cudnn_backward(gpu, what, work.load), "a persistent kernel of 64 x 64 tiles"};
  }
  const bool decode = what.phase == program::AttentionPhase::kDecode && what.queries == 1;
  if (work.library == program::Library::kVllm) {
    if (decode) return {serving_decode(gpu, what), "FlashAttention 3, keys split"};
    return {serving_prefill(gpu, what, work.load), "FlashAttention 3, cache written"};
  }
  if (decode) return {cudnn_decode(gpu, what), "blocks of 128 keys, keys split"};
  if (what.causal && what.queries < what.keys) {
    return {flash2_chunk(gpu, what, work.load), "FlashAttention 2, blocks of 128 x 64"};
  }
  return {cudnn_prefill(gpu, what, work.load), "a persistent kernel of 128 x 128 tiles"};
}

}  // namespace septet::gpu
