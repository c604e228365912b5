// A serving engine without a clock: schedulers of one or more data-parallel ranks that step
// together, and what their steps take.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/workload/serving/batch.hpp"
#include "models/workload/serving/engine_spec.hpp"
#include "models/workload/serving/scheduler.hpp"

namespace septet::serving {

// Who computes: shared by engines, outlives none of them.
struct EngineCosts {
  std::shared_ptr<const StepCost> model{};
  std::shared_ptr<const StepCost> draft{};  // with speculation: one draft step
};

struct EngineStep {
  std::vector<StepPlan> ranks;
  Duration host{};
  Duration gpu{};
  Energy energy{};  // of the GPUs, beyond waiting
  std::int64_t prompt_tokens = 0;
  std::int64_t decodes = 0;
};

class Engine {
 public:
  Engine(const EngineSpec& spec, const EngineCosts& costs, std::uint64_t seed);

  // To the rank with the fewest sequences, the first of several.
  Entry add(const SequenceSpec& sequence);
  // Disaggregation (scheduler.hpp). `stage`: the tags of all that may come now.
  Entry receive(const SequenceSpec& sequence);
  std::vector<std::uint32_t> stage();
  void arrive(std::uint32_t tag, bool first_known);
  void release(std::uint32_t tag);
  // Plans a step; `out` has no entries where there is nothing to do.
  EngineStep plan();
  void complete(const EngineStep& step, std::vector<Emission>& out);

  const EngineSpec& spec() const { return spec_; }
  std::size_t waiting() const;
  std::size_t running() const;
  // The share of KV blocks in use, over all ranks.
  double cache_use() const;

 private:
  StepUse gpu_use(const EngineStep& step) const;
  StepUse draft_use(const EngineStep& step) const;
  Duration host_time(const EngineStep& step) const;

  EngineSpec spec_;
  EngineCosts costs_;
  std::vector<Scheduler> ranks_;
};

}  // namespace septet::serving
