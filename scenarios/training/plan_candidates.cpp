#include "scenarios/training/plan_candidates.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace septet::training {
namespace {

using Sizes = std::vector<std::uint32_t>;

Sizes powers_up_to(std::uint32_t most) {
  Sizes out;
  for (std::uint32_t size = 1; size <= most; size *= 2) out.push_back(size);
  return out;
}

Sizes divisors_of(std::uint32_t number, std::uint32_t most) {
  Sizes out;
  for (std::uint32_t d = 1; d <= std::min(number, most); ++d) {
    if (number % d == 0) out.push_back(d);
  }
  return out;
}

Sizes or_else(const Sizes& chosen, Sizes otherwise) {
  return chosen.empty() ? std::move(otherwise) : chosen;
}

// Every layout that divides model, batch and GPUs.
class Candidates {
 public:
  Candidates(const TrainingSpec& given, const PlanChoices& choices, std::uint32_t gpus,
             std::uint32_t node)
      : given_(given), choices_(choices), gpus_(gpus), node_(node) {
    batch_ = choices.global_batch_size;
    if (batch_ == 0) batch_ = static_cast<std::uint32_t>(std::llround(given.global_batch()));
  }

  std::vector<TrainingSpec> all() {
    const transformer::Model& model = given_.model;
    for (const std::uint32_t tensor : or_else(choices_.tensor, powers_up_to(node_))) {
      for (const std::uint32_t pipeline :
           or_else(choices_.pipeline, divisors_of(model.num_layers, gpus_ / tensor))) {
        for (const std::uint32_t context :
             or_else(choices_.context, {given_.context_parallel_size})) {
          spec_ = given_;
          spec_.tensor_parallel_size = tensor;
          spec_.sequence_parallel = tensor > 1;
          spec_.pipeline_parallel_size = pipeline;
          spec_.context_parallel_size = context;
          if (gpus_ % spec_.replica() != 0) continue;
          spec_.data_parallel_size = gpus_ / spec_.replica();
          with_experts();
        }
      }
    }
    return std::move(out_);
  }

 private:
  void with_experts() {
    const transformer::Experts& experts = spec_.model.experts;
    const Sizes sizes = experts.used()
                            ? or_else(choices_.expert, divisors_of(experts.num_experts, gpus_))
                            : Sizes{1};
    for (const std::uint32_t size : sizes) {
      spec_.expert_parallel_size = size;
      spec_.expert_tensor_parallel_size = 1;
      with_chunks();
    }
  }

  void with_chunks() {
    const std::uint32_t stages = spec_.pipeline_parallel_size;
    const Sizes sizes =
        stages == 1 ? Sizes{1}
                    : or_else(choices_.chunks, divisors_of(spec_.model.num_layers / stages, 16));
    for (const std::uint32_t size : sizes) {
      spec_.virtual_pipeline_size = size;
      with_batches();
    }
  }

  void with_batches() {
    for (const std::uint32_t micro : or_else(choices_.micro_batch, {1, 2, 4, 8})) {
      const std::uint32_t each = micro * spec_.data_parallel_size;
      if (batch_ % each != 0) continue;
      spec_.micro_batch_size = micro;
      spec_.num_microbatches = batch_ / each;
      if (spec_.virtual_pipeline_size > 1 &&
          spec_.num_microbatches % spec_.pipeline_parallel_size != 0) {
        continue;  // Megatron-LM asks for it
      }
      with_sharing();
    }
  }

  void with_sharing() {
    for (const std::uint32_t stage : or_else(choices_.zero_stage, {1, 3})) {
      if (stage > 1 && spec_.pipeline_parallel_size > 1) continue;
      spec_.zero_stage = stage;
      spec_.shard_size = 0;
      std::vector<std::string> recompute = choices_.recompute;
      if (recompute.empty()) recompute = {"none", "selective", "full"};
      for (const std::string& text : recompute) add(*from_text<Granularity>(text));
    }
  }

  void add(Granularity granularity) {
    spec_.recompute = {};
    spec_.recompute.granularity = granularity;
    if (granularity == Granularity::kSelective) {
      spec_.recompute.attention = !spec_.style.flash_attention;
      spec_.recompute.activation = spec_.style.flash_attention;
      spec_.recompute.up_projection = spec_.model.latent.used();
    }
    try {
      check(spec_);
    } catch (const ConfigError&) {
      return;  // it doesn't divide
    }
    out_.push_back(spec_);
  }

  const TrainingSpec& given_;
  const PlanChoices& choices_;
  const std::uint32_t gpus_;
  const std::uint32_t node_;
  std::uint32_t batch_ = 0;
  TrainingSpec spec_;
  std::vector<TrainingSpec> out_;
};

using Changes = std::vector<std::pair<std::string, TrainingSpec>>;

void compute_all_again(TrainingSpec& spec) { spec.recompute = {.granularity = Granularity::kFull}; }

Changes changes_of(const TrainingSpec& given) {
  Changes changes;
  const auto with = [&](std::string name, const std::function<void(TrainingSpec&)>& set) {
    TrainingSpec changed = given;
    set(changed);
    changes.emplace_back(std::move(name), std::move(changed));
  };
  if (given.zero_stage == 0) with("zero_stage = 1", [](auto& s) { s.zero_stage = 1; });
  with("recompute.granularity = \"selective\" of activation and norm",
       [](auto& s) { s.recompute = {.granularity = Granularity::kSelective, .activation = true}; });
  if (given.micro_batch_size % 2 == 0) {
    with(fmt::format("micro_batch_size = {}", given.micro_batch_size / 2), [](auto& s) {
      s.micro_batch_size /= 2;
      s.num_microbatches *= 2;
    });
  }
  with("recompute.granularity = \"full\"", compute_all_again);
  if (given.pipeline_parallel_size == 1) {
    with("zero_stage = 3", [](auto& s) { s.zero_stage = 3; });
    with("zero_stage = 3 and recompute.granularity = \"full\"", [](auto& s) {
      s.zero_stage = 3;
      compute_all_again(s);
    });
  }
  for (const bool again : {false, true}) {
    if (given.data_parallel_size % 2 != 0) break;
    const char* also = again ? " and recompute.granularity = \"full\"" : "";
    with(fmt::format("tensor_parallel_size = {}{}", given.tensor_parallel_size * 2, also),
         [&](auto& s) {
           s.tensor_parallel_size *= 2;
           s.sequence_parallel = true;
           s.data_parallel_size /= 2;
           s.num_microbatches *= 2;
           if (again) compute_all_again(s);
         });
    with(fmt::format("pipeline_parallel_size = {}{}", given.pipeline_parallel_size * 2, also),
         [&](auto& s) {
           s.pipeline_parallel_size *= 2;
           s.data_parallel_size /= 2;
           s.num_microbatches *= 2;
           if (again) compute_all_again(s);
         });
  }
  return changes;
}

}  // namespace

std::vector<TrainingSpec> plan_candidates(const TrainingSpec& given, const PlanChoices& choices,
                                          std::uint32_t gpus, std::uint32_t node) {
  return Candidates(given, choices, gpus, node).all();
}

std::string nearest_that_fits(const TrainingSpec& given, Bytes memory) {
  for (const auto& [name, spec] : changes_of(given)) {
    try {
      check(spec);
    } catch (const ConfigError&) {
      continue;
    }
    const MemoryUse use = largest_memory(spec);
    if (use.total() <= memory) return fmt::format("{}: {}", name, sum_text(use));
  }
  return {};
}

}  // namespace septet::training
