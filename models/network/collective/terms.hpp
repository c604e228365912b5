// Names of collective operations, algorithms and protocols, as files and outputs spell them.
#pragma once

#include <optional>
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

}  // namespace septet
