// The tables of a serving scenario.
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/program/scenario_fields.hpp"
#include "scenarios/config/reference.hpp"
#include "scenarios/serving/arrival_fields.hpp"

namespace septet::serving {
namespace {

using config::at_least;
using config::between;
using config::field;
using config::ranged;
using config::required;

constexpr std::uint32_t kMost = 1U << 20;

const config::Fields<ServingTable>& serving_table_fields() {
  using S = ServingTable;
  static const config::Fields<S> rows = {
      required(field("model", &S::model,
                     "name of a model in data/models, a .toml file, or the config.json of a "
                     "Hugging Face repository")),
      required(field("engine", &S::engine, "name of an engine in data/engines, or a .toml file")),
      field("weights", &S::weights, "format of the weights; default: the model's"),
      field("kv", &S::kv, "format of keys and values; default bf16"),
      ranged("tensor_parallel_size", &S::tensor_parallel_size,
             "GPUs that share each layer; default 1", between(1U, kMost)),
      ranged("pipeline_parallel_size", &S::pipeline_parallel_size, "pipeline stages; default 1",
             between(1U, kMost)),
      ranged("data_parallel_size", &S::data_parallel_size,
             "data-parallel attention ranks that step together; default 1", between(1U, kMost)),
      field("expert_parallel", &S::expert_parallel,
            "expert parallelism: experts are distributed over GPUs, not split; default false"),
      ranged("replicas", &S::replicas, "number of replicas; default 1", between(1U, kMost)),
      field("prices", &S::prices,
            "name of a list of data/prices, or a .toml file: prices of GPU-hours; default: none"),
      ranged("gpu_hour_price", &S::gpu_hour_price, "or the price of one GPU-hour, in any currency",
             between(0.0, 1e9)),
      field("exact", &S::exact,
            "simulate every layer of every step anew, without rounding attention lengths"),
  };
  return rows;
}

config::Field<SpeculationText> shares_field() {
  const auto read = [](const config::Reading& reading, config::Sources, SpeculationText& text) {
    const config::ConfigValue::Array* array = reading.value.array();
    if (array == nullptr || array->empty()) reading.fail("a list of fractions from 0 to 1");
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string path = config::joined(reading.path, std::to_string(i));
      text.accepted_share.push_back(config::read_ranged<double>(
          {(*array)[i], path}, config::Sources::kAllowed, between(0.0, 1.0)));
    }
  };
  return {{"accepted_share", "a list of numbers", "",
           "fraction of rounds that accept each draft position, as vLLM prints them"},
          read};
}

const config::Fields<SpeculationText>& speculation_fields() {
  using S = SpeculationText;
  static const config::Fields<S> rows = {
      field("draft_model", &S::draft_model, "a separate draft model"),
      ranged("draft_layers", &S::draft_layers,
             "or number of draft layers of the model itself: 1 for EAGLE and MTP",
             between(1U, 1000U)),
      ranged("draft_steps", &S::draft_steps, "draft steps, one after another; default 1",
             between(1U, 64U)),
      ranged(
          "verified_tokens", &S::verified_tokens,
          "drafted tokens to verify: more than draft_steps for a tree; default: those of a chain",
          between(1U, 4096U)),
      shares_field(),
      ranged("mean_accepted_length", &S::mean_accepted_length,
             "or mean tokens per round, including the model's own; one of the two is required",
             between(1.0, 65.0)),
  };
  return rows;
}

const config::Fields<RouterText>& router_fields() {
  using S = RouterText;
  static const config::Fields<S> rows = {
      field("routing", &S::routing,
            "round-robin, random, least-loaded, prefix-aware; default round-robin"),
      ranged("latency", &S::latency, "latency between router and replica, each way; default 100 us",
             at_least(Duration(1))),
      ranged("least_prefix_share", &S::least_prefix_share,
             "prefix-aware: fraction of a prompt that counts as a match; default 0.5",
             between(0.0, 1.0)),
      field("most_imbalance", &S::most_imbalance,
            "prefix-aware: allowed excess of requests over the least loaded replica; default 32"),
  };
  return rows;
}

const config::Fields<AutoscalingText>& autoscaling_fields() {
  using S = AutoscalingText;
  static const config::Fields<S> rows = {
      ranged("min_replicas", &S::min_replicas, "default 1", between(1U, kMost)),
      required(ranged("max_replicas", &S::max_replicas, "at most", between(1U, kMost))),
      required(ranged("requests_per_replica", &S::requests_per_replica,
                      "requests in progress per replica", between(1e-3, 1e6))),
      ranged("interval", &S::interval, "time between checks; default 10 s", at_least(Duration(1))),
      required(field("start_up", &S::start_up, "time until a new replica accepts requests")),
      field("scale_down_delay", &S::scale_down_delay,
            "how long fewer replicas must suffice before one is stopped; default 0"),
  };
  return rows;
}

const config::Fields<FailureText>& failure_fields() {
  using S = FailureText;
  static const config::Fields<S> rows = {
      field("replica", &S::replica, "index of the replica"),
      field("at", &S::at, "when"),
      ranged("mean_time_between", &S::mean_time_between,
             "or at random times, for all replicas or for that one", at_least(Duration(1))),
      required(field("repair", &S::repair, "time until it accepts requests again")),
  };
  return rows;
}

const config::Fields<DisaggregationText>& disaggregation_fields() {
  using S = DisaggregationText;
  constexpr std::int64_t kDay = 86'400;
  static const config::Fields<S> rows = {
      ranged("prefill_replicas", &S::prefill_replicas,
             "replicas that compute prompts; serving.replicas write the answers; 0: nothing is "
             "disaggregated; default 1",
             between(0U, kMost)),
      unread("prefill", &S::prefill,
             "dotted keys that have other values on prefill replicas, such as "
             "\"serving.tensor_parallel_size\", \"hardware.gpu\", \"engine.max_num_seqs\""),
      required(ranged("hand_over", &S::hand_over,
                      "from the end of a prompt until its decode replica knows of it: dispatch by "
                      "the orchestration",
                      between(Duration(0), from_seconds(kDay)))),
      field("first_token", &S::first_token,
            "who sends the first token: decode (computes the prompt's last token again), or "
            "prefill; default decode"),
      field("same_node", &S::same_node,
            "prefill and decode replica share a node and its NVLink; default false"),
      ranged("bandwidth", &S::bandwidth,
             "rate at which a GPU of the decode replica fetches its part; default: that of the "
             "network",
             between(ByteRate(1e6), ByteRate(1e15))),
      ranged("latency", &S::latency, "added to each transfer; default 0",
             between(Duration(0), from_seconds(kDay))),
      ranged("block_time", &S::block_time, "added for each KV block; default 0",
             between(Duration(0), from_seconds(1))),
  };
  return rows;
}

// "ttft_p99" and so on: an objective for each latency and statistic.
config::Field<SloText> objective_field(fleet::Latency latency, std::string_view statistic,
                                       std::optional<double> percent) {
  const std::string key = fmt::format("{}_{}", text_of(latency), statistic);
  const auto read = [=](const config::Reading& reading, config::Sources sources, SloText& text) {
    const Duration most = config::read_ranged<Duration>(reading, sources, at_least(Duration(1)));
    text.latencies.push_back({latency, percent, most, key});
  };
  return {{key, "a duration", "", "at most"}, read};
}

const config::Fields<SloText>& slo_fields() {
  using S = SloText;
  static const config::Fields<S> rows = [] {
    config::Fields<S> out;
    for (const fleet::Latency latency : values_of<fleet::Latency>()) {
      out.push_back(objective_field(latency, "mean", std::nullopt));
      for (const int percent : {50, 90, 95, 99}) {
        out.push_back(objective_field(latency, fmt::format("p{}", percent), percent));
      }
    }
    out.push_back(ranged("output_tokens_per_s", &S::output_tokens_per_s,
                         "minimum for the whole fleet", between(0.0, 1e15)));
    out.push_back(ranged("goodput_share", &S::goodput_share,
                         "minimum fraction of offered requests that meet all latency limits",
                         between(0.0, 1.0)));
    out.push_back(ranged("budget", &S::budget,
                         "maximum price of the fleet per hour, in the currency of the prices",
                         between(0.0, 1e12)));
    out.push_back(ranged("cost_per_million_output_tokens", &S::cost_per_million_output_tokens,
                         "maximum", between(0.0, 1e12)));
    out.push_back(ranged("power", &S::power, "maximum of the average power of the fleet's GPUs",
                         at_least(Power(0))));
    return out;
  }();
  return rows;
}

const config::Fields<SearchText>& search_fields() {
  using S = SearchText;
  static const config::Fields<S> rows = {
      required(ranged("max_gpus", &S::max_gpus, "maximum for the fleet", between(1U, kMost))),
      field("gpus", &S::gpus, "GPUs to try; default: hardware.gpu"),
      field("tensor_parallel_size", &S::tensor_parallel_size,
            "layouts to try; default: that of [serving]"),
      field("engines", &S::engines, "engines to try; default: that of [serving]"),
      unread("try", &S::settings,
             "other keys to try, with lists of values: \"engine.max_num_seqs\" = [128, 256]"),
      field("minimise", &S::minimise,
            "what the best fleet has least of: gpus, cost (needs prices), power; default gpus"),
      ranged("seeds", &S::seeds, "runs of each candidate; default 3", between(1U, 1000U)),
      ranged("model_error", &S::model_error,
             "relative error of step times for which the search is repeated; default: the median "
             "error of the nearest measured rows (data/fit)",
             between(0.0, 0.9)),
      ranged("growth_per_month", &S::growth_per_month, "of the rate; default 0",
             between(0.0, 10.0)),
  };
  return rows;
}

const config::Fields<config::WhatIfText>& variation_fields() {
  using S = config::WhatIfText;
  const auto read = [](const config::Reading& reading, config::Sources, S&) {
    const config::ConfigValue::Table* table = reading.value.table();
    if (table == nullptr || table->empty()) reading.fail("a table of dotted keys and values");
  };
  static const config::Fields<S> rows = {
      required(field("name", &S::name, "the name of the variation")),
      field("description", &S::description, "what it asks"),
      required(config::Field<S>{
          {"set", "a table", "", "dotted keys with their values in this variation"}, read}),
  };
  return rows;
}

}  // namespace

const config::Fields<ServingText>& serving_fields() {
  using S = ServingText;
  static const config::Fields<S> rows = {
      field("description", &S::description, "what the scenario shows"),
      required(unread("hardware", &S::hardware, "the GPUs")),
      unread("gpu", &S::gpu, "GPU parameters, overriding the profile's"),
      unread("host", &S::host, "host parameters, overriding the profile's"),
      unread("network", &S::network, "the interconnect of the GPUs"),
      unread("interconnect", &S::interconnect, "the same, as rate and latency"),
      section("run", &S::run, config::run_fields, "how to run"),
      required(section("serving", &S::serving, serving_table_fields, "the deployment")),
      section("engine", &S::engine, engine_fields,
              "values that override those of the engine profile"),
      section("speculation", &S::speculation, speculation_fields, "speculative decoding"),
      required(section("arrivals", &S::arrivals, arrival_fields, "the requests")),
      section("router", &S::router, router_fields, "routing of requests to replicas"),
      section("autoscaling", &S::autoscaling, autoscaling_fields,
              "autoscaling beyond serving.replicas"),
      list("failure", &S::failures, failure_fields, "failures of replicas"),
      section("disaggregation", &S::disaggregation, disaggregation_fields,
              "prompts and answers on replicas of their own"),
      section("slo", &S::slo, slo_fields, "objectives"),
      section("search", &S::search, search_fields, "search space of septet capacity"),
      list("what_if", &S::what_ifs, variation_fields, "variations of the run"),
  };
  return rows;
}

std::string serving_reference() {
  using config::field_table;
  return field_table("The file", serving_fields()) +
         field_table("[serving]", serving_table_fields()) +
         field_table("[arrivals]", arrival_fields()) +
         field_table("[arrivals.input] and [arrivals.output]", length_fields()) +
         field_table("[engine], and profiles in data/engines", engine_fields()) +
         field_table("[speculation]", speculation_fields()) +
         field_table("[router]", router_fields()) +
         field_table("[autoscaling]", autoscaling_fields()) +
         field_table("[[failure]]", failure_fields()) +
         field_table("[disaggregation]", disaggregation_fields()) +
         field_table("[slo]", slo_fields()) + field_table("[search]", search_fields()) +
         field_table("[run]", config::run_fields()) +
         field_table("[[what_if]]", variation_fields());
}

}  // namespace septet::serving
