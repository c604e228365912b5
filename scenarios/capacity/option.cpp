#include "scenarios/capacity/option.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::capacity {
namespace {

using config::ConfigValue;
using serving::Objective;

template <class Value>
void set(ConfigValue& table, const std::string& key, Value value, const Location& where) {
  table.table()->push_back({key, where, ConfigValue{std::move(value), where}});
}

// Fleets of more replicas than `most` are ruled out.
void keep_replicas(Option& option, double most, Bound bound, const std::string& reason) {
  if (most < 1) return remove(option, bound, reason);
  if (most >= option.most_replicas) return;
  const auto kept = static_cast<std::uint32_t>(most);
  option.candidates_removed[static_cast<std::size_t>(bound)] += option.most_replicas - kept;
  option.most_replicas = kept;
}

// One request alone on an idle fleet of one.
fleet::FleetMetrics alone(const Option& option, requests::Request request) {
  request.arrival = {};
  request.pieces.clear();
  request.follows = requests::kNoRequest;
  requests::Workload workload;
  workload.requests.push_back(request);
  fleet::FleetSpec fleet;
  fleet.router = option.of->fleet.router;
  return serving::run_serving({fleet, option.of->engine, option.costs, workload}, {}).metrics;
}

// The same with an answer of two tokens at most.
fleet::FleetMetrics begin_alone(const Option& option, requests::Request request) {
  request.output_tokens = std::min<std::int64_t>(request.output_tokens, 2);
  return alone(option, request);
}

// The shortest prompt with as long an answer as `percent` of the requests have at most: no request
// that is among the others ends sooner.
requests::Request shortest(const std::vector<requests::Request>& by_input, double percent) {
  std::vector<std::int64_t> outputs;
  for (const requests::Request& request : by_input) outputs.push_back(request.output_tokens);
  std::ranges::sort(outputs);
  const double rank = percent / 100 * static_cast<double>(outputs.size() - 1);
  requests::Request out = by_input.front();
  out.output_tokens = outputs[static_cast<std::size_t>(rank)];
  return out;
}

const requests::Request& by_input(const std::vector<requests::Request>& ascending, double percent) {
  const double rank = percent / 100 * static_cast<double>(ascending.size() - 1);
  return ascending[static_cast<std::size_t>(rank)];
}

void remove(Option& option, const Objective& objective, Duration least, const char* what) {
  option.missed = {objective.key, to_seconds(objective.most), to_seconds(least), true, false};
  remove(option, Bound::kRequestAlone,
         fmt::format("{}: {} takes {}, the limit is {}", objective.key, what, to_text(least),
                     to_text(objective.most)));
}

// Requests, objectives and the search itself are the question, not an answer to it.
void check_key(const config::ConfigEntry& entry) {
  constexpr std::string_view kAnswers[] = {"engine.",         "serving.", "router.", "speculation.",
                                           "disaggregation.", "gpu.",     "host.",   "network."};
  const bool known = std::ranges::any_of(
      kAnswers, [&](std::string_view begin) { return entry.key.starts_with(begin); });
  if (known && entry.key != "serving.replicas") return;
  throw ConfigError::value(entry.key_where, "search.try", "the key \"" + entry.key + "\"",
                           "a key of [engine], [serving] (other than replicas), [router], "
                           "[speculation], [gpu], [host] or [network]");
}

// All combinations of the values of [search.try]; one empty one without it.
std::vector<std::vector<Setting>> settings_of(const serving::SearchText& search) {
  std::vector<std::vector<Setting>> out = {{}};
  if (search.settings == nullptr) return out;
  for (const config::ConfigEntry& entry : *search.settings->table()) {
    check_key(entry);
    const ConfigValue::Array* values = entry.value.array();
    const std::string path = config::joined("search.try", entry.key);
    if (values == nullptr || values->empty())
      config::Reading{entry.value, path}.fail("a list of values");
    std::vector<std::vector<Setting>> longer;
    for (const std::vector<Setting>& one : out) {
      for (const ConfigValue& value : *values) {
        longer.push_back(one);
        longer.back().push_back({entry.key, value});
      }
    }
    out = std::move(longer);
  }
  return out;
}

}  // namespace

std::uint32_t Option::gpus_of_replica() const {
  const serving::ServingTable& table = configuration->text.serving;
  return table.tensor_parallel_size * table.pipeline_parallel_size * table.data_parallel_size;
}

std::uint32_t Option::gpus_of_fleet(std::uint32_t replicas) const {
  return of->gpus_of_fleet(replicas);
}

void remove(Option& option, Bound bound, std::string reason) {
  option.removed_by = bound;
  option.reason = std::move(reason);
  option.candidates_removed[static_cast<std::size_t>(bound)] += option.most_replicas;
  option.most_replicas = 0;
}

void bound_by_longest_request(Option& option, const requests::Workload& workload) {
  serving::Scheduler idle(option.of->engine.scheduler);
  for (const requests::Request& request : workload.requests) {
    const serving::Entry entry = idle.add({0, request.input_tokens, request.output_tokens, {}, 0});
    if (entry == serving::Entry::kQueued || entry == serving::Entry::kQueueFull) continue;
    return remove(option, Bound::kLongest,
                  fmt::format("a request of {} prompt and {} output tokens is {}",
                              request.input_tokens, request.output_tokens, text_of(entry)));
  }
}

std::string option_text(const Option& option) {
  std::string out =
      fmt::format("{} {} tp {}", option.gpu, option.engine, option.tensor_parallel_size);
  for (const Setting& setting : option.settings) {
    out += fmt::format(" {} = {}", setting.key, config::inline_toml(setting.value));
  }
  return out;
}

void bound_by_cost(Option& option, const serving::SloText& slo) {
  const serving::GpuCost& gpu = option.of->gpu_cost;
  const double gpus = option.gpus_of_replica();
  const double prompts = option.gpus_of_fleet(0);
  const serving::GpuCost& other = option.of->prefill ? option.of->prefill->gpu_cost : gpu;
  if (slo.budget && gpu.price && gpu.price->gpu_hour > 0) {
    const double replica = gpus * gpu.price->gpu_hour;
    const double rest = *slo.budget * serving::kCostRounding - prompts * other.price->gpu_hour;
    keep_replicas(option, rest / replica, Bound::kBudget,
                  fmt::format("the smallest fleet costs {:.4g} per hour, the budget is {:.4g}",
                              replica + prompts * other.price->gpu_hour, *slo.budget));
  }
  if (!option.removed_by && slo.power) {
    const double replica = gpus * gpu.waiting.count();
    const double rest =
        slo.power->count() * serving::kCostRounding - prompts * other.waiting.count();
    keep_replicas(option, rest / replica, Bound::kPower,
                  fmt::format("the smallest fleet draws {:.4g} W while it waits, the limit is "
                              "{:.4g} W",
                              replica + prompts * other.waiting.count(), slo.power->count()));
  }
}

Option option_with(const serving::ServingConfiguration& base, const serving::Libraries& libraries,
                   Option out) {
  const serving::SearchText& search = base.text.search;
  const Location& where = search.place.where();
  ConfigValue change{ConfigValue::Table{}, where};
  set(change, "hardware.gpu", out.gpu, where);
  set(change, "serving.engine", out.engine, where);
  set(change, "serving.tensor_parallel_size", std::int64_t{out.tensor_parallel_size}, where);
  for (const Setting& setting : out.settings) {
    change.table()->push_back({setting.key, setting.value.where, setting.value});
  }
  out.configuration =
      std::make_shared<serving::ServingConfiguration>(serving::vary(base, change, libraries));
  out.most_replicas = search.max_gpus / out.gpus_of_replica();
  try {
    out.of = serving::case_of(*out.configuration, libraries);
  } catch (const serving::DoesNotFit& error) {
    remove(out, Bound::kMemory, error.what());
  } catch (const serving::NotDivisible& error) {
    remove(out, Bound::kLayout, error.what());
  }
  if (out.of) {
    const std::uint32_t prompts = std::min(out.gpus_of_fleet(0), search.max_gpus);
    out.most_replicas = (search.max_gpus - prompts) / out.gpus_of_replica();
  }
  if (out.of && out.most_replicas == 0) {
    remove(out, Bound::kMaxGpus,
           fmt::format("the smallest fleet has {} GPUs, search.max_gpus is {}",
                       out.gpus_of_fleet(1), search.max_gpus));
  }
  if (!out.removed_by) {
    const serving::ServingTable& table = out.configuration->text.serving;
    out.costs = serving::costs_of(*out.of, table);
    out.prefill = serving::prefill_pool_of(*out.of, table);
  }
  return out;
}

std::vector<Option> options_of(const serving::ServingConfiguration& base,
                               const serving::Libraries& libraries) {
  const serving::SearchText& search = base.text.search;
  std::vector<std::string> gpus = search.gpus;
  if (gpus.empty()) gpus.push_back(base.hardware.gpu.name);
  std::vector<std::string> engines = search.engines;
  if (engines.empty()) engines.push_back(base.text.serving.engine);
  std::vector<std::uint32_t> tensors = search.tensor_parallel_size;
  if (tensors.empty()) tensors.push_back(base.text.serving.tensor_parallel_size);
  const std::vector<std::vector<Setting>> all = settings_of(search);
  std::vector<Option> out;
  for (const std::string& gpu : gpus) {
    for (const std::string& engine : engines) {
      for (const std::uint32_t tensor : tensors) {
        for (const std::vector<Setting>& settings : all) {
          out.push_back(option_with(base, libraries, {gpu, engine, tensor, settings}));
        }
      }
    }
  }
  return out;
}

// What others left in the cache shortens prompts, drafts make several tokens in a step, and prefill
// replicas may be faster: bounds of these kinds then don't hold.
void bound_by_request_alone(Option& option, const requests::Workload& workload,
                            const serving::SloText& slo) {
  std::vector<requests::Request> ascending;
  for (const requests::Request& request : workload.requests) {
    const std::int64_t tokens = request.input_tokens + request.output_tokens;
    if (tokens <= option.of->engine.scheduler.max_model_len) ascending.push_back(request);
  }
  if (ascending.empty()) return;
  const bool shared = std::ranges::any_of(
      ascending, [](const requests::Request& request) { return !request.pieces.empty(); });
  std::ranges::sort(ascending, {}, &requests::Request::input_tokens);
  for (const Objective& objective : slo.latencies) {
    const double percent = objective.percent.value_or(0);
    const bool prompts_elsewhere = option.of->prefill != nullptr;
    if (objective.latency == fleet::Latency::kTtft && !shared && !prompts_elsewhere) {
      const Duration least =
          begin_alone(option, by_input(ascending, percent)).of(objective.latency).mean();
      if (least > objective.most) return remove(option, objective, least, "its prefill alone");
    }
    if (objective.latency == fleet::Latency::kTpot && !option.of->draft) {
      const Duration least = begin_alone(option, ascending.front()).of(objective.latency).mean();
      if (least > objective.most) return remove(option, objective, least, "a decode alone");
    }
    if (objective.latency == fleet::Latency::kQueue && !prompts_elsewhere) {
      const Duration least = begin_alone(option, ascending.front()).of(objective.latency).mean();
      if (least > objective.most) return remove(option, objective, least, "an idle front end");
    }
    const bool whole = !shared && !prompts_elsewhere && !option.of->draft;
    if (objective.latency == fleet::Latency::kE2e && whole) {
      const Duration least =
          alone(option, shortest(ascending, percent)).of(objective.latency).mean();
      if (least > objective.most) return remove(option, objective, least, "an answer alone");
    }
  }
}

}  // namespace septet::capacity
