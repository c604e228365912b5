// The numbers of a GPU and of its libraries' kernels that the operator model needs. Immutable;
// values and sources live in `data/`. Cycles are those of the SM clock.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"

namespace septet::gpu {

// Matrix arithmetic of one SM.
struct TensorSpec {
  double bf16_flops = 0;  // a cycle, fp16 alike; 0: the type has no tensor instructions
  double fp8_flops = 0;
  double tf32_flops = 0;
  double fp32_flops = 0;          // FMA pipes
  double efficiency = 1;          // share of it in the main loop of a large tile
  double fp32_efficiency = 1;     // the same of the FMA pipes
  double shared_bytes = 0;        // a cycle that tensor cores read from shared memory
  std::uint32_t multicast = 1;    // SMs that share one copy of an operand (clusters)
  std::uint32_t mma_rows = 0;     // of an instruction that reads shared memory; 0: there is none
  std::uint32_t pair = 1;         // SMs that execute one instruction together
  std::uint32_t accumulator = 0;  // elements of the largest tile
};

// Software pipelines of tiles: asynchronous copies, tensor cores, epilogue.
struct PipelineSpec {
  double copy_bytes = 0;          // a cycle that asynchronous copies bring into one SM
  double step_cycles = 0;         // least of a step: barrier, dependent instructions, release
  double start_cycles = 0;        // descriptors, barriers, cluster; first latency not included
  double overlap_norm = 1;        // how sharply the slowest resource takes over
  double dram_share = 1;          // of the bandwidth, that tiles of many rows reach
  double first_touch_cycles = 0;  // pages that no SM has touched lately
  double dirty_share = 0;         // of the L2 cache, after a fill of more than it holds
};

struct GemmSpec {
  double epilogue_cycles = 0;      // accumulators to shared memory, store, drain
  double split_reduce_cycles = 0;  // the kernel that adds up the parts of a split product
  Duration atomic_interval{};      // between atomics of many SMs on one address
  double window_bytes = 1;       // a cycle that copies bring into one SM where windows are gathered
  double int4_instructions = 0;  // beside arithmetic, of a warp for 16 rows and 1,024 weights
};

// Products whose strides the tensor memory accelerator can't copy.
struct MmaSpec {
  double flops = 0;          // a cycle of an SM with instructions of a warp, bf16
  double access_cycles = 0;  // of an SM, a thread's copy of four bytes or fewer
  double store_cycles = 0;   // the same of outputs, of any size
};

// Products of the experts of a mixture.
struct GroupedSpec {
  Duration prepare{};      // the kernel before it, with its gap
  double tile_cycles = 0;  // of a tile, that nothing overlaps
  double dram_share = 1;   // against other pipelines: weights lie across the copies
};

// cuDNN's attention: prefill, and decode over splits of the keys.
struct CudnnSpec {
  double softmax_per_cycle = 0;  // scores a cycle an SM that tensor work does not hide
  double tile_cycles = 0;        // a tile's own dependent steps
  double mask_cycles = 0;        // more of a tile with a causal mask
  double start_cycles = 0;       // once a kernel
  double decode_step_cycles = 0;
  double decode_copy_bytes = 0;       // a cycle that one block copies in
  double decode_unit_cycles = 0;      // start and end of a block
  Duration decode_combine{};          // parts of a split row meet
  Duration prefill_clear{};           // as nodes of a graph: the fill before it, with its gaps
  double backward_step_cycles = 0;    // of 64 queries and 64 keys, that its products don't hide
  double backward_tile_cycles = 0;    // of 64 keys, beside its steps
  double backward_row_bytes = 0;      // a cycle: its keys, values and their gradients pass
  double backward_dot_share = 0;      // of DRAM bandwidth, products of outputs and gradients
  double backward_convert_share = 0;  // the same, the queries' gradients out of fp32
};

// FlashAttention 2, which PyTorch takes where the last of fewer queries sees the last key.
struct Flash2Spec {
  double flops = 0;  // a cycle of an SM with instructions of a warp
  double softmax_per_cycle = 0;
  double tile_cycles = 0;
  Duration combine{};  // the kernel that adds up split parts
};

// FlashAttention 3 as vLLM runs it.
struct Flash3Spec {
  double softmax_per_cycle = 0;
  double tile_cycles = 0;
  double row_bytes = 0;      // a cycle: a tile's queries come in, its outputs leave
  double search_cycles = 0;  // of the next tile's sequence, 31 lengths at a time
  Duration schedule{};       // of sequences of several lengths, prefill
  Duration combine{};        // the kernel that combines split parts
};

// Short kernels over elements and rows.
struct RowwiseSpec {
  double once_cycles = 0;          // code and parameters that miss all caches
  double cold_code_cycles = 0;     // first execution of an instruction of long straight-line code
  double index_chain_cycles = 0;   // offsets of four elements, by division
  double norm_chain_cycles = 0;    // Welford update of four elements
  double block_reduce_cycles = 0;  // a reduction over 32 warps
  double reduce_chain_cycles = 0;  // compare and select of value and index, four elements
  double atomics_per_second = 0;   // additions of elements in the L2 cache, of all SMs
  double select_cycles = 0;        // a pass of a block over a row in search of its largest
  double scan_cycles = 0;          // 1,024 elements of a running sum, of one block
  double sort_bytes = 0;           // that pass through DRAM in a sort, of one element
  double select_share = 1;         // of DRAM bandwidth, counts of digits
  double gather_share = 1;         // the same, elements that are among the largest
  Duration sort_pass{};            // eight bits of few elements
  Duration grid_reduce{};          // for each block that shares columns of a sum
};

// Around the kernels of an operator.
struct CallSpec {
  Duration event_floor{};       // two events around a call in a stream that is busy, ramp apart
  Duration node_gap{};          // between dependent library kernels of a replayed graph
  Duration helper_kernel{};     // cache write, scheduler and the like, gap apart
  Duration cold_start{};        // a kernel among others: code and parameters come from the L2 cache
  Duration autograd_call{};     // least between events around gradients: the GPU waits for the CPU
  Duration optimizer_tensor{};  // the same of a fused optimizer, for each tensor
};

struct OperatorSpec {
  PipelineSpec pipeline;
  GemmSpec gemm;
  MmaSpec mma;
  GroupedSpec grouped;
  CudnnSpec cudnn;
  Flash2Spec flash2;
  Flash3Spec flash3;
  RowwiseSpec rowwise;
  CallSpec call;
};

}  // namespace septet::gpu
