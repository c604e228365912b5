#include "scenarios/training/plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/workload/llm/memory_budget.hpp"
#include "scenarios/training/plan_candidates.hpp"

namespace septet::training {
namespace {

// Operations a second of a product that is large in every direction, again and again.
double sustained_rate(const gpu::GpuSpec& gpu, const Style& style) {
  constexpr double kSide = 8192;
  const program::Gemm product{
      .m = kSide,
      .n = kSide,
      .k = kSide,
      .type = style.fp8() ? program::DataType::kFp8 : program::DataType::kBf16};
  const double four_bits = style.precision == Precision::kNvfp4 ? 2 : 1;
  const gpu::OperatorTime time =
      gpu::operator_time(gpu, {.what = product, .load = {.steady = true}});
  return four_bits * operations(product) / to_seconds(time.time);
}

// The model's operations without attention, and those of the forward pass again where they are.
Duration least_time(const TrainingSpec& spec, double rate) {
  const double again = spec.recompute.granularity == Granularity::kFull ? 4.0 / 3 : 1;
  const double flops =
      6 * active_parameters(spec.model) * spec.global_batch() * spec.seq_length * again;
  const double passes = static_cast<double>(spec.num_microbatches) * spec.virtual_pipeline_size;
  const double bubble = (spec.pipeline_parallel_size - 1.0) / passes;
  return from_seconds(flops / (rate * spec.ranks()) * (1 + bubble));
}

std::uint32_t gpus_of_node(const system::SystemSpec& system) {
  if (system.cluster == nullptr) return system.network.gpus_per_node;
  std::uint32_t size = 0;
  while (size < system.cluster->gpu_count() &&
         system.cluster->node_of(size) == system.cluster->node_of(0)) {
    ++size;
  }
  return size;
}

void search(const TrainingSpec& given, const system::SystemSpec& system, const PlanChoices& choices,
            std::uint32_t gpus, const std::function<void(double)>& progress, Plan& out) {
  std::vector<Candidate> fitting;
  for (TrainingSpec& spec : plan_candidates(given, choices, gpus, gpus_of_node(system))) {
    ++out.considered;
    const MemoryUse memory = largest_memory(spec);
    if (!out.least || memory.total() < out.least->total()) out.least = memory;
    if (memory.total() > out.memory) {
      ++out.too_large;
    } else {
      fitting.push_back({std::move(spec), memory});
    }
  }
  const double rate = sustained_rate(system.gpu, given.style);
  std::ranges::stable_sort(fitting, {},
                           [&](const Candidate& one) { return least_time(one.spec, rate); });
  double done = 0;
  for (Candidate& one : fitting) {
    progress(++done / static_cast<double>(fitting.size()));
    const bool full = out.best.size() >= choices.best;
    if (full && least_time(one.spec, rate) > out.best.back().step.time.total) {
      ++out.too_slow;
      continue;
    }
    one.step = simulate_step(one.spec, system);
    ++out.simulated;
    const auto place =
        std::ranges::upper_bound(out.best, one.step.time.total, {},
                                 [](const Candidate& known) { return known.step.time.total; });
    out.best.insert(place, std::move(one));
    if (out.best.size() > choices.best) out.best.pop_back();
  }
}

void add_sensitivity(const system::SystemSpec& system, Plan& out) {
  const TrainingSpec& spec = out.best.empty() ? out.given.spec : out.best.front().spec;
  const auto with = [&](const char* change, const std::function<void(system::SystemSpec&)>& set) {
    system::SystemSpec changed = system;
    set(changed);
    out.sensitivity.push_back({change, simulate_step(spec, changed).time.total});
  };
  if (system.cluster == nullptr && spec.ranks() > system.network.gpus_per_node) {
    with("half the network rate",
         [](auto& s) { s.network.nic = ByteRate(s.network.nic.count() / 2); });
    with("twice the network rate",
         [](auto& s) { s.network.nic = ByteRate(s.network.nic.count() * 2); });
  }
  with("memory bandwidth + 20 %", [](auto& s) {
    auto& rate = s.gpu.kernel.memory.dram_bandwidth;
    rate = ByteRate(rate.count() * 1.2);
  });
  with("power limit + 20 %",
       [](auto& s) { s.gpu.power.limit = Power(s.gpu.power.limit.count() * 1.2); });
  with("launches take no time",
       [](auto& s) { s.host.launch_cost = s.host.collective_cost = Duration(0); });
}

}  // namespace

Bytes usable_memory(const gpu::GpuSpec& gpu) { return llm::reported_memory(gpu.memory); }

std::string recompute_text(const Recomputation& recompute) {
  std::string out(text_of(recompute.granularity));
  if (recompute.granularity == Granularity::kFull && recompute.layers > 0) {
    out += fmt::format(" of {} layers", recompute.layers);
  }
  return out;
}

std::string layout_text(const TrainingSpec& spec) {
  std::string out =
      fmt::format("tensor {}, pipeline {}", spec.tensor_parallel_size, spec.pipeline_parallel_size);
  if (spec.virtual_pipeline_size > 1) out += fmt::format(" x {}", spec.virtual_pipeline_size);
  if (spec.context_parallel_size > 1) {
    out += fmt::format(", context {}", spec.context_parallel_size);
  }
  if (spec.expert_parallel_size > 1) out += fmt::format(", expert {}", spec.expert_parallel_size);
  return out + fmt::format(", data {}, ZeRO {}, micro batch {}, recompute {}",
                           spec.data_parallel_size, spec.zero_stage, spec.micro_batch_size,
                           recompute_text(spec.recompute));
}

Plan make_plan(const config::TrainingCase& training, const system::SystemSpec& system,
               const std::optional<PlanChoices>& choices,
               const std::function<void(double)>& progress) {
  Plan out;
  out.memory = usable_memory(system.gpu);
  out.given.spec = training.spec;
  check(training.spec);
  if (training.hardware.gpus != training.spec.ranks()) {
    throw ConfigError::value(
        training.where, "hardware.gpus", std::to_string(training.hardware.gpus),
        fmt::format("the product of [training]'s tensor, context, pipeline and data sizes, {}",
                    training.spec.ranks()));
  }
  out.given.memory = largest_memory(training.spec);
  out.given.step = simulate_step(training.spec, system);
  out.given_fits = out.given.memory.total() <= out.memory;
  if (!out.given_fits) out.nearest = nearest_that_fits(training.spec, out.memory);
  if (choices) search(training.spec, system, *choices, training.hardware.gpus, progress, out);
  if (out.given_fits || !out.best.empty()) add_sensitivity(system, out);
  if (training.goodput) {
    out.goodput = goodput(read_goodput(*training.goodput), training.spec.ranks(), training.seed);
  }
  return out;
}

}  // namespace septet::training
