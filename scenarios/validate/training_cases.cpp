// Group train_public: published training steps, simulated by one GPU of each stage.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/training/plan.hpp"
#include "scenarios/validate/public_training.hpp"

namespace septet::validation {
namespace {

// Layouts that several rows share are simulated once.
class Steps {
 public:
  training::SimulatedStep of(const MeasuredRow& row, const system::SystemSpec& system) {
    const std::string key = system.gpu.name + row.case_->dump();
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    return known_
        .emplace(key, training::simulate_step(training_of(row), training_system(row, system)))
        .first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, training::SimulatedStep> known_;
};

// Rates of the hardware count what is computed again; those of Narayanan et al. (SC'21, section
// 3.2): 96 B s l h^2 (1 + s / 6h + V / 16lh), of which the second forward pass is a quarter.
double hardware_flops(const training::TrainingSpec& spec) {
  const double h = spec.model.hidden_size;
  const double l = spec.model.num_layers;
  const double s = spec.seq_length;
  const double passes = spec.recompute.granularity == training::Granularity::kFull ? 1.0 : 3.0 / 4;
  return passes * 96 * spec.global_batch() * s * l * h * h *
         (1 + s / (6 * h) + spec.model.vocab_size / (16 * l * h));
}

std::optional<double> answer(const std::string& metric, const training::TrainingSpec& spec,
                             const training::SimulatedStep& step) {
  const double seconds = to_seconds(step.time.total);
  const double each = seconds * spec.ranks();
  if (metric == "step_s") return seconds;
  if (metric == "tokens_per_s_gpu") return spec.global_batch() * spec.seq_length / each;
  if (metric == "hardware_tflops_gpu") return hardware_flops(spec) / each / 1e12;
  if (metric == "model_tflops_gpu") return step.rate.flops / each / 1e12;
  return std::nullopt;
}

// ", memory 61 of 79 GiB"
std::string memory_text(const training::TrainingSpec& spec, const gpu::GpuSpec& gpu) {
  const auto gibi = [](Bytes bytes) { return static_cast<double>(bytes.count()) / (1 << 30); };
  return fmt::format(", memory {:.0f} of {:.0f} GiB", gibi(training::largest_memory(spec).total()),
                     gibi(training::usable_memory(gpu)));
}

}  // namespace

std::string where_it_goes(const training::StepTime& time) {
  constexpr double kWorthSaying = 0.03;
  std::vector<std::pair<double, training::Part>> shares;
  for (std::size_t p = 0; p < kEnumSize<training::Part>; ++p) {
    const double share = to_seconds(time.parts[p]) / to_seconds(time.total);
    if (share >= kWorthSaying) shares.emplace_back(share, static_cast<training::Part>(p));
  }
  std::ranges::sort(shares, std::greater{});
  std::string out;
  for (const auto& [share, part] : shares) {
    out += fmt::format("{}{} {:.0f} %", out.empty() ? "" : ", ", text_of(part), 100 * share);
  }
  return out;
}

std::vector<CaseKind> training_cases() {
  const auto steps = std::make_shared<Steps>();
  const auto predict = [steps](const MeasuredRow& row, const system::SystemSpec& system) {
    const training::SimulatedStep step = steps->of(row, system);
    const training::TrainingSpec spec = training_of(row);
    const std::optional<double> value = answer(row.metric, spec, step);
    if (!value) return unsupported("no metric " + row.metric);
    return Prediction{value, where_it_goes(step.time) + memory_text(spec, system.gpu)};
  };
  return {{"train_public", "", predict}};
}

}  // namespace septet::validation
