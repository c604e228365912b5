// Attention: the kernels of cuDNN, and of FlashAttention 3 as vLLM runs it.
//
// A step takes bq queries times bk keys: 4 bq bk d operations at the tensor rate, and then
// bq bk / softmax_per_cycle cycles that nothing hides, softened against copies and L2. Prefill is a
// persistent kernel of one block an SM:
//   cuDNN   128 x 128; tiles dealt out in turn, heads fastest, the longest causal ones first: the
//           path is that of the first SM, tiles 0, SMs, 2 SMs ...
//   FA3     tile by head dimension; tiles go to the SM that is free; the path is the longer of the
//           longest tile and the mean; finding a tile's sequence takes longer with more than 31.
//           Rows of grouped heads share a tile where queries don't fill one.
// Decode splits the keys over blocks as long as they don't fill the SMs; parts are added up.
//
// Ignored: masks other than causal, sliding windows, pages, dropout. FlashAttention 3 has no kernel
// for head dimensions beyond 256 (vLLM runs FlashAttention 4): the tile of 256 stands for them, and
// most such times come out a quarter too short. GPUs before and after Hopper run other kernels.
// Validated against group op.
#pragma once

#include <cstdint>

#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/operator_time.hpp"

namespace septet::gpu {

OperatorTime cudnn_prefill(const GpuSpec& gpu, const program::Attention& attention,
                           const program::LoadHistory& history);
// The same at a given clock.
OperatorTime cudnn_prefill_at(const GpuSpec& gpu, const program::Attention& attention,
                              Frequency clock);
OperatorTime cudnn_decode(const GpuSpec& gpu, const program::Attention& attention);

OperatorTime flash3_prefill(const GpuSpec& gpu, const program::Attention& attention,
                            const program::LoadHistory& history);
// The same at a given clock.
OperatorTime flash3_prefill_at(const GpuSpec& gpu, const program::Attention& attention,
                               Frequency clock);
OperatorTime flash3_decode(const GpuSpec& gpu, const program::Attention& attention);

}  // namespace septet::gpu
