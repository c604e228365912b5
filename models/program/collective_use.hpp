// Collective operations of a Program: communicators and their collectives.
//
// Each rank of a group makes its own call; calls are matched by their order on each rank, those of
// kSend and kReceive by their order for each pair of sender and receiver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/none.hpp"
#include "core/base/quantity.hpp"
#include "models/program/collective_terms.hpp"

namespace septet::program {

constexpr Duration kModelled{-1};  // a cost or duration that the model works out

struct Communicator {
  std::string name;
  std::vector<std::uint32_t> devices;  // by rank
};

struct Collective {
  std::string name;  // of its kernel in traces; empty: the operation's
  std::uint32_t communicator = 0;
  CollectiveOp op = CollectiveOp::kAllReduce;
  Bytes bytes{};          // as in CollectiveRequest (models/network)
  std::string data_type;  // of its elements, for messages and traces; ranks must agree
  std::uint32_t peer = 0;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kAuto;
  CollectiveProtocol protocol = CollectiveProtocol::kAuto;
  std::uint32_t channels = 0;     // 0: what the tuner picks
  Duration recorded = kModelled;  // from the arrival of the last rank to the end
  auto operator<=>(const Collective&) const = default;
};

// "all_reduce of 4096 B (bf16)", "send of 64 B to rank 3"
std::string collective_text(const Collective& collective);

// "communicator 'tp'", or "communicator 3" where it has no name.
std::string communicator_text(const Communicator& communicator, std::uint32_t index);

}  // namespace septet::program
