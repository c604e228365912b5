#include "scenarios/explain/operator_explain.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "scenarios/explain/elasticity.hpp"
#include "scenarios/explain/operator_advice.hpp"
#include "scenarios/explain/operator_model.hpp"
#include "scenarios/explain/validated_range.hpp"

namespace septet::explain {
namespace {

// The GPU at the clock that the load leaves, which no further load lowers.
gpu::GpuSpec at_clock(const gpu::GpuSpec& gpu, Frequency clock) {
  constexpr double kNoLimit = 1e9;  // watts
  gpu::GpuSpec out = gpu;
  out.clock = clock;
  out.power.limit = Power(kNoLimit);
  return out;
}

// Shares of the time by group, which add up to 1.
std::vector<double> shares_by_group(const gpu::GpuSpec& gpu, const config::WrittenOperator& op,
                                    Frequency clock) {
  const auto on = [&](const gpu::GpuSpec& changed) {
    return operator_answer(changed, op).time.time;
  };
  std::vector<double> shares = elasticities(at_clock(gpu, clock), on);
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= all;
  return shares;
}

StageTimes divided(const std::vector<double>& shares, Duration time) {
  StageTimes out;
  for (std::size_t g = 0; g < shares.size(); ++g) {
    out[hardware_groups()[g].stage] += scale(time, shares[g]);
  }
  out[Stage::kMemory] += time - out.total();  // picoseconds, by rounding
  return out;
}

gpu::KernelTime kernel_time_of(const gpu::GpuSpec& gpu, const gpu::OperatorTime& answer,
                               const std::vector<double>& shares, const StageTimes& stages) {
  gpu::KernelTime out;
  out.total = answer.time;
  out.dispatch = stages[Stage::kDistribution];
  out.creation = stages[Stage::kCreation];
  out.fetch = stages[Stage::kFetch];
  const BoundShares bounds = bound_shares(shares);
  out.issue = scale(answer.time, bounds.compute);
  out.dependency = stages[Stage::kExecution] - out.issue;
  out.memory = stages[Stage::kMemory];
  const auto most = std::max_element(shares.begin(), shares.end()) - shares.begin();
  out.limiter = hardware_groups()[static_cast<std::size_t>(most)].what;
  out.pipe = answer.activity.type == program::DataType::kFp32 ? program::Pipe::kFma
                                                              : program::Pipe::kTensor;
  const double seconds = to_seconds(answer.time);
  const gpu::MemorySpec& memory = gpu.kernel.memory;
  out.use.dram = answer.activity.dram_bytes / seconds / memory.dram_bandwidth.count();
  out.use.l2 = answer.activity.l2_bytes / seconds / memory.l2_bandwidth.count();
  out.dram_bytes = answer.activity.dram_bytes;
  return out;
}

KernelMetrics metrics_of_tiles(const gpu::KernelTime& time, const gpu::OperatorTime& answer,
                               const std::vector<double>& shares) {
  const gpu::Activity& activity = answer.activity;
  KernelMetrics out;
  out.kernel_time = time.total;
  out.bound = bound_of(time.limiter);
  out.shares = bound_shares(shares);
  const auto share = [&](Duration part) { return ratio(part, time.total); };
  out.stalls = {share(time.memory), 0, share(time.dependency), share(time.fetch),
                share(time.issue)};
  out.dram = std::min(1.0, time.use.dram);
  out.l2 = std::min(1.0, time.use.l2);
  out.memory_throughput = std::max(out.dram, out.l2);
  const double missed = activity.l2_bytes > 0 ? activity.dram_bytes / activity.l2_bytes : 0.0;
  out.l2_hit = std::clamp(1.0 - missed, 0.0, 1.0);
  out.dram_bytes = activity.dram_bytes;
  out.dram_bytes_per_second = activity.dram_bytes / to_seconds(time.total);
  out.arithmetic = arithmetic_of(activity.flops, activity.dram_bytes, time.total);
  return out;
}

Explanation explain_tiles(const gpu::GpuSpec& gpu, const config::WrittenOperator& op,
                          const gpu::OperatorTime& answer) {
  const std::vector<double> shares = shares_by_group(gpu, op, answer.clock);
  Explanation out;
  out.stages = divided(shares, answer.time);
  out.time = kernel_time_of(gpu, answer, shares, out.stages);
  out.metrics = metrics_of_tiles(out.time, answer, shares);
  out.clock = answer.clock;
  const auto most = std::max_element(shares.begin(), shares.end()) - shares.begin();
  out.most_sensitive_to = hardware_groups()[static_cast<std::size_t>(most)].name;
  return out;
}

}  // namespace

Explanation explain_operator(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                             const config::WrittenOperator& op) {
  const OperatorAnswer answer = operator_answer(gpu, op);
  Explanation out = answer.kernel ? explain(gpu, host, description_of(*answer.kernel))
                                  : explain_tiles(gpu, op, answer.time);
  out.gpu = gpu.name;
  out.ceilings = ceilings_of(gpu);
  out.title = operator_title(op);
  out.launch = answer.plan;
  out.stages[Stage::kSubmission] = submission_time(gpu, host);
  for (Advice& one : operator_advice(gpu, op, out.stages[Stage::kSubmission], answer.time.time)) {
    out.advice.push_back(std::move(one));
  }
  std::ranges::stable_sort(out.advice, std::greater(), &Advice::speedup);
  out.warnings = operator_warnings(gpu, op);
  return out;
}

}  // namespace septet::explain
