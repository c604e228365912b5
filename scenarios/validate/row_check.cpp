#include "scenarios/validate/row_check.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "scenarios/config/near_miss.hpp"

namespace septet {
namespace {

using Names = std::vector<std::string>;

// What data/measurements/FORMAT.md describes, of one group and one unit.
struct Metrics {
  std::string group;
  std::string unit;
  Names names;
};

const std::vector<Metrics>& metrics() {
  static const std::vector<Metrics> kMetrics = {
      {"launch",
       "us",
       {"wall", "wall_per_kernel", "wall_total", "cpu_issue_total", "cpu_issue_per_kernel"}},
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
      {"copy",
       "us",
       {"h2d_pinned_wall", "d2h_pinned_wall", "h2d_pageable_wall", "d2h_pageable_wall", "d2d_wall",
        "memset_wall", "wall"}},
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
      {"overlap", "us", {"gemm_alone", "comm_alone", "together"}},
  };
  return kMetrics;
}

const Names& row_keys() {
  static const Names kKeys = {"group", "case",       "metric",   "value", "unit",
                              "n",     "second_run", "hardware", "source"};
  return kKeys;
}

// Of the cases of all groups.
constexpr const char* kCaseKeys =
    "all_reduce_mbytes arg_bytes as_graph background_blocks background_threads "
    "background_waves batch block_us blocks blocks_a blocks_b blocks_compute blocks_mem "
    "blocks_per_sm body_instr body_kbytes body_us bytes bytes_compute bytes_each "
    "bytes_mem bytes_read bytes_written causal cols compute_registers compute_unroll "
    "compute_vec connections count ctx dependent_fadd_per_load dependent_loads depth dim "
    "draft draft_shape draft_tokens dtype edges elements flop flop_per_warp fma_per_16B "
    "fma_per_path footprint_bytes_first footprint_bytes_last gemm gpus graph_of graphs "
    "heads high host_threads how ilp independent_accumulators independent_chains "
    "instr_per_warp instruction issued_after_us items iters k kbytes kernel kernels "
    "kernels_each kv kv_heads l2 launches lines live load loads loads_in_flight "
    "loop_instructions m mem_registers mem_unroll mem_vec mma_per_warp mode model n nccl "
    "nodes nvls occ_blocks op order other_instructions_per_16B padding pairs path "
    "per_reduction phase processes programmatic prologue_us rate reductions "
    "register_bank_conflicts_per_instr registers regs repeats replicas requests "
    "requests_csv revisited_fraction rows same_kernels sectors sectors_per_warp_load seq "
    "shape shared_read_conflict_ways smem span_bytes spin_us steps steps_in_trace streams "
    "stride_floats target target_shape threads threads_total timer tp trace trace_graph "
    "unroll vec warps warps_per_sm way ways what width work_us";

const Names& case_keys() {
  static const Names kKeys = [] {
    std::istringstream words(kCaseKeys);
    return Names(std::istream_iterator<std::string>(words), {});
  }();
  return kKeys;
}

bool has(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The commands of a Program are the product of these.
constexpr std::array kCounts = {"kernels", "kernels_each", "streams",  "nodes",
                                "graphs",  "width",        "depth",    "pairs",
                                "items",   "processes",    "launches", "host_threads"};
constexpr double kMostCommands = 1e6;
constexpr double kMostBlocks = 2e8;

// A fork and join has a node for each place of its width and depth.
bool is_counted_twice(const MeasuredRow& row, const std::string& key) {
  return key == "nodes" && row.has("width");
}

double commands_of(const MeasuredRow& row) {
  double out = 1;
  for (const char* key : kCounts) {
    if (!row.has(key) || is_counted_twice(row, key)) continue;
    const double count = row.number(key);
    if (count < 1) {
      throw ConfigError::value(row.where(), std::string("case.") + key, fmt::format("{:g}", count),
                               "at least 1");
    }
    out *= count;
  }
  return out;
}

double blocks_of(const MeasuredRow& row) {
  double out = row.has("blocks") ? row.number("blocks") : 1;
  if (row.has("background_blocks")) out += row.number("background_blocks");
  return out;
}

std::optional<std::string> too_large(const MeasuredRow& row) {
  const double commands = commands_of(row);
  if (commands > kMostCommands) {
    return fmt::format("{:g} commands are more than the {:g} that a row may ask for", commands,
                       kMostCommands);
  }
  const double blocks = commands * blocks_of(row);
  if (blocks <= kMostBlocks) return std::nullopt;
  return fmt::format("{:g} blocks are more than the {:g} that a row may ask for", blocks,
                     kMostBlocks);
}

// The metrics of a group; none where the group isn't known.
Names metrics_of(const std::string& group) {
  Names out;
  for (const Metrics& part : metrics()) {
    if (part.group == group) out.insert(out.end(), part.names.begin(), part.names.end());
  }
  return out;
}

// An unknown key of a file.
struct UnknownKey {
  Location first;
  std::size_t rows = 0;
};

using UnknownKeys = std::map<std::pair<std::string, std::string>, UnknownKey>;  // file and key

void count_unknown(const MeasuredRow& row, const std::string& key, UnknownKeys& out) {
  UnknownKey& entry = out[{row.file, key}];
  if (entry.rows++ == 0) entry.first = row.where();
}

}  // namespace

std::vector<std::string> unknown_row_keys(const nlohmann::ordered_json& object) {
  Names out;
  for (const auto& [key, value] : object.items()) {
    if (!has(row_keys(), key)) out.push_back(key);
  }
  return out;
}

void check_unit(const MeasuredRow& row) {
  if (row.unit.empty()) return;
  for (const Metrics& part : metrics()) {
    if (part.group != row.group || !has(part.names, row.metric) || part.unit == row.unit) continue;
    throw ConfigError::value(row.where(), "unit", "\"" + row.unit + "\"",
                             fmt::format("\"{}\" for {}", part.unit, row.metric));
  }
}

std::optional<std::string> why_unanswerable(const MeasuredRow& row) {
  const Names known = metrics_of(row.group);
  if (!known.empty() && !has(known, row.metric)) {
    return fmt::format("group {} has no metric {}; it has {}", row.group, row.metric,
                       listed(known));
  }
  return row.profiled ? std::nullopt : too_large(row);
}

std::vector<std::string> unknown_keys_text(const std::vector<MeasuredRow>& rows) {
  UnknownKeys unknown;
  for (const MeasuredRow& row : rows) {
    for (const std::string& key : row.unknown_keys) count_unknown(row, key, unknown);
    if (row.profiled) continue;
    for (const auto& [key, value] : row.case_.items()) {
      if (!has(case_keys(), key)) count_unknown(row, "case." + key, unknown);
    }
  }
  std::vector<std::string> out;
  for (const auto& [place, entry] : unknown) {
    const bool of_case = place.second.starts_with("case.");
    const std::string near = of_case ? did_you_mean(place.second.substr(5), case_keys())
                                     : did_you_mean(place.second, row_keys());
    out.push_back(fmt::format("{}: unknown key {} is ignored, in {} row{}{}", entry.first.text(),
                              place.second, entry.rows, entry.rows == 1 ? "" : "s", near));
  }
  return out;
}

}  // namespace septet
