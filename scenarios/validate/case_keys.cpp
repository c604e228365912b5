#include "scenarios/validate/case_keys.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "models/program/operators/operator_kinds.hpp"

namespace septet::validation {
namespace {

using Names = std::vector<std::string>;

Names words_of(const char* text) {
  std::istringstream words(text);
  return Names(std::istream_iterator<std::string>(words), {});
}

// What operators that rows measured are described by.
void add_shapes(Names& keys) {
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    if (kind.measured.names.empty()) continue;
    for (const program::ShapeField& field : kind.fields) {
      keys.push_back(field.row_key.empty() ? field.key : field.row_key);
      if (field.matrix) keys.insert(keys.end(), {"rows", "cols"});
    }
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

constexpr const char* kRooflineKeys =
    "blocks blocks_per_sm bytes_read flop fma_per_16B independent_chains "
    "other_instructions_per_16B registers threads unroll vec what";
constexpr const char* kPowerKeys =
    "batch bytes_read copies count dtype gemms l2 load micro_batch model operand precision "
    "recompute sequence";
constexpr const char* kTrainStepKeys =
    "accumulate bucket_mb dim feed_forward gated gpus heads hidden kv_heads layers micro_batch "
    "mode "
    "model norm nvls optimizer parameters positions precision recompute sequence style vocabulary "
    "what";
const Names kCopyTimes = {"h2d_pinned_wall",
                          "d2h_pinned_wall",
                          "h2d_pageable_wall",
                          "d2h_pageable_wall",
                          "d2d_wall",
                          "memset_wall",
                          "wall"};
const Names kTrainStepTimes = {"step_wall", "forward_device", "backward_device",
                               "optimizer_device"};

const std::map<std::string, Names>& keys_by_group() {
  static const std::map<std::string, const char*> kTexts = {
      {"claim",
       "blocks blocks_per_sm body_instr bytes_read bytes_written dependent_loads "
       "footprint_bytes_first footprint_bytes_last how independent_chains iters kernels "
       "launches live loop_instructions n padding per_reduction reductions registers "
       "regs sectors_per_warp_load shared_read_conflict_ways smem spin_us threads unroll "
       "vec what"},
      {"compute",
       "blocks body_instr body_kbytes flop_per_warp fma_per_path ilp "
       "independent_accumulators independent_chains instr_per_warp instruction iters "
       "mma_per_warp op path register_bank_conflicts_per_instr registers threads "
       "warps_per_sm ways what"},
      {"copy", "bytes spin_us what"},
      {"dispatch", "blocks registers threads what"},
      {"graph", "blocks depth edges nodes spin_us threads what width"},
      {"launch",
       "arg_bytes blocks host_threads kernel kernels kernels_each spin_us streams "
       "threads what"},
      {"llm_step", "batch ctx dtype l2 model phase shape"},
      {"memory",
       "blocks blocks_per_sm bytes_read bytes_written dependent_fadd_per_load kbytes l2 "
       "lines loads loads_in_flight loop_instructions registers repeats "
       "revisited_fraction sectors span_bytes steps stride_floats threads threads_total "
       "unroll vec warps way what"},
      {"mix",
       "blocks_a blocks_b blocks_compute blocks_mem bytes_compute bytes_each bytes_mem "
       "compute_registers compute_unroll compute_vec fma_per_16B mem_registers "
       "mem_unroll mem_vec threads what"},
      {"model",
       "batch model replicas same_kernels seq steps_in_trace trace trace_graph trace_replicas"},
      {"nccl", "bytes dtype gpus graph_of nccl nvls op timer"},
      {"occupancy", "regs smem threads what"},
      {"op", "dtype kernel l2 layout op timer"},
      {"overlap", "all_reduce_mbytes count gemm gpus"},
      {"power", kPowerKeys},
      {"queue", "blocks items threads what work_us"},
      {"roofline", kRooflineKeys},
      {"serve", "l2 model rate requests requests_csv shape"},
      {"serve_step", "batch ctx l2 model phase shape"},
      {"sharing",
       "as_graph background_blocks background_threads background_waves block_us blocks "
       "body_us bytes depth graphs high issued_after_us kernels kernels_each mode nodes "
       "pairs processes programmatic prologue_us spin_us threads what width"},
      {"spec", "batch ctx draft draft_shape draft_tokens l2 target target_shape"},
      {"streams", "blocks connections kernels_each order spin_us streams threads what"},
      {"tp_step", "batch ctx gpus l2 model phase shape tp"},
      {"train_step", kTrainStepKeys},
      {"what_if", "change note program steps_in_trace trace"},
      {"waves", "blocks occ_blocks registers smem spin_us threads what"},
  };
  static const std::map<std::string, Names> kKeys = [] {
    std::map<std::string, Names> out;
    for (const auto& [group, text] : kTexts) out[group] = words_of(text);
    for (const char* group : {"op", "power"}) add_shapes(out[group]);
    return out;
  }();
  return kKeys;
}

const Names& launch_metrics() {
  static const Names kNames =
      words_of("wall wall_per_kernel wall_total cpu_issue_total cpu_issue_per_kernel");
  return kNames;
}

}  // namespace

const std::vector<MetricNames>& metric_names_by_unit() {
  static const std::vector<MetricNames> kMetrics = {
      {"launch", "us", launch_metrics()},
      {"graph",
       "us",
       {"wall_single", "cpu_launch", "wall_per_graph_b2b", "wall_eager_same_work",
        "capture_instantiate"}},
      {"streams", "ratio", {"makespan_in_kernels"}},
      {"streams", "us", {"wall"}},
      {"waves", "us", {"device_time"}},
      {"dispatch", "us", {"device_time"}},
      {"occupancy", "blocks", {"blocks_per_sm"}},
      {"queue", "us", {"wall", "wall_per_item"}},
      {"copy", "us", kCopyTimes},
      {"sharing",
       "us",
       {"wall", "wall_per_kernel", "wall_single", "launch_to_synchronised", "mean_wall",
        "slowest_wall", "cpu_launch", "instantiate", "upload", "first_launch_wall",
        "second_launch_wall"}},
      {"memory", "us", {"device_time"}},
      {"memory", "cycles", {"latency", "cycles_per_load"}},
      {"compute", "us", {"device_time"}},
      {"compute", "cycles", {"cycles"}},
      {"roofline", "us", {"device_time"}},
      {"mix",
       "us",
       {"wall_a_alone", "wall_b_alone", "wall_mem_alone", "wall_compute_alone", "wall_together"}},
      {"claim", "us", {"device_time", "wall"}},
      {"op", "us", {"device_time"}},
      {"model",
       "us",
       {"eager_wall", "eager_wall_b2b", "eager_streams_wall", "graph_wall", "graph_wall_b2b",
        "graph_one_stream_wall", "graph_streams_wall"}},
      {"power", "W", {"power"}},
      {"power", "MHz", {"sm_clock", "mem_clock"}},
      {"power", "C", {"temperature"}},
      {"power", "us", {"wall_per_call"}},
      {"nccl", "us", {"device_time", "wall"}},
      {"tp_step", "us", {"eager_wall", "graph_wall"}},
      {"llm_step", "us", {"eager_wall", "graph_wall"}},
      {"train_step", "us", kTrainStepTimes},
      {"train_step", "B", {"peak_memory"}},
      {"serve_step", "us", {"graph_wall"}},
      {"spec",
       "us",
       {"round_eager_wall", "round_graph_wall", "draft_step_graph_wall", "verify_graph_wall",
        "target_decode_graph_wall"}},
      {"serve",
       "ms",
       {"ttft_p50", "ttft_p90", "ttft_p99", "tpot_p50", "tpot_p90", "tpot_p99", "e2e_p50",
        "e2e_p90", "e2e_p99"}},
      {"serve", "s", {"makespan"}},
      {"serve", "1/s", {"output_tokens_per_s"}},
      {"what_if", "us", {"step_wall_before", "step_wall_after"}},
      {"overlap", "us", {"gemm_alone", "comm_alone", "together"}},
  };
  return kMetrics;
}

Names case_groups() {
  Names out;
  for (const auto& [group, keys] : keys_by_group()) out.push_back(group);
  return out;
}

const Names& case_keys(const std::string& group) {
  static const Names kAll = [] {
    Names all;
    for (const auto& [name, keys] : keys_by_group())
      all.insert(all.end(), keys.begin(), keys.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }();
  const auto found = keys_by_group().find(group);
  return found != keys_by_group().end() ? found->second : kAll;
}

}  // namespace septet::validation
