// Collectives of NCCL on the GPUs of one node.
#pragma once

#include "models/network/collective/collective.hpp"
#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

// Between the end of a kernel and the start of a collective behind it in a graph.
Duration collective_node_gap(const gpu::GpuSpec& gpu);

// An all-reduce over the first `gpus` GPUs of a node without reduction in the switch.
network::CollectivePlan plain_all_reduce(const gpu::GpuSpec& gpu, std::uint32_t gpus, Bytes bytes);

std::vector<CaseKind> nccl_cases();
std::vector<CaseKind> overlap_cases();

}  // namespace septet::validation
