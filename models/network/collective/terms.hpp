// Names of collective operations, algorithms and protocols, as files and outputs spell them, and
// which of them go together.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/network/collective/collective.hpp"

namespace septet {

// "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "send_recv", "send",
// "recv".
std::string_view name_of(CollectiveOp op);
// "auto", "ring", "tree", "direct", "hierarchical", "nvls", "sharp".
std::string_view name_of(CollectiveAlgorithm algorithm);
// "auto", "ll", "ll128", "simple".
std::string_view name_of(CollectiveProtocol protocol);

// Nothing for any other name.
std::optional<CollectiveOp> collective_op_named(std::string_view name);
std::optional<CollectiveAlgorithm> collective_algorithm_named(std::string_view name);
std::optional<CollectiveProtocol> collective_protocol_named(std::string_view name);

// Whether there is such an algorithm for the operation, on whatever network; kAuto always.
bool runs_as(CollectiveOp op, CollectiveAlgorithm algorithm);
// Whether `algorithm` can send by `protocol`, for such an operation; kAuto always.
bool goes_by(CollectiveOp op, CollectiveAlgorithm algorithm, CollectiveProtocol protocol);
// Whether `peer` of a request means something: the root of a broadcast, the partner of a send.
bool names_peer(CollectiveOp op);
// What fits, for messages: "direct or hierarchical".
std::string algorithms_of(CollectiveOp op);
// "all_reduce of GPUs 0 1 2"
std::string gpus_text(const CollectiveRequest& request);

}  // namespace septet
