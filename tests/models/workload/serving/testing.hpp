// Schedulers driven by hand: what each step does, as text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/workload/serving/scheduler.hpp"

namespace septet::serving {

// "0:0+100>1 1:50+1>1": request, tokens in the cache, new tokens, tokens that come out.
inline std::string text_of(const StepPlan& plan) {
  std::string out;
  for (const Scheduled& entry : plan.entries) {
    out += fmt::format("{}{}:{}+{}", out.empty() ? "" : " ", entry.request, entry.context,
                       entry.tokens);
    if (entry.emitted > 0) out += fmt::format(">{}", entry.emitted);
  }
  return out;
}

// One step as an engine without overlap takes it.
inline std::string step(Scheduler& scheduler, std::vector<Emission>* emissions = nullptr) {
  const StepPlan plan = scheduler.plan();
  std::vector<Emission> out;
  scheduler.complete(plan, out);
  if (emissions != nullptr) *emissions = out;
  return text_of(plan);
}

inline std::vector<std::string> steps(Scheduler& scheduler, int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back(step(scheduler));
  return out;
}

using Lines = std::vector<std::string>;

// Blocks of 4 tokens, room for everything, budget 16.
inline SchedulerSpec small_spec() {
  SchedulerSpec spec;
  spec.max_num_batched_tokens = 16;
  spec.block_size = 4;
  spec.kv_blocks = 100;
  return spec;
}

}  // namespace septet::serving
