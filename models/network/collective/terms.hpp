// Which collective operations, algorithms and protocols go together.
#pragma once

#include <string>

#include "models/network/collective/collective.hpp"

namespace septet {

// Whether there is such an algorithm for the operation, on whatever network; kAuto always.
bool runs_as(CollectiveOp op, CollectiveAlgorithm algorithm);
// Whether `algorithm` can send by `protocol`, for such an operation; kAuto always.
bool goes_by(CollectiveOp op, CollectiveAlgorithm algorithm, CollectiveProtocol protocol);
// Throws ConfigError naming what it got and what fits where the algorithm or the protocol that the
// request fixes is not one of its operation.
void check_terms(const CollectiveRequest& request);
// What fits, for messages: "direct or hierarchical".
std::string algorithms_of(CollectiveOp op);
// "all_reduce of GPUs 0 1 2"
std::string gpus_text(const CollectiveRequest& request);

}  // namespace septet
