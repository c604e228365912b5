#include "models/workload/training/layer_cost.hpp"

#include <algorithm>

namespace septet::training {
namespace {

HostCost host_cost(const Style& style, const host::HostSpec& host) {
  const bool launches_alone = style.graphs == Graphs::kNone && style.framework != Framework::kXla;
  const Duration call = std::max(host.collective_cost, host.launch_cost);
  if (style.synchronous) {  // the next call begins when the kernel has ended
    return {call, host.collective_cost, host.launch_cost + host.wake_latency};
  }
  if (launches_alone) return {call, host.collective_cost};
  // A graph of a layer's modules is one launch; exchanges outside of it are calls.
  if (style.graphs == Graphs::kLayers) return {scale(host.launch_cost, 0.5), host.collective_cost};
  return {};
}

// Sharded layers are gathered each on its own; by DeepSpeed of 2021 each parameter on its own:
// weights and biases of four products and two norms.
double pieces_of(const Style& style) { return style.framework == Framework::kMegatron ? 12 : 1; }

// FSDP in Python: around each layer parameters are copied together, gathered, split, freed, and in
// the backward pass gradients as well; about so many calls in profiles of two GPUs
// (fsdp2-*-rank0.json).
Duration shard_hooks(const Style& style, std::uint32_t zero_stage, Duration call) {
  constexpr double kCalls = 50;
  const bool python =
      style.framework == Framework::kPyTorch || style.framework == Framework::kTorchCompile;
  return zero_stage == 3 && python ? scale(call, kCalls) : Duration(0);
}

void join(ExchangeCost& sum, const ExchangeCost& one) {
  sum.time += one.time;
  sum.channels = std::max(sum.channels, one.channels);
}

}  // namespace

LayerCosts::LayerCosts(const TrainingSpec& spec, const gpu::GpuSpec& gpu,
                       const host::HostSpec& host, const ExchangeModel& exchange)
    : spec_(spec),
      work_(stage_work(spec)),
      pricer_(gpu, host_cost(spec.style, host), spec.style.graphs, exchange) {
  settle();
  for (const LayerWork& kind : work_.kinds) layers_.push_back(of_layer(kind));
  embedding_ = {pricer_.cost(work_.embedding_forward), pricer_.cost(work_.embedding_backward),
                gather(work_.embedding_parameters, 0), reduce(work_.embedding_parameters, 0)};
  head_ = {pricer_.cost(work_.head_forward), pricer_.cost(work_.head_backward),
           gather(work_.embedding_parameters, 0), reduce(work_.embedding_parameters, 0)};
}

Duration LayerCosts::hand_over() const {
  return pricer_
      .exchange()(Group::kPipeline, program::CollectiveOp::kSendReceive, work_.activations)
      .time;
}

void LayerCosts::settle() {
  std::vector<std::pair<const WorkList*, double>> lists;
  std::vector<double> times(work_.kinds.size(), 0);
  for (const std::uint32_t kind : work_.layers) ++times[kind];
  for (std::size_t k = 0; k < times.size(); ++k) {
    lists.emplace_back(&work_.kinds[k].forward, times[k]);
    lists.emplace_back(&work_.kinds[k].backward, times[k]);
  }
  lists.emplace_back(&work_.head_forward, 1);
  lists.emplace_back(&work_.head_backward, 1);
  pricer_.settle(lists);
}

LayerCost LayerCosts::of_layer(const LayerWork& kind) const {
  LayerCost out = {pricer_.cost(kind.forward), pricer_.cost(kind.backward),
                   gather(kind.dense_parameters, kind.expert_parameters),
                   reduce(kind.dense_parameters, kind.expert_parameters)};
  const Duration hooks = shard_hooks(spec_.style, spec_.zero_stage, pricer_.host().kernel);
  out.forward.host += hooks;
  out.backward.host += hooks;
  return out;
}

// Pieces of a bucket cost their share of the whole bucket.
ExchangeCost LayerCosts::in_buckets(Group group, program::CollectiveOp op, double bytes) const {
  if (bytes <= 0) return {};
  const double bucket = spec_.zero_stage >= 2
                            ? bytes / pieces_of(spec_.style)
                            : std::max(bytes, static_cast<double>(spec_.bucket_size.count()));
  ExchangeCost out = pricer_.exchange()(group, op, Bytes(static_cast<std::int64_t>(bucket)));
  out.time = scale(out.time, bytes / bucket);
  return out;
}

ExchangeCost LayerCosts::gather(double dense, double experts) const {
  if (spec_.zero_stage == 0) return {};
  ExchangeCost out = in_buckets(Group::kShard, program::CollectiveOp::kAllGather, 2 * dense);
  join(out, in_buckets(Group::kExpertData, program::CollectiveOp::kAllGather, 2 * experts));
  return out;
}

ExchangeCost LayerCosts::reduce(double dense, double experts) const {
  const double size = spec_.style.reduce_in_fp32 ? 4 : 2;
  const bool shards = spec_.zero_stage > 0;
  const auto op =
      shards ? program::CollectiveOp::kReduceScatter : program::CollectiveOp::kAllReduce;
  ExchangeCost out = in_buckets(shards ? Group::kShard : Group::kData, op, size * dense);
  join(out, in_buckets(Group::kExpertData, op, size * experts));
  if (shards && spec_.shards() < spec_.same_parameters()) {
    join(out, in_buckets(Group::kReplica, program::CollectiveOp::kAllReduce,
                         size * dense / spec_.shards()));
  }
  return out;
}

}  // namespace septet::training
