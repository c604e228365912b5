#include "scenarios/serving/serving_case.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/gpu/power/power.hpp"
#include "models/workload/serving/speculation.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/llm/step_simulation.hpp"
#include "scenarios/serving/engine_setup.hpp"
#include "scenarios/serving/kv_transfer_time.hpp"
#include "scenarios/study/hardware_system.hpp"

namespace septet::serving {
namespace {

const Location& where_of(const config::Place& place, const char* key) {
  const config::ConfigValue* value = place.table->find(key);
  return value != nullptr ? value->where : place.where();
}

llm::Deployment deployment_of(const ServingText& text, const Libraries& libraries) {
  const ServingTable& table = text.serving;
  llm::Deployment out;
  out.model = libraries.models.find(table.model, where_of(table.place, "model"), "serving.model");
  if (table.weights) out.model.weights = *table.weights;
  if (table.kv) out.kv = *table.kv;
  out.layout = {table.tensor_parallel_size, table.pipeline_parallel_size, table.data_parallel_size,
                table.expert_parallel};
  out.style = text.engine.style;
  try {
    llm::check(out);
  } catch (const ConfigError& error) {
    throw NotDivisible(table.place.where(), error.what());
  }
  return out;
}

std::optional<llm::Deployment> draft_of(const SpeculationText& text, const llm::Deployment& target,
                                        const Libraries& libraries) {
  if (text.place.table == nullptr) return std::nullopt;
  if (text.draft_model.empty() == !text.draft_layers) {
    text.place.fail("draft_model", text.draft_model.empty() ? "nothing" : "a model and layers",
                    "speculation.draft_model or speculation.draft_layers");
  }
  llm::Deployment out = target;
  if (text.draft_layers) {
    out.model.num_layers = *text.draft_layers;
    out.model.experts.dense_layers = std::min(out.model.experts.dense_layers, *text.draft_layers);
    out.model.windowed_layers = std::min(out.model.windowed_layers, *text.draft_layers);
    return out;
  }
  out.model = libraries.models.find(text.draft_model, where_of(text.place, "draft_model"),
                                    "speculation.draft_model");
  return out;
}

Speculation speculation_of(const SpeculationText& text) {
  if (text.place.table == nullptr) return {};
  const bool by_shares = !text.accepted_share.empty();
  if (by_shares == text.mean_accepted_length.has_value()) {
    text.place.fail("mean_accepted_length", by_shares ? "a length and shares" : "nothing",
                    "speculation.mean_accepted_length or speculation.accepted_share, measured");
  }
  Speculation out;
  out.draft_steps = text.draft_steps;
  out.verified_tokens = text.verified_tokens.value_or(text.draft_steps);
  if (by_shares && text.accepted_share.size() != text.draft_steps) {
    text.place.fail("accepted_share", fmt::format("{} shares", text.accepted_share.size()),
                    fmt::format("{}, one per draft step", text.draft_steps));
  }
  try {
    out.acceptance = by_shares
                         ? acceptance_by_shares(text.accepted_share)
                         : acceptance_by_mean_length(*text.mean_accepted_length, text.draft_steps);
  } catch (const ModelError& error) {
    throw ConfigError(text.place.where(), error.what());
  }
  return out;
}

fleet::FleetSpec fleet_of(const ServingText& text) {
  fleet::FleetSpec out;
  out.replicas = text.serving.replicas;
  const RouterText& router = text.router;
  out.router = {router.routing, router.latency, router.least_prefix_share, router.most_imbalance};
  if (text.disaggregation.place.table != nullptr && text.disaggregation.prefill_replicas > 0) {
    const DisaggregationText& apart = text.disaggregation;
    out.disaggregation = {apart.prefill_replicas, apart.hand_over, apart.first_token};
  }
  if (text.autoscaling.place.table != nullptr) {
    const AutoscalingText& scaling = text.autoscaling;
    out.autoscaling = {scaling.min_replicas, scaling.max_replicas, scaling.requests_per_replica,
                       scaling.interval,     scaling.start_up,     scaling.scale_down_delay};
  }
  for (const FailureText& failure : text.failures) {
    const bool listed = failure.replica && failure.at;
    if (listed == failure.mean_time_between.has_value()) {
      failure.place.fail("at", "neither or both", "replica and at, or mean_time_between");
    }
    if (listed)
      out.failures.push_back({*failure.replica, Instant(failure.at->count()), failure.repair});
  }
  try {
    fleet::check(out);
  } catch (const ModelError& error) {
    throw ConfigError(text.serving.place.where(), error.what());
  }
  return out;
}

GpuCost gpu_cost_of(const ServingTable& table, const ServingCase& serving,
                    const Libraries& libraries) {
  GpuCost out;
  out.gpus_of_replica = serving.gpus_of_replica();
  out.waiting = gpu::board_power(serving.hardware.gpu.power, {}, 1);
  if (!table.prices.empty() && table.gpu_hour_price) {
    table.place.fail("gpu_hour_price", "a price together with serving.prices", "one of both");
  }
  if (table.gpu_hour_price) {
    out.price = GpuPrice{"", *table.gpu_hour_price, "the scenario", ""};
  } else if (!table.prices.empty()) {
    const Location& where = where_of(table.place, "prices");
    const PriceList list = libraries.prices.find(table.prices, where);
    out.price = price_of(list, serving.hardware.gpu.name, where);
    out.currency = list.currency;
    out.list = list.name;
  }
  return out;
}

// Without a limit every request that is answered is a good one.
void check_goodput(const SloText& slo) {
  if (!slo.goodput_share || !slo.latencies.empty()) return;
  slo.place.fail("goodput_share", "a share of requests without limits of latency",
                 "at least one, such as slo.ttft_p99");
}

// What can't be judged without a price.
void check_prices(const ServingText& text, const GpuCost& cost) {
  if (cost.price) return;
  for (const char* key : {"budget", "cost_per_million_output_tokens"}) {
    if (text.slo.place.table == nullptr || !text.slo.place.has(key)) continue;
    text.slo.place.fail(key, "a limit without prices", "serving.prices or serving.gpu_hour_price");
  }
}

void add_prefill(const ServingConfiguration& configuration, const Libraries& libraries,
                 ServingCase& out) {
  const DisaggregationText& text = configuration.text.disaggregation;
  for (const FailureText& failure : configuration.text.failures) {
    failure.place.fail("repair", "a failure together with [disaggregation]", "one of both");
  }
  ServingCase prefill = case_of(prefill_of(configuration, libraries), libraries);
  if (prefill.deployment.model.name != out.deployment.model.name ||
      prefill.deployment.kv != out.deployment.kv) {
    text.place.fail("prefill", "another model or format of keys and values",
                    "those of the replicas that write the answers");
  }
  prefill.engine.scheduler.keeps_finished = true;
  prefill.engine.scheduler.late_stop = false;  // the length of an answer of one token is known
  out.transfer = std::make_shared<NetworkKvTransfer>(
      text, study::system_of(out.hardware), out.deployment, prefill.deployment,
      static_cast<std::uint32_t>(out.engine.scheduler.block_size));
  out.prefill = std::make_shared<const ServingCase>(std::move(prefill));
}

}  // namespace

ServingCase case_of(const ServingConfiguration& configuration, const Libraries& libraries) {
  const ServingText& text = configuration.text;
  ServingCase out;
  out.hardware = config::read_hardware(configuration.hardware);
  out.deployment = deployment_of(text, libraries);
  out.draft = draft_of(text.speculation, out.deployment, libraries);
  EngineSetup setup = engine_setup(
      text.engine, {out.deployment, out.draft, out.hardware.gpu, text.serving.place.where()});
  out.memory = setup.memory;
  out.engine = std::move(setup.spec);
  out.engine.scheduler.speculation = speculation_of(text.speculation);
  out.fleet = fleet_of(text);
  if (out.fleet.disaggregation) add_prefill(configuration, libraries, out);
  out.objectives = text.slo.latencies;
  out.warnings = out.hardware.warnings;
  out.gpu_cost = gpu_cost_of(text.serving, out, libraries);
  check_prices(text, out.gpu_cost);
  check_goodput(text.slo);
  out.seed = text.run.seed;
  return out;
}

EngineCosts costs_of(const ServingCase& serving, const ServingTable& table) {
  const system::SystemSpec system = study::system_of(serving.hardware);
  llm::StepOptions options;
  options.exact = table.exact;
  EngineCosts out;
  out.model = std::make_shared<llm::SimulatedStepCost>(system, serving.deployment, options);
  if (serving.draft) {
    out.draft = std::make_shared<llm::SimulatedStepCost>(system, *serving.draft, options);
  }
  return out;
}

std::shared_ptr<const fleet::PrefillPool> prefill_pool_of(const ServingCase& serving,
                                                          const ServingTable& table) {
  if (serving.prefill == nullptr) return nullptr;
  return std::make_shared<const fleet::PrefillPool>(fleet::PrefillPool{
      serving.prefill->engine, costs_of(*serving.prefill, table), serving.transfer});
}

std::uint32_t ServingCase::gpus_of_fleet(std::uint32_t replicas) const {
  const std::uint32_t prompts =
      prefill == nullptr ? 0 : fleet.disaggregation->prefill_replicas * prefill->gpus_of_replica();
  return replicas * gpus_of_replica() + prompts;
}

std::vector<fleet::Failure> failures_of(const ServingConfiguration& configuration,
                                        const fleet::FleetSpec& fleet,
                                        const requests::Workload& workload, std::uint64_t seed) {
  std::vector<fleet::Failure> out = fleet.failures;
  Instant end;
  for (const requests::Request& request : workload.requests) end = std::max(end, request.arrival);
  for (const FailureText& failure : configuration.text.failures) {
    if (!failure.mean_time_between) continue;
    for (const fleet::Failure& one : fleet::random_failures(
             fleet.most_replicas(), *failure.mean_time_between, failure.repair, end, seed)) {
      if (!failure.replica || *failure.replica == one.replica) out.push_back(one);
    }
  }
  return out;
}

}  // namespace septet::serving
