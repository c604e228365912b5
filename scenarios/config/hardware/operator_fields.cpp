// The fields of the operator and the power model in a GPU's profile.
#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/config/hardware/hardware_rows.hpp"

namespace septet::config {
namespace {

template <class Spec>
Field<Spec> positive(std::string key, double Spec::*member, std::string description) {
  return required(
      ranged(std::move(key), member, std::move(description), between(0.001, 100'000.0)));
}

Field<gpu::TensorSpec> few(std::string key, std::uint32_t gpu::TensorSpec::*member,
                           std::string description, std::uint32_t least) {
  return required(ranged(std::move(key), member, std::move(description), between(least, 1U << 20)));
}

Field<gpu::PowerSpec> watts(std::string key, Power gpu::PowerSpec::*member,
                            std::string description) {
  return required(
      ranged(std::move(key), member, std::move(description), between(Power(0), Power(100'000))));
}

Field<gpu::PowerSpec> clock(std::string key, Frequency gpu::PowerSpec::*member,
                            std::string description) {
  return required(ranged(std::move(key), member, std::move(description),
                         between(Frequency(1e6), Frequency(1e11))));
}

}  // namespace

const Fields<gpu::TensorSpec>& tensor_fields() {
  using S = gpu::TensorSpec;
  static const Fields<S> rows = {
      number("bf16_flops", &S::bf16_flops,
             "operations per cycle per SM, bf16 and fp16; 0: no such instructions"),
      number("fp8_flops", &S::fp8_flops, "the same for fp8"),
      number("tf32_flops", &S::tf32_flops, "the same for tf32"),
      number("fp32_flops", &S::fp32_flops, "the same for the FMA pipes"),
      positive("efficiency", &S::efficiency,
               "fraction of the tensor rate reached in the main loop of a large tile"),
      positive("fp32_efficiency", &S::fp32_efficiency, "the same for the FMA pipes"),
      positive("shared_bytes", &S::shared_bytes,
               "bytes per cycle that tensor cores read from shared memory"),
      few("multicast", &S::multicast, "SMs that share one copy of an operand (clusters)", 1),
      few("mma_rows", &S::mma_rows,
          "rows of an instruction that reads shared memory; 0: operands go through registers", 0),
      few("pair", &S::pair, "SMs that execute one instruction together", 1),
      few("accumulator", &S::accumulator, "elements of the largest tile", 1024),
  };
  return rows;
}

const Fields<gpu::PipelineSpec>& pipeline_fields() {
  using S = gpu::PipelineSpec;
  static const Fields<S> rows = {
      positive("copy_bytes", &S::copy_bytes,
               "bytes per cycle that asynchronous copies bring into an SM"),
      number("step_cycles", &S::step_cycles,
             "minimum time of a step: barrier, dependent instructions, release"),
      number("start_cycles", &S::start_cycles,
             "descriptors, barriers, cluster, before the first load"),
      positive("overlap_norm", &S::overlap_norm,
               "how sharply the slowest resource of a step dominates"),
      positive("dram_share", &S::dram_share, "fraction of dram_bandwidth that tiles reach"),
      number("first_touch_cycles", &S::first_touch_cycles,
             "added to the first load of pages that no SM touched recently"),
      share("dirty_share", &S::dirty_share,
            "fraction of the L2 cache left dirty by a memset larger than the cache"),
  };
  return rows;
}

const Fields<gpu::GemmSpec>& gemm_fields() {
  using S = gpu::GemmSpec;
  static const Fields<S> rows = {
      number("epilogue_cycles", &S::epilogue_cycles, "accumulators to shared memory, store, drain"),
      number("split_reduce_cycles", &S::split_reduce_cycles,
             "the kernel that reduces the parts of a split-k GEMM"),
      short_latency("atomic_interval", &S::atomic_interval,
                    "interval between atomics of many SMs on one address"),
      positive(
          "window_bytes", &S::window_bytes,
          "bytes a cycle that copies bring into an SM where windows are gathered (convolution)"),
      number("int4_instructions", &S::int4_instructions,
             "of a warp for 16 rows and 1,024 weights of four bits, beside arithmetic"),
  };
  return rows;
}

const Fields<gpu::MmaSpec>& mma_fields() {
  using S = gpu::MmaSpec;
  static const Fields<S> rows = {
      positive("flops", &S::flops, "operations a cycle of an SM with instructions of a warp, bf16"),
      number("access_cycles", &S::access_cycles,
             "of an SM for each copy of a thread, of four bytes or fewer"),
      number("store_cycles", &S::store_cycles, "the same for each store of outputs"),
  };
  return rows;
}

const Fields<gpu::GroupedSpec>& grouped_fields() {
  using S = gpu::GroupedSpec;
  static const Fields<S> rows = {
      short_latency("prepare", &S::prepare, "the kernel that writes the pointers, with its gap"),
      number("tile_cycles", &S::tile_cycles, "of a tile, that nothing overlaps"),
      share("dram_share", &S::dram_share,
            "of what other pipelines reach: weights lie across the copies"),
  };
  return rows;
}

const Fields<gpu::Flash2Spec>& flash2_fields() {
  using S = gpu::Flash2Spec;
  static const Fields<S> rows = {
      positive("flops", &S::flops, "operations a cycle of an SM with instructions of a warp"),
      positive("softmax_per_cycle", &S::softmax_per_cycle,
               "scores a cycle of an SM that products do not hide"),
      number("tile_cycles", &S::tile_cycles, "a tile's own dependent steps"),
      short_latency("combine", &S::combine, "the kernel that adds up split parts"),
  };
  return rows;
}

const Fields<gpu::CudnnSpec>& cudnn_fields() {
  using S = gpu::CudnnSpec;
  static const Fields<S> rows = {
      positive("softmax_per_cycle", &S::softmax_per_cycle,
               "softmax scores per cycle per SM not hidden by tensor work, prefill"),
      number("tile_cycles", &S::tile_cycles, "dependent steps of a tile"),
      number("mask_cycles", &S::mask_cycles, "more of a tile with a causal mask"),
      number("start_cycles", &S::start_cycles, "once per kernel"),
      number("decode_step_cycles", &S::decode_step_cycles,
             "a step of decode: latency, products, softmax"),
      positive("decode_copy_bytes", &S::decode_copy_bytes,
               "bytes per cycle that one block of decode loads"),
      number("decode_unit_cycles", &S::decode_unit_cycles, "start and end of such a block"),
      short_latency("decode_combine", &S::decode_combine, "combining the parts of a split row"),
      short_latency("prefill_clear", &S::prefill_clear,
                    "in a graph: the node before prefill that clears a counter, including gaps"),
      number("backward_step_cycles", &S::backward_step_cycles,
             "of 64 queries and 64 keys, that the products of backward don't hide"),
      number("backward_tile_cycles", &S::backward_tile_cycles, "of 64 keys, beside their steps"),
      positive("backward_row_bytes", &S::backward_row_bytes,
               "bytes a cycle of its keys, values and their gradients passing"),
      share("backward_dot_share", &S::backward_dot_share,
            "of DRAM bandwidth: products of outputs and their gradients"),
      share("backward_convert_share", &S::backward_convert_share,
            "of DRAM bandwidth: the queries' gradients out of fp32"),
  };
  return rows;
}

const Fields<gpu::Flash3Spec>& flash3_fields() {
  using S = gpu::Flash3Spec;
  static const Fields<S> rows = {
      positive("softmax_per_cycle", &S::softmax_per_cycle,
               "softmax scores per cycle per SM not hidden by tensor work"),
      number("tile_cycles", &S::tile_cycles, "dependent steps of a tile"),
      positive("row_bytes", &S::row_bytes,
               "bytes per cycle for loading a tile's queries and storing its outputs"),
      number("search_cycles", &S::search_cycles,
             "search for the next tile's sequence, for each 31 sequences beyond the first"),
      short_latency("schedule", &S::schedule,
                    "scheduling of sequences of different lengths, prefill"),
      short_latency("combine", &S::combine, "the kernel that combines split parts"),
  };
  return rows;
}

const Fields<gpu::RowwiseSpec>& rowwise_fields() {
  using S = gpu::RowwiseSpec;
  static const Fields<S> rows = {
      number("once_cycles", &S::once_cycles, "code and parameters that miss all caches"),
      number("cold_code_cycles", &S::cold_code_cycles,
             "first execution of an instruction of long straight-line code"),
      number("index_chain_cycles", &S::index_chain_cycles, "offsets of four elements, by division"),
      number("norm_chain_cycles", &S::norm_chain_cycles, "Welford update of four elements"),
      number("block_reduce_cycles", &S::block_reduce_cycles, "a reduction over 32 warps"),
      number("reduce_chain_cycles", &S::reduce_chain_cycles,
             "compare and select of value and index, four elements"),
      required(ranged("atomics_per_second", &S::atomics_per_second,
                      "additions of elements in the L2 cache, by all SMs", between(1e6, 1e15))),
      number("select_cycles", &S::select_cycles,
             "a pass of a block over a row in search of its largest"),
      number("scan_cycles", &S::scan_cycles, "1,024 elements of a running sum, of one block"),
      number("sort_bytes", &S::sort_bytes, "that pass through DRAM for an element that is sorted"),
      share("select_share", &S::select_share, "of DRAM bandwidth: counts of digits, topk"),
      share("gather_share", &S::gather_share,
            "of DRAM bandwidth: picking the elements among the largest, topk"),
      short_latency("sort_pass", &S::sort_pass, "eight bits of a sort of few elements"),
      short_latency("grid_reduce", &S::grid_reduce,
                    "for each block that shares columns of a sum over rows"),
  };
  return rows;
}

const Fields<gpu::CallSpec>& call_fields() {
  using S = gpu::CallSpec;
  static const Fields<S> rows = {
      short_latency("event_floor", &S::event_floor,
                    "two events around a call in a busy stream, without the kernel's ramp"),
      short_latency("node_gap", &S::node_gap,
                    "gap between dependent library kernels of a replayed graph"),
      short_latency("autograd_call", &S::autograd_call,
                    "least between events around gradients: the GPU waits for the CPU"),
      short_latency("optimizer_tensor", &S::optimizer_tensor,
                    "the same around a fused optimizer, for each tensor"),
      short_latency("cold_start", &S::cold_start,
                    "extra time of a kernel among others, compared with one replayed alone"),
      short_latency("helper_kernel", &S::helper_kernel,
                    "a short helper kernel in that case, without the gap"),
  };
  return rows;
}

const Fields<gpu::OperatorSpec>& operator_fields() {
  using S = gpu::OperatorSpec;
  static const Fields<S> rows = {
      required(section("pipeline", &S::pipeline, pipeline_fields, "software pipelines of tiles")),
      required(section("gemm", &S::gemm, gemm_fields, "GEMM")),
      required(section("mma", &S::mma, mma_fields, "products of strides that are not aligned")),
      required(section("grouped", &S::grouped, grouped_fields, "products of experts")),
      required(section("cudnn", &S::cudnn, cudnn_fields, "attention in cuDNN")),
      required(section("flash2", &S::flash2, flash2_fields, "FlashAttention 2 in PyTorch")),
      required(section("flash3", &S::flash3, flash3_fields, "FlashAttention 3 in vLLM")),
      required(
          section("rowwise", &S::rowwise, rowwise_fields, "short kernels over elements and rows")),
      required(section("call", &S::call, call_fields, "around the kernels of an operator")),
  };
  return rows;
}

const Fields<gpu::PowerSpec>& power_fields() {
  using S = gpu::PowerSpec;
  static const Fields<S> rows = {
      watts("limit", &S::limit, "power limit of the board"),
      watts("idle", &S::idle, "power when idle, with clocks down"),
      clock("idle_clock", &S::idle_clock, "SM clock when idle"),
      watts("clocks", &S::clocks, "added by clocks at full speed, with nothing running"),
      clock("memory_clock", &S::memory_clock, "clock of device memory, at any load"),
      clock("clock_step", &S::clock_step, "SM clocks are multiples of this"),
      share("voltage_slope", &S::voltage_slope,
            "fall of the voltage, as a fraction of the fall of the clock"),
      required(ranged("settle_time", &S::settle_time,
                      "time constant of the clock's fall under load",
                      between(Duration(1), Duration(kPicosecondsPerSecond)))),
      number("dram_pj_per_byte", &S::dram_pj_per_byte, "device memory, in picojoules per byte"),
      number("l2_pj_per_byte", &S::l2_pj_per_byte,
             "L2 cache, on-chip network and load path of the SM"),
      number("bf16_pj_per_flop", &S::bf16_pj_per_flop,
             "tensor operation on random operands; also for fp16"),
      number("fp8_pj_per_flop", &S::fp8_pj_per_flop, "the same for fp8"),
      number("tf32_pj_per_flop", &S::tf32_pj_per_flop, "the same for tf32"),
      number("fp32_pj_per_flop", &S::fp32_pj_per_flop,
             "operation of the FMA pipes, including registers and issue"),
      number("instruction_pj", &S::instruction_pj, "any other instruction, per thread"),
      number("attention_switching", &S::attention_switching,
             "energy of attention's operations relative to GEMM"),
      number("unfilled_switching", &S::unfilled_switching,
             "the same for operands in memory that was never written"),
  };
  return rows;
}

}  // namespace septet::config
