// A serving scenario as it is written, one struct a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/fleet/fleet_metrics.hpp"
#include "models/fleet/fleet_spec.hpp"
#include "models/workload/llm/deployment.hpp"
#include "models/workload/llm/memory_budget.hpp"
#include "models/workload/requests/request_log.hpp"
#include "models/workload/requests/synthetic_workload.hpp"
#include "models/workload/serving/scheduler_spec.hpp"
#include "scenarios/config/fields/field.hpp"
#include "scenarios/config/program/scenario_text.hpp"

namespace septet::serving {

// What is served, and how it lies on GPUs.
struct ServingTable {
  config::Place place;
  std::string model;
  std::string engine;
  std::optional<transformer::NumberFormat> weights;
  std::optional<transformer::NumberFormat> kv;
  std::uint32_t tensor_parallel_size = 1;
  std::uint32_t pipeline_parallel_size = 1;
  std::uint32_t data_parallel_size = 1;
  bool expert_parallel = false;
  std::uint32_t replicas = 1;
  std::string prices;
  std::optional<double> gpu_hour_price;
  bool exact = false;
};

// The engine: a profile of data/engines, with what the scenario says laid over.
struct EngineText {
  config::Place place;
  std::string description;
  std::vector<std::string> aliases;
  std::string since;
  llm::Style style = llm::Style::kVllm;
  StepOrder order = StepOrder::kMixed;
  bool chunked_prefill = true;
  std::uint32_t max_num_batched_tokens = 2048;
  std::optional<std::uint32_t> max_chunk;
  std::uint32_t max_num_seqs = 256;
  std::optional<std::uint32_t> max_waiting;
  std::optional<std::uint32_t> max_model_len;
  std::uint32_t block_size = 16;
  bool prefix_caching = true;
  Preemption preemption = Preemption::kRecompute;
  Victim victim = Victim::kLast;
  Bytes swap_space{};
  double reserved_share = 0;
  double least_reserved_share = 0;
  std::uint32_t reservation_steps = 0;
  std::optional<std::uint32_t> reserved_tokens;
  llm::FractionOf memory_fraction_of = llm::FractionOf::kTotal;
  double memory_fraction = 0.9;
  Bytes graph_memory{};
  Bytes other_memory{};
  bool window_blocks = false;
  bool cuda_graphs = true;
  std::vector<std::uint32_t> capture_sizes;
  bool full_graphs = true;
  bool piecewise_graphs = false;
  Duration step_time{};
  Duration request_time{};
  Duration prompt_token_time{};
  bool overlapped = false;
  bool late_stop = false;
  Duration front_end_time{};
  Duration front_end_token_time{};
  Duration response_time{};
};

struct SpeculationText {
  config::Place place;
  std::string draft_model;
  std::optional<std::uint32_t> draft_layers;
  std::uint32_t draft_steps = 1;
  std::optional<std::uint32_t> verified_tokens;
  std::vector<double> accepted_share;
  std::optional<double> mean_accepted_length;
};

enum class Source : std::uint8_t {
  kPoisson,
  kGamma,
  kConstant,
  kBursts,
  kDiurnal,
  kAtOnce,
  kClosed,
};
constexpr auto enum_table(std::type_identity<Source>) {
  return enum_texts<Source>("poisson", "gamma", "constant", "bursts", "diurnal", "all-at-once",
                            "closed");
}

struct LengthText {
  config::Place place;
  requests::LengthKind distribution = requests::LengthKind::kFixed;
  std::optional<std::uint32_t> tokens;
  std::optional<std::uint32_t> least;
  std::optional<std::uint32_t> most;
  double sigma = 1;
};

struct ArrivalsText {
  config::Place place;
  std::optional<std::string> log;
  std::optional<requests::LogFormat> format;
  Duration from{};
  std::optional<Duration> to;
  double rate_scale = 1;
  bool drop_unanswered = false;
  Source process = Source::kPoisson;
  std::optional<double> rate;
  double shape = 1;
  std::optional<double> burst_rate;
  std::optional<Duration> burst_length;
  std::optional<Duration> period;
  double amplitude = 0;
  std::optional<std::uint64_t> requests;
  std::optional<Duration> duration;
  std::optional<std::uint32_t> concurrency;
  LengthText input;
  LengthText output;
  std::optional<std::string> lengths;
  std::uint32_t turns = 1;
  Duration think_time{};
  std::uint32_t prefix_tokens = 0;
  std::uint32_t prefix_groups = 1;
};

struct RouterText {
  config::Place place;
  fleet::Routing routing = fleet::Routing::kRoundRobin;
  Duration latency = from_us(100);
  double least_prefix_share = 0.5;
  std::uint32_t most_imbalance = 32;
};

struct AutoscalingText {
  config::Place place;
  std::uint32_t min_replicas = 1;
  std::uint32_t max_replicas = 1;
  double requests_per_replica = 1;
  Duration interval = from_seconds(10);
  Duration start_up{};
  Duration scale_down_delay{};
};

struct FailureText {
  config::Place place;
  std::optional<std::uint32_t> replica;
  std::optional<Duration> at;
  std::optional<Duration> mean_time_between;
  Duration repair{};
};

// Prompts on replicas of their own.
struct DisaggregationText {
  config::Place place;
  std::uint32_t prefill_replicas = 1;
  const config::ConfigValue* prefill = nullptr;  // dotted keys that differ there
  Duration hand_over{};
  fleet::FirstToken first_token = fleet::FirstToken::kDecode;
  bool same_node = false;
  std::optional<ByteRate> bandwidth;
  Duration latency{};
  Duration block_time{};
};

// A percentile of a latency, and what it may be at most.
struct Objective {
  fleet::Latency latency = fleet::Latency::kTtft;
  std::optional<double> percent;  // nothing: the mean
  Duration most{};
  std::string key{};  // "ttft_p99"
};

struct SloText {
  config::Place place;
  std::vector<Objective> latencies;
  std::optional<double> output_tokens_per_s;
  std::optional<double> goodput_share;
  std::optional<double> budget;
  std::optional<double> cost_per_million_output_tokens;
  std::optional<Power> power;
};

// What the best fleet has least of.
enum class Minimise : std::uint8_t { kGpus, kCost, kPower };
constexpr auto enum_table(std::type_identity<Minimise>) {
  return enum_texts<Minimise>("gpus", "cost", "power");
}

struct SearchText {
  config::Place place;
  std::uint32_t max_gpus = 8;
  std::vector<std::string> gpus;
  std::vector<std::uint32_t> tensor_parallel_size;
  std::vector<std::string> engines;
  const config::ConfigValue* settings = nullptr;  // dotted keys with the values to try
  Minimise minimise = Minimise::kGpus;
  std::uint32_t seeds = 3;
  std::optional<double> model_error;
  double growth_per_month = 0;
};

struct ServingText {
  config::Place place;
  std::string description;
  const config::ConfigValue* hardware = nullptr;  // these are read with the profiles
  const config::ConfigValue* gpu = nullptr;
  const config::ConfigValue* host = nullptr;
  const config::ConfigValue* network = nullptr;
  const config::ConfigValue* interconnect = nullptr;
  config::RunSettings run;
  ServingTable serving;
  EngineText engine;
  SpeculationText speculation;
  ArrivalsText arrivals;
  RouterText router;
  AutoscalingText autoscaling;
  std::vector<FailureText> failures;
  DisaggregationText disaggregation;
  SloText slo;
  SearchText search;
  std::vector<config::WhatIfText> what_ifs;
};

const config::Fields<ServingText>& serving_fields();
const config::Fields<EngineText>& engine_fields();

// Markdown: a section for each table, a row for each key.
std::string serving_reference();

}  // namespace septet::serving
