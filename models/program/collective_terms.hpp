// Names of collective operations, algorithms and protocols in programs, networks and files.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/enum_texts.hpp"

namespace septet::program {

enum class CollectiveOp : std::uint8_t {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kAllToAll,
  kBroadcast,
  kSendReceive,  // every rank sends to the next one and receives from the one before
  kSend,         // to `peer`; meets that rank's kReceive
  kReceive       // from `peer`
};

constexpr auto enum_table(std::type_identity<CollectiveOp>) {
  return enum_texts<CollectiveOp>("all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                  "broadcast", "send_recv", "send", "recv");
}

// Between two ranks, each of which makes a call of its own kind.
constexpr bool point_to_point(CollectiveOp op) {
  return op == CollectiveOp::kSend || op == CollectiveOp::kReceive;
}

// Whether one rank, `peer` of a call, is where the data starts or ends.
constexpr bool has_root(CollectiveOp op) { return op == CollectiveOp::kBroadcast; }

// Whether `peer` of a call means something: the root of a broadcast, the partner of a send.
constexpr bool names_peer(CollectiveOp op) { return has_root(op) || point_to_point(op); }

enum class CollectiveAlgorithm : std::uint8_t {
  kAuto,  // what the tuner picks
  kRing,
  kTree,          // double binary tree
  kDirect,        // every rank with every other one
  kHierarchical,  // inside nodes, then between them
  kNvls,          // NVLink SHARP, reduction in the NVSwitch of one node
  kSharp          // reduction in the switches of the network
};

constexpr auto enum_table(std::type_identity<CollectiveAlgorithm>) {
  return enum_texts<CollectiveAlgorithm>("auto", "ring", "tree", "direct", "hierarchical", "nvls",
                                         "sharp");
}

enum class CollectiveProtocol : std::uint8_t {
  kAuto,
  kLowLatency,     // NCCL's LL: 4 bytes of flag with 4 of data
  kLowLatency128,  // NCCL's LL128: 120 of 128 bytes are data; NVLink only
  kSimple          // whole chunks, then a flag
};

constexpr auto enum_table(std::type_identity<CollectiveProtocol>) {
  return enum_texts<CollectiveProtocol>("auto", "ll", "ll128", "simple");
}

}  // namespace septet::program
