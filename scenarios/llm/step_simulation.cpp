#include "scenarios/llm/step_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "models/gpu/power/power.hpp"
#include "scenarios/system/run_program.hpp"

namespace septet::llm {
namespace {

constexpr std::uint64_t kRepeated = 6;  // layers of a kind after which all add the same

std::shared_ptr<const network::CollectiveModel> network_for(const system::SystemSpec& system,
                                                            std::uint32_t gpus) {
  if (gpus == 1) return nullptr;
  program::Program program;
  program.devices = gpus;
  return system::network_of(system, program);
}

// What one of `parts` has of a batch.
StepShape part_of(StepShape shape, std::uint32_t parts) {
  double sequences = 0;
  for (const AttentionGroup& group : shape.groups) {
    sequences += static_cast<double>(group.sequences);
  }
  const double share = std::min<double>(parts, std::max(1.0, sequences));
  if (share == 1) return shape;
  shape.rows = std::ceil(shape.rows / share);
  shape.sampled = std::ceil(shape.sampled / share);
  for (AttentionGroup& group : shape.groups) {
    const auto each = static_cast<double>(group.sequences) / share;
    if (each < 1) group.queries = std::max(1.0, group.queries * each);
    group.sequences = static_cast<std::uint64_t>(std::max(1.0, std::ceil(each)));
  }
  return shape;
}

}  // namespace

StepLaunch step_launch(const system::SystemSpec& system, Style style,
                       serving::Execution execution) {
  StepLaunch out;
  out.execution = execution;
  out.call = std::max(system.host.collective_cost, system.host.launch_cost);
  out.launch = system.host.launch_cost;
  out.end_outside = style != Style::kPyTorch;
  return out;
}

Duration wall_of(const system::SystemSpec& system, std::span<const TimedStep> steps,
                 const StepLaunch& launch) {
  const program::Program program = step_program(steps, launch);
  system::SystemSpec untraced = system;
  untraced.traced_gpus = 0;
  system::System run(program, untraced);
  run.run({});
  const Extent extent = run.extent();
  return extent.last - extent.first;
}

Duration wall_of(const system::SystemSpec& system, TimedStep step, const StepLaunch& launch) {
  std::vector<std::uint64_t> more;  // layers beyond those that are simulated, by part
  for (TimedPart& part : step.parts) {
    more.push_back(part.times - std::min(part.times, kRepeated));
    part.times = std::min(part.times, kRepeated);
  }
  const auto simulated = [&] { return wall_of(system, std::span(&step, 1), launch); };
  const Duration few = simulated();
  Duration out = few;
  for (std::size_t p = 0; p < more.size(); ++p) {
    if (more[p] == 0) continue;
    ++step.parts[p].times;
    out += (simulated() - few) * static_cast<std::int64_t>(more[p]);
    --step.parts[p].times;
  }
  return out;
}

StepSimulation::StepSimulation(system::SystemSpec system, Deployment deployment,
                               StepOptions options)
    : system_(std::move(system)),
      model_(system_.gpu, std::move(deployment)),
      options_(options),
      network_(network_for(system_, model_.deployment().layout.gpus())) {}

Duration StepSimulation::exchange(const transformer::Exchange& exchange) const {
  const Layout& layout = model_.deployment().layout;
  network::CollectiveRequest request;
  request.op = exchange.op;
  request.bytes = exchange.bytes;
  request.gpus.resize(exchange.group == transformer::Group::kTensor ? layout.tensor
                                                                    : layout.expert_gpus());
  std::iota(request.gpus.begin(), request.gpus.end(), 0U);
  return network_->plan(request).alone() + system_.gpu.collective.node_extra;
}

Duration StepSimulation::hand_over(const StepShape& shape) const {
  const Deployment& deployment = model_.deployment();
  network::CollectiveRequest request;
  request.op = program::CollectiveOp::kSendReceive;
  request.bytes = Bytes(static_cast<std::int64_t>(shape.rows * deployment.model.hidden_size *
                                                  transformer::kActivation));
  request.gpus = {0, deployment.layout.tensor * deployment.layout.data};
  return network_->plan(request).alone() + system_.gpu.collective.node_extra;
}

StepTime StepSimulation::stage(const StepShape& shape, serving::Execution execution,
                               std::uint32_t stage) const {
  TimedStep step = timed_step(
      system_.gpu, model_.parts(shape, stage),
      [&](const transformer::Exchange& one) { return exchange(one); }, options_.load);
  const StepLaunch launch = step_launch(system_, model_.deployment().style, execution);
  StepTime out{{}, step.clock, step.activity, step.limiter};
  out.wall = options_.exact ? wall_of(system_, std::span(&step, 1), launch)
                            : wall_of(system_, std::move(step), launch);
  return out;
}

StepTime StepSimulation::step(const StepShape& shape, serving::Execution execution) const {
  const std::uint32_t stages = model_.deployment().layout.pipeline;
  const StepShape part = part_of(shape, stages);
  StepTime out = stage(part, execution, 0);
  for (std::uint32_t s = 1; s < stages; ++s) {
    const StepTime next = stage(part, execution, s);
    if (next.wall > out.wall) out = next;
  }
  if (stages > 1) out.wall = (out.wall + hand_over(part)) * stages;
  return out;
}

// A stage has a part of the batch for each stage. The activity's rates over that time are those at
// the clock that the step runs at, whatever bounds it.
serving::Energy StepSimulation::energy(const StepTime& step) const {
  const gpu::PowerSpec& power = system_.gpu.power;
  const Layout& layout = model_.deployment().layout;
  const gpu::Activity& activity = step.activity;
  const gpu::LoadPower load =
      gpu::load_power(power, activity, step.wall / std::int64_t{layout.pipeline});
  const Power busy = gpu::board_power(power, load, ratio(step.clock, system_.gpu.clock));
  const Power above = busy - gpu::board_power(power, {}, 1);
  return serving::Energy(above.count() * to_seconds(step.wall) * layout.tensor * layout.pipeline);
}

SimulatedStepCost::SimulatedStepCost(system::SystemSpec system, Deployment deployment,
                                     StepOptions options)
    : options_(options), simulation_(std::move(system), std::move(deployment), options) {}

serving::StepUse SimulatedStepCost::of(const StepShape& shape, serving::Execution execution) const {
  Key key = {static_cast<double>(execution), shape.rows, shape.sampled};
  for (const AttentionGroup& group : shape.groups) {
    key.insert(key.end(), {group.prefill ? 1.0 : 0.0, static_cast<double>(group.sequences),
                           group.queries, group.keys});
  }
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end() && !options_.exact) return found->second;
  }
  const StepTime step = simulation_.step(shape, execution);
  const serving::StepUse use{step.wall, simulation_.energy(step)};
  const std::lock_guard lock(mutex_);
  ++simulated_;
  return known_.emplace(std::move(key), use).first->second;
}

serving::StepUse SimulatedStepCost::use(std::span<const serving::Batch> ranks) const {
  double rows = 0;
  for (const serving::Batch& rank : ranks) rows = std::max(rows, shape_of(rank).rows);
  serving::StepUse out;
  for (const serving::Batch& rank : ranks) {
    if (rank.entries.empty()) continue;  // an idle rank waits for the others
    StepShape shape = shape_of(rank);
    shape.rows = rows;
    const serving::StepUse one =
        of(rounded(std::move(shape), options_.exact ? 0 : options_.rounding), rank.execution);
    out.time = std::max(out.time, one.time);
    out.energy += one.energy;
  }
  return out;
}

std::size_t SimulatedStepCost::simulated() const {
  const std::lock_guard lock(mutex_);
  return simulated_;
}

}  // namespace septet::llm
