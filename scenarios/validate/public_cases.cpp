// Group serve_public: published runs of serving engines, simulated request by request.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include <nlohmann/json.hpp>

#include "models/fleet/run_fleet.hpp"
#include "models/workload/requests/request_log.hpp"
#include "models/workload/requests/synthetic_workload.hpp"
#include "scenarios/llm/step_simulation.hpp"
#include "scenarios/validate/public_serving.hpp"

namespace septet::validation {
namespace {

// Longer runs are cut: rates and distributions are steady by then.
constexpr double kMostTimed = 1500;    // requests with arrival times
constexpr double kFewestAtOnce = 500;  // requests that are all present at the start
constexpr double kBatchesAtOnce = 3;   // and at least this many times the largest batch

requests::ArrivalProcess arrivals_of(const MeasuredRow& row) {
  const std::string text = text_in(row, "arrival");
  requests::ArrivalProcess out;
  out.rate = number_in(row, "rate_per_s").value_or(1);
  if (text == "poisson") {
    out.kind = requests::ArrivalKind::kPoisson;
  } else if (text == "constant-rate") {
    out.kind = requests::ArrivalKind::kConstant;
  } else if (text == "all-at-once" || text == "closed") {
    out.kind = requests::ArrivalKind::kAtOnce;
  } else {
    throw ModelError("no arrivals " + text);
  }
  return out;
}

requests::LengthDistribution lengths_of(const MeasuredRow& row, const char* key) {
  const double mean = number_in(row, key).value_or(0);
  if (mean < 1) throw ConfigError(row.where(), std::string("case.") + key + " is missing");
  requests::LengthDistribution out;
  out.tokens = std::max<std::int64_t>(1, std::llround(mean));
  if (text_in(row, "length_dist").starts_with("uniform 1..")) {
    out.kind = requests::LengthKind::kUniform;
    out.least = 1;
    out.most = std::max<std::int64_t>(1, std::llround(2 * mean - 1));
  }
  return out;
}

// Prompts that a harness repeats: all but the last block is found in the cache.
void share_prompts(requests::SyntheticWorkload& workload) {
  constexpr std::int64_t kLast = 16;
  constexpr std::uint32_t kPrompts = 100;
  workload.prefix.tokens = std::max<std::int64_t>(0, workload.input.tokens - kLast);
  workload.prefix.groups = kPrompts;
  workload.input.tokens -= workload.prefix.tokens;
}

double requests_of(const MeasuredRow& row, const serving::EngineSpec& engine) {
  const std::string arrival = text_in(row, "arrival");
  const double told = number_in(row, "requests").value_or(kMostTimed);
  if (arrival == "poisson" || arrival == "constant-rate") return std::min(told, kMostTimed);
  const double batch =
      std::min(static_cast<double>(engine.scheduler.max_num_seqs),
               number_in(row, "concurrency").value_or(static_cast<double>(1 << 20)));
  return std::min(told, std::max(kFewestAtOnce, kBatchesAtOnce * batch));
}

// The result of one run, or why there is none.
struct Outcome {
  std::optional<fleet::FleetMetrics> metrics;
  std::string reason;
};

Outcome simulate(const MeasuredRow& row, const system::SystemSpec& system) {
  Outcome out;
  try {
    const PublicEngine engine(row, system.gpu);
    const llm::Deployment deployment = deployment_of(row, engine.text.style);
    const serving::EngineSpec spec = setup_of(row, engine.text, deployment, system.gpu).spec;
    const serving::EngineCosts costs{
        std::make_shared<llm::SimulatedStepCost>(system, deployment, llm::StepOptions{}), nullptr};
    const requests::Workload workload = workload_of(row, spec);
    fleet::FleetSpec fleet;
    const std::uint32_t gpus = deployment.layout.gpus();
    fleet.replicas =
        std::max(1U, static_cast<std::uint32_t>(number_in(row, "gpus").value_or(gpus)) / gpus);
    out.metrics = fleet::metrics_of(workload, fleet::run_fleet({fleet, spec, costs, workload}, {}));
  } catch (const ConfigError& error) {
    out.reason = error.reason();
  } catch (const ModelError& error) {
    out.reason = error.what();
  }
  return out;
}

// The rows of a run are consecutive: it is simulated once, for the first of them that is asked for.
class Runs {
 public:
  const Outcome& of(const MeasuredRow& row, const system::SystemSpec& system) {
    Run& run = run_of(system.gpu.name + row.case_->dump());
    std::call_once(run.once, [&] { run.outcome = simulate(row, system); });
    return run.outcome;
  }

 private:
  struct Run {
    std::once_flag once;
    Outcome outcome;
  };

  Run& run_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return runs_[key];
  }

  std::mutex mutex_;
  std::map<std::string, Run> runs_;
};

std::optional<double> latency_in(const std::string& metric, const fleet::FleetMetrics& metrics) {
  const std::size_t split = metric.rfind('_');
  if (split == std::string::npos) return std::nullopt;
  const auto latency = from_text<fleet::Latency>(metric.substr(0, split));
  const std::string statistic = metric.substr(split + 1);
  if (!latency || metrics.of(*latency).count() == 0) return std::nullopt;
  const fleet::Distribution& values = metrics.of(*latency);
  const double milliseconds = 1e-3;
  if (statistic == "mean") return to_us(values.mean()) * milliseconds;
  if (!statistic.starts_with("p")) return std::nullopt;
  return to_us(values.at(std::strtod(statistic.c_str() + 1, nullptr))) * milliseconds;
}

std::optional<double> answer(const std::string& metric, const fleet::FleetMetrics& metrics) {
  if (metric == "output_tokens_per_s") return metrics.per_second(metrics.completed.output_tokens);
  if (metric == "requests_per_s") return metrics.per_second(metrics.completed.requests);
  return latency_in(metric, metrics);
}

}  // namespace

requests::Workload workload_of(const MeasuredRow& row, const serving::EngineSpec& engine) {
  if (const std::string log = text_in(row, "log"); !log.empty()) {
    return requests::read_request_log(std::filesystem::path(row.file).parent_path() / log, {});
  }
  requests::SyntheticWorkload out;
  out.arrivals = arrivals_of(row);
  out.input = lengths_of(row, "input_tokens");
  out.output = lengths_of(row, "output_tokens");
  out.requests = static_cast<std::uint64_t>(std::max(1.0, requests_of(row, engine)));
  if (const auto users = number_in(row, "concurrency"); users && *users >= 1) {
    out.concurrency = static_cast<std::uint32_t>(*users);
  }
  if (text_in(row, "prefix").find("again and again") != std::string::npos) share_prompts(out);
  return requests::synthetic_workload(out, 1);
}

std::vector<CaseKind> public_serving_cases() {
  const auto runs = std::make_shared<Runs>();
  const auto predict = [runs](const MeasuredRow& row, const system::SystemSpec& system) {
    const Outcome& outcome = runs->of(row, system);
    if (!outcome.metrics) return unsupported(outcome.reason);
    const std::optional<double> value = answer(row.metric, *outcome.metrics);
    if (!value) return unsupported("no metric " + row.metric);
    return Prediction{value, outcome.metrics->overloaded ? "overloaded" : "steps"};
  };
  return {{"serve_public", "", predict}};
}

}  // namespace septet::validation
