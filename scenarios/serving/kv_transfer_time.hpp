// The transfer of a prompt's keys and values from a prefill replica to a decode replica.
//
// Every GPU of the decode replica fetches its part (its layers, its heads, in the format of the
// cache) from one GPU of the prefill replica, all at the same time, as a send and receive of the
// network model between the nearest GPUs of the two pools; where a prefill replica has fewer GPUs,
// each sends several parts. Each KV block adds `block_time`: a descriptor for each layer and block,
// which is what small blocks cost.
#pragma once

#include <cstdint>
#include <memory>

#include "models/network/collective/collective_model.hpp"
#include "models/workload/llm/deployment.hpp"
#include "models/workload/serving/kv_transfer.hpp"
#include "scenarios/serving/serving_text.hpp"
#include "scenarios/system/system_spec.hpp"

namespace septet::serving {

class NetworkKvTransfer : public KvTransfer {
 public:
  // `system`: of the decode replica. Throws ConfigError where its network has too few GPUs.
  NetworkKvTransfer(const DisaggregationText& text, const system::SystemSpec& system,
                    const llm::Deployment& decode, const llm::Deployment& prefill,
                    std::uint32_t block_tokens);

  Duration time(std::int64_t tokens) const override;
  // Bytes that a GPU of the decode replica fetches of so many tokens.
  Bytes bytes(std::int64_t tokens) const;

 private:
  Duration move(Bytes bytes) const;

  llm::Deployment decode_;
  std::uint32_t parts_ = 1;  // that a GPU of the prefill replica sends
  std::uint32_t block_tokens_ = 1;
  Duration block_time_{};
  std::optional<ByteRate> rate_;  // instead of the network's
  Duration latency_{};
  std::shared_ptr<const network::CollectiveModel> network_;
  std::uint32_t sender_ = 0;
};

}  // namespace septet::serving
