#include "scenarios/capacity/option.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/units.hpp"

namespace septet::capacity {
namespace {

using config::ConfigValue;
using serving::Objective;

template <class Value>
void set(ConfigValue& table, const std::string& key, Value value, const Location& where) {
  table.table()->push_back({key, where, ConfigValue{std::move(value), where}});
}

Option option_with(const serving::ServingConfiguration& base, const serving::Libraries& libraries,
                   Option out) {
  const serving::SearchText& search = base.text.search;
  const Location& where = search.place.where();
  ConfigValue change{ConfigValue::Table{}, where};
  set(change, "hardware.gpu", out.gpu, where);
  set(change, "serving.engine", out.engine, where);
  set(change, "serving.tensor_parallel_size", std::int64_t{out.tensor_parallel_size}, where);
  out.configuration =
      std::make_shared<serving::ServingConfiguration>(serving::vary(base, change, libraries));
  try {
    out.of = serving::case_of(*out.configuration, libraries);
  } catch (const serving::DoesNotFit& error) {
    out.removed_by = Bound::kMemory;
    out.reason = error.what();
  } catch (const serving::NotDivisible& error) {
    out.removed_by = Bound::kLayout;
    out.reason = error.what();
  }
  if (out.of && out.gpus_of_replica() > search.max_gpus) {
    out.removed_by = Bound::kMaxGpus;
    out.reason = fmt::format("one replica has {} GPUs, search.max_gpus is {}",
                             out.gpus_of_replica(), search.max_gpus);
  }
  if (!out.removed_by) {
    out.costs = serving::costs_of(*out.of, out.configuration->text.serving);
  }
  return out;
}

// The least time from sending to the first token, and between tokens, of a request.
struct Alone {
  Duration ttft{};
  Duration tpot{};
};

// It runs alone on an idle fleet of one.
Alone alone(const Option& option, requests::Request request) {
  request.arrival = {};
  request.pieces.clear();
  request.follows = requests::kNoRequest;
  request.output_tokens = std::min<std::int64_t>(request.output_tokens, 2);
  requests::Workload workload;
  workload.requests.push_back(request);
  fleet::FleetSpec fleet;
  fleet.router = option.of->fleet.router;
  const serving::ServingRun run =
      serving::run_serving({fleet, option.of->engine, option.costs, workload}, {});
  return {run.metrics.of(fleet::Latency::kTtft).mean(),
          run.metrics.of(fleet::Latency::kTpot).mean()};
}

const requests::Request& by_input(const std::vector<requests::Request>& ascending, double percent) {
  const double rank = percent / 100 * static_cast<double>(ascending.size() - 1);
  return ascending[static_cast<std::size_t>(rank)];
}

void remove(Option& option, const Objective& objective, Duration least, const char* what) {
  option.removed_by = Bound::kRequestAlone;
  option.reason = fmt::format("{}: {} takes {}, the limit is {}", objective.key, what,
                              to_text(least), to_text(objective.most));
}

}  // namespace

std::vector<Option> options_of(const serving::ServingConfiguration& base,
                               const serving::Libraries& libraries) {
  const serving::SearchText& search = base.text.search;
  std::vector<std::string> gpus = search.gpus;
  if (gpus.empty()) gpus.push_back(base.hardware.gpu.name);
  std::vector<std::string> engines = search.engines;
  if (engines.empty()) engines.push_back(base.text.serving.engine);
  std::vector<std::uint32_t> tensors = search.tensor_parallel_size;
  if (tensors.empty()) tensors.push_back(base.text.serving.tensor_parallel_size);
  std::vector<Option> out;
  for (const std::string& gpu : gpus) {
    for (const std::string& engine : engines) {
      for (const std::uint32_t tensor : tensors) {
        out.push_back(option_with(base, libraries, {gpu, engine, tensor}));
      }
    }
  }
  return out;
}

// What others left in the cache shortens prompts, and drafts make several tokens in a step: bounds
// of these kinds then don't hold.
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
    if (objective.latency == fleet::Latency::kTtft && !shared) {
      const Duration least = alone(option, by_input(ascending, percent)).ttft;
      if (least > objective.most) return remove(option, objective, least, "its prefill alone");
    }
    if (objective.latency == fleet::Latency::kTpot && !option.of->draft) {
      const Duration least = alone(option, ascending.front()).tpot;
      if (least > objective.most) return remove(option, objective, least, "a decode alone");
    }
  }
}

}  // namespace septet::capacity
