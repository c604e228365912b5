#include "scenarios/training/group_exchange.hpp"

#include <map>
#include <memory>
#include <tuple>

namespace septet::training {
namespace {

std::vector<std::uint32_t> every(std::uint32_t stride, std::uint32_t count) {
  std::vector<std::uint32_t> out(count);
  for (std::uint32_t i = 0; i < count; ++i) out[i] = i * stride;
  return out;
}

std::shared_ptr<const network::CollectiveModel> network_for(const TrainingSpec& spec,
                                                            const system::SystemSpec& system) {
  program::Program program;
  program.devices = spec.ranks();
  return system::network_of(system, program);
}

}  // namespace

std::vector<std::uint32_t> members(const TrainingSpec& spec, Group group) {
  const std::uint32_t tensor = spec.tensor_parallel_size;
  const std::uint32_t experts = spec.expert_tensor_parallel_size * spec.expert_parallel_size;
  switch (group) {
    case Group::kNone:
      return {};
    case Group::kTensor:
      return every(1, tensor);
    case Group::kContext:
      return every(tensor, spec.context_parallel_size);
    case Group::kPipeline:
      return every(tensor * spec.same_parameters(), std::min(2U, spec.pipeline_parallel_size));
    case Group::kData:
      return every(tensor, spec.same_parameters());
    case Group::kShard:
      return every(tensor, spec.shards());
    case Group::kReplica:
      return every(tensor * spec.shards(), spec.same_parameters() / spec.shards());
    case Group::kExpert:
      return every(spec.expert_tensor_parallel_size, spec.expert_parallel_size);
    case Group::kExpertTensor:
      return every(1, spec.expert_tensor_parallel_size);
    case Group::kExpertData:
      return every(experts, spec.same_experts());
  }
  return {};
}

ExchangeModel group_exchange(const TrainingSpec& spec, const system::SystemSpec& system) {
  using Key = std::tuple<Group, program::CollectiveOp, std::int64_t>;
  const auto network = network_for(spec, system);
  const auto known = std::make_shared<std::map<Key, ExchangeCost>>();
  const auto groups = std::make_shared<std::map<Group, std::vector<std::uint32_t>>>();
  return [=](Group group, program::CollectiveOp op, Bytes bytes) {
    const auto [cost, fresh] = known->try_emplace({group, op, bytes.count()});
    if (!fresh) return cost->second;
    const auto found = groups->find(group);
    const std::vector<std::uint32_t>& gpus =
        found != groups->end() ? found->second
                               : groups->emplace(group, members(spec, group)).first->second;
    if (gpus.size() < 2) return cost->second;
    network::CollectiveRequest request;
    request.op = op;
    request.bytes = bytes;
    request.gpus = gpus;
    if (op == program::CollectiveOp::kSendReceive) request.gpus.resize(2);
    const network::CollectivePlan plan = network->plan(request);
    cost->second = {plan.alone(), plan.channels};
    return cost->second;
  };
}

}  // namespace septet::training
