#include "scenarios/serving/kv_transfer_time.hpp"

#include <algorithm>

#include "models/workload/llm/memory_budget.hpp"

namespace septet::serving {
namespace {

std::uint32_t quotient_up(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

// A cluster of both pools, the decode replica first.
std::shared_ptr<const network::CollectiveModel> network_of(const system::SystemSpec& system,
                                                           std::uint32_t gpus) {
  program::Program program;
  program.devices = gpus;
  return system::network_of(system, program);
}

}  // namespace

NetworkKvTransfer::NetworkKvTransfer(const DisaggregationText& text,
                                     const system::SystemSpec& system,
                                     const llm::Deployment& decode, const llm::Deployment& prefill,
                                     std::uint32_t block_tokens)
    : decode_(decode),
      parts_(quotient_up(decode.layout.tensor, prefill.layout.tensor)),
      block_tokens_(block_tokens),
      block_time_(text.block_time),
      rate_(text.bandwidth),
      latency_(text.latency) {
  if (rate_) return;
  const std::uint32_t gpus = decode.layout.gpus();
  const std::uint32_t node = std::max(1U, system.network.gpus_per_node);
  sender_ = text.same_node ? gpus : quotient_up(gpus, node) * node;
  network_ = network_of(system, sender_ + prefill.layout.gpus());
}

Bytes NetworkKvTransfer::bytes(std::int64_t tokens) const {
  const auto count = static_cast<double>(tokens);
  return whole_bytes(llm::kv_bytes_per_token(decode_, count) * count);
}

Duration NetworkKvTransfer::move(Bytes bytes) const {
  if (rate_) return septet::transfer_time(bytes, *rate_);
  network::CollectiveRequest request;
  request.op = program::CollectiveOp::kSendReceive;
  request.bytes = bytes;
  request.gpus = {sender_, 0};
  return network_->plan(request).alone();
}

Duration NetworkKvTransfer::time(std::int64_t tokens) const {
  const std::int64_t blocks = (tokens + block_tokens_ - 1) / block_tokens_;
  return latency_ + move(bytes(tokens) * parts_) + block_time_ * blocks;
}

}  // namespace septet::serving
