#include <nlohmann/json.hpp>

#include "tools/septet/training/plan_report.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

Json layout_json(const training::TrainingSpec& spec) {
  return {{"tensor_parallel_size", spec.tensor_parallel_size},
          {"context_parallel_size", spec.context_parallel_size},
          {"pipeline_parallel_size", spec.pipeline_parallel_size},
          {"virtual_pipeline_size", spec.virtual_pipeline_size},
          {"data_parallel_size", spec.data_parallel_size},
          {"expert_parallel_size", spec.expert_parallel_size},
          {"zero_stage", spec.zero_stage},
          {"micro_batch_size", spec.micro_batch_size},
          {"num_microbatches", spec.num_microbatches},
          {"recompute", text_of(spec.recompute.granularity)}};
}

Json memory_json(const training::MemoryUse& use) {
  return {{"parameters", use.parameters.count()},
          {"gradients", use.gradients.count()},
          {"optimizer", use.optimizer.count()},
          {"activations", use.activations.count()},
          {"logits", use.logits.count()},
          {"gathered", use.gathered.count()},
          {"fragmentation", use.fragmentation.count()},
          {"outside", use.outside.count()},
          {"total", use.total().count()}};
}

Json parts_json(const training::StepTime& time) {
  Json out;
  for (std::size_t p = 0; p < kEnumSize<training::Part>; ++p) {
    out[std::string(text_of(static_cast<training::Part>(p)))] = to_us(time.parts[p]);
  }
  return out;
}

Json candidate_json(const training::Candidate& one) {
  return {{"layout", layout_json(one.spec)},
          {"step_us", to_us(one.step.time.total)},
          {"tokens_per_s_gpu", one.step.rate.tokens_per_second / one.spec.ranks()},
          {"model_flops_utilization", one.step.rate.utilization},
          {"pipeline_share", one.step.time.bubble},
          {"sm_clock_mhz", one.step.time.clock.count() / 1e6},
          {"gpu_power_w", one.step.time.power.count()},
          {"gpu_energy_j", one.step.time.power.count() * to_seconds(one.step.time.total)},
          {"parts_us", parts_json(one.step.time)},
          {"memory_bytes", memory_json(one.memory)}};
}

Json goodput_json(const training::Goodput& what) {
  return {{"useful", what.useful},
          {"least", what.least},
          {"repeated", what.repeated},
          {"checkpoints", what.checkpoints},
          {"waiting", what.waiting},
          {"failures", what.failures},
          {"interval_s", to_seconds(what.interval)},
          {"useful_by_day", what.by_day}};
}

}  // namespace

Json plan_json(const training::Plan& plan) {
  Json out;
  out["given"] = candidate_json(plan.given);
  out["fits"] = plan.given_fits;
  out["nearest"] = plan.nearest.empty() ? Json(nullptr) : Json(plan.nearest);
  out["gpu_memory_bytes"] = plan.memory.count();
  out["considered"] = plan.considered;
  out["too_large"] = plan.too_large;
  out["too_slow"] = plan.too_slow;
  out["simulated"] = plan.simulated;
  out["best"] = Json::array();
  for (const training::Candidate& one : plan.best) out["best"].push_back(candidate_json(one));
  out["sensitivity"] = Json::array();
  for (const training::Sensitivity& one : plan.sensitivity) {
    out["sensitivity"].push_back({{"change", one.change}, {"step_us", to_us(one.step)}});
  }
  if (plan.goodput) out["goodput"] = goodput_json(*plan.goodput);
  return out;
}

}  // namespace septet::command
