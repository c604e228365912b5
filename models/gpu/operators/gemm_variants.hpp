// Products that other kernels compute than those of the library's main family.
#pragma once

#include "models/gpu/operators/gemm.hpp"
#include "models/program/kernel.hpp"

namespace septet::gpu {

// Where strides are no multiples of 16 bytes, threads copy 4 bytes at a time, or 2 or 1 where not
// even that is aligned: steps of 64 bytes of k, each access of a thread so many cycles
// (mma.access_cycles), products with instructions of a warp (mma.flops), and outputs stored in
// accesses of the same size. Source: names of kernels in traces (cutlass_80_..._align2,
// cutlass_75_..._align1). Changes `kernel`, made for the main family.
void copy_by_elements(const GpuSpec& gpu, const program::Gemm& gemm, Tile tile, double split,
                      TileKernel& kernel);

// CUTLASS's kernel with scales of rows and columns: tiles fixed by the shape, k in one piece.
GemmChoice rowwise_choice(const program::Gemm& gemm);

// PyTorch's kernel for weights of four bits: a block takes 16 rows and 8 columns over all of k, so
// weights are unpacked again for each 16 rows.
program::Kernel int4_kernel(const GpuSpec& gpu, const program::Gemm& gemm);
// Its time, and at least that of its operands.
OperatorTime int4_time(const GpuSpec& gpu, const program::Gemm& gemm);

}  // namespace septet::gpu
