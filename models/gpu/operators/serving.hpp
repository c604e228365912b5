// Kernels that vLLM runs around its products and its attention: quantization to fp8 with a scale
// found at run time, the write to the paged cache, and whole operators with them.
#pragma once

#include "models/gpu/operators/attention.hpp"
#include "models/gpu/operators/gemm.hpp"

namespace septet::gpu {

// The product as vLLM computes it, activations in two bytes: for fp8 the largest magnitude (a
// block a row, one atomic each on one address), the conversion, and CUTLASS's fixed tile by m.
OperatorTime serving_gemm(const GpuSpec& gpu, const program::Gemm& gemm,
                          const program::LoadHistory& history);

// Attention behind the write of the new keys and values, one block a token, and the kernel that
// schedules sequences. Decode's cache is written already.
OperatorTime serving_prefill(const GpuSpec& gpu, const program::Attention& attention,
                             const program::LoadHistory& history);
OperatorTime serving_decode(const GpuSpec& gpu, const program::Attention& attention);

}  // namespace septet::gpu
