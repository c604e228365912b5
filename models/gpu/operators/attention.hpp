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
//   FA2     128 x 64 with instructions of a warp, a block a tile, two blocks an SM
// Decode splits the keys over blocks as long as they don't fill the SMs; parts are added up. A
// window leaves out the steps that none of a tile's queries sees.
//
// Backward (cuDNN): a tile of 64 keys goes over the queries that see it, 64 at a time: five
// products of 2 x 64 x 64 d at the peak and backward_step_cycles beside them; then the tile's own
// cycles and the bytes of its rows. Before it the products of outputs and their gradients, and
// zeros for the queries' gradients, which are added up in fp32 and converted after it.
//
// Ignored: masks other than causal and windows, pages, dropout. FlashAttention 3 has no kernel
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
// One query a sequence; more are a prefill over a longer context.
OperatorTime cudnn_decode(const GpuSpec& gpu, const program::Attention& attention);
OperatorTime cudnn_backward(const GpuSpec& gpu, const program::Attention& attention,
                            const program::LoadHistory& history);

// New queries over a longer context where the last of each sees the last key: masks that cuDNN's
// kernels don't have.
OperatorTime flash2_chunk(const GpuSpec& gpu, const program::Attention& attention,
                          const program::LoadHistory& history);

OperatorTime flash3_prefill(const GpuSpec& gpu, const program::Attention& attention,
                            const program::LoadHistory& history);
// The same at a given clock.
OperatorTime flash3_prefill_at(const GpuSpec& gpu, const program::Attention& attention,
                               Frequency clock);
OperatorTime flash3_decode(const GpuSpec& gpu, const program::Attention& attention);

}  // namespace septet::gpu
