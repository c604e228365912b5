#include "scenarios/capacity/remedy.hpp"

#include <fmt/format.h>

namespace septet::capacity {
namespace {

using transformer::NumberFormat;

constexpr std::uint32_t kMostGpus = 16;  // of a replica
constexpr double kUp = 1.001;

struct Change {
  std::uint32_t tensor_parallel_size = 1;
  bool narrow = false;  // weights in fp8

  std::string text() const {
    const std::string gpus = fmt::format("serving.tensor_parallel_size = {}", tensor_parallel_size);
    return narrow ? "serving.weights = \"fp8\", " + gpus : gpus;
  }
};

bool helps(const Change& change, const Option& option, const serving::ServingConfiguration& base,
           const serving::Libraries& libraries, const requests::Workload& workload) {
  Option tried{option.gpu, option.engine, change.tensor_parallel_size};
  tried.settings = option.settings;
  if (change.narrow) {
    tried.settings.push_back({"serving.weights", {std::string("fp8"), base.text.place.where()}});
  }
  tried = option_with(base, libraries, std::move(tried));
  const bool fits = !tried.removed_by || *tried.removed_by == Bound::kMaxGpus;
  if (!fits) return false;
  if (tried.removed_by)
    tried.costs = serving::costs_of(*tried.of, tried.configuration->text.serving);
  tried.removed_by.reset();
  bound_by_longest_request(tried, workload);
  if (!tried.removed_by) bound_by_request_alone(tried, workload, base.text.slo);
  return !tried.removed_by;
}

bool is_wide(const Option& option) {
  const auto& weights = option.configuration->text.serving.weights;
  return !weights || *weights == NumberFormat::kBf16;
}

}  // namespace

std::string remedy_of(const Option& option, const serving::ServingConfiguration& base,
                      const serving::Libraries& libraries, const requests::Workload& workload) {
  const Bound bound = *option.removed_by;
  if (bound != Bound::kMemory && bound != Bound::kRequestAlone && bound != Bound::kLongest) {
    return "";
  }
  const std::uint32_t now = option.tensor_parallel_size;
  for (std::uint32_t gpus = now; gpus <= kMostGpus; gpus *= 2) {
    for (const bool narrow : {false, true}) {
      if (narrow ? !is_wide(option) : gpus == now) continue;
      const Change change{gpus, narrow};
      if (helps(change, option, base, libraries, workload)) return change.text();
    }
  }
  if (!option.missed) return "";
  // Rounded up, to a limit that it meets.
  return fmt::format("slo.{} = \"{:.4g} ms\"", option.missed->key, 1000 * kUp * option.missed->got);
}

}  // namespace septet::capacity
