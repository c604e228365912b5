#include "scenarios/claims/population.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>

#include "models/workload/nsight/profiled_kernel.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/explain/named_metrics.hpp"

namespace septet::claims {
namespace {

// "METRIC OPERATOR NUMBER", or "bound = WORD".
struct Condition {
  std::string metric;
  std::string comparison;
  std::string operand;
  double number = 0;

  bool on_bound() const { return metric == "bound"; }
  bool matched_by(double value) const {
    if (comparison == "<") return value < number;
    if (comparison == "<=") return value <= number;
    if (comparison == ">") return value > number;
    return value >= number;
  }
};

// What a profiler calls a metric of the model.
struct Counterpart {
  const char* name;
  const char* nsight;
};
constexpr std::array kCounterparts = {
    Counterpart{"theoretical_occupancy_pct", "sm__maximum_warps_per_active_cycle_pct"},
    Counterpart{"achieved_occupancy_pct", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    Counterpart{"issue_slots_pct", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    Counterpart{"eligible_warps_per_scheduler", "smsp__warps_eligible.avg.per_cycle_active"},
    Counterpart{"l1_hit_pct", "l1tex__t_sector_hit_rate.pct"},
    Counterpart{"l2_hit_pct", "lts__t_sector_hit_rate.pct"}};

[[noreturn]] void fail_condition(const PartText& part, const char* key, const std::string& text) {
  std::vector<std::string> names = explain::metric_names();
  names.emplace_back("bound");
  part.place.fail(key, "\"" + text + "\"",
                  "METRIC < NUMBER (or <=, >, >=) or bound = memory, compute or latency, METRIC "
                  "one of: " +
                      config::listed(names));
}

Condition condition_of(const PartText& part, const char* key, const std::string& text) {
  std::istringstream words(text);
  Condition out;
  std::string rest;
  if (!(words >> out.metric >> out.comparison >> out.operand) || words >> rest) {
    fail_condition(part, key, text);
  }
  if (out.on_bound()) {
    const bool known =
        out.operand == "memory" || out.operand == "compute" || out.operand == "latency";
    if (out.comparison != "=" || !known) fail_condition(part, key, text);
    return out;
  }
  constexpr std::array kComparisons = {"<", "<=", ">", ">="};
  const bool compares =
      std::find(kComparisons.begin(), kComparisons.end(), out.comparison) != kComparisons.end();
  std::istringstream number(out.operand);
  const bool reads = (number >> out.number) && number.eof();
  if (!compares || !reads || explain::find_metric(out.metric) == nullptr)
    fail_condition(part, key, text);
  return out;
}

std::vector<Condition> conditions_of(const PartText& part, const char* key,
                                     const std::vector<std::string>& texts) {
  std::vector<Condition> out;
  for (const std::string& text : texts) out.push_back(condition_of(part, key, text));
  return out;
}

// One kernel: its metrics by name, and what bounds it; absent: not known.
struct View {
  std::function<std::optional<double>(const std::string& metric)> metric;
  std::optional<std::string> bound;

  std::optional<bool> meets(const Condition& condition) const {
    if (condition.on_bound()) {
      if (!bound) return std::nullopt;
      return *bound == condition.operand;
    }
    const std::optional<double> value = metric(condition.metric);
    if (!value) return std::nullopt;
    return condition.matched_by(*value);
  }
  std::optional<bool> meets(const std::vector<Condition>& all) const {
    bool out = true;
    for (const Condition& condition : all) {
      const std::optional<bool> met = meets(condition);
      if (!met) return std::nullopt;
      out = out && *met;
    }
    return out;
  }
};

// Over `views`; a single unknown one makes the total unknown.
std::optional<double> share_of(const PartText& part, const std::vector<View>& views) {
  const std::vector<Condition> among = conditions_of(part, "among", part.among);
  const std::vector<Condition> count = conditions_of(part, "count", part.count);
  double kernels = 0;
  double sum = 0;
  for (const View& view : views) {
    const std::optional<bool> belongs = view.meets(among);
    if (!belongs) return std::nullopt;
    if (!*belongs) continue;
    const std::optional<bool> met = view.meets(count);
    const std::optional<double> value =
        part.mean.empty() ? std::optional<double>(met.value_or(false) ? 100.0 : 0.0)
                          : view.metric(part.mean);
    if (!met || !value) return std::nullopt;
    ++kernels;
    sum += *value;
  }
  if (kernels == 0) return std::nullopt;
  return sum / kernels;
}

void check_mean(const PartText& part) {
  if (part.mean.empty() || explain::find_metric(part.mean) != nullptr) return;
  part.place.fail("mean", "\"" + part.mean + "\"",
                  "one of: " + config::listed(explain::metric_names()) +
                      config::did_you_mean(part.mean, explain::metric_names()));
}

View simulated_view(const nsight::ProfiledKernel& profiled, const gpu::GpuSpec& gpu) {
  const program::Kernel kernel = profiled_kernel(profiled, gpu);
  const gpu::KernelTime time =
      kernel_time(gpu, kernel.shape, std::get<program::InstructionWork>(kernel.work));
  const explain::KernelMetrics metrics =
      explain::metrics_of(gpu, explain::description_of(kernel), time);
  return {[metrics](const std::string& name) { return explain::find_metric(name)->of(metrics); },
          std::string(text_of(metrics.bound))};
}

View measured_view(const nsight::ProfiledKernel& profiled) {
  const auto metric = [&profiled](const std::string& name) -> std::optional<double> {
    for (const Counterpart& pair : kCounterparts) {
      if (name == pair.name) return profiled.metric(pair.nsight);
    }
    return std::nullopt;
  };
  return {metric, std::nullopt};
}

template <class ViewOf>
std::optional<double> share_over(const PartText& part, Measurements& measurements, ViewOf view_of) {
  check_mean(part);
  std::vector<View> views;
  for (const std::string& report : part.reports) {
    for (const validation::MeasuredRow& row : measurements.rows(part, report)) {
      if (row.profiled == nullptr) {
        part.place.fail("reports", "\"" + report + "\"", "Nsight Compute reports in CSV");
      }
      views.push_back(view_of(*row.profiled));
    }
  }
  return share_of(part, views);
}

}  // namespace

std::optional<double> simulated_share(const PartText& part, const system::SystemSpec& system,
                                      Measurements& measurements) {
  return share_over(part, measurements, [&](const nsight::ProfiledKernel& profiled) {
    return simulated_view(profiled, system.gpu);
  });
}

std::optional<double> measured_share(const PartText& part, Measurements& measurements) {
  return share_over(part, measurements, measured_view);
}

}  // namespace septet::claims
