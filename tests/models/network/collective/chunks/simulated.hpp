// Collectives over all GPUs of a topology, simulated chunk by chunk.
#pragma once

#include <numeric>

#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/chunks/chunk_simulation.hpp"
#include "models/network/topology/shape_text.hpp"
#include "tests/models/network/topology/networks.hpp"

namespace septet::network {

using enum program::CollectiveOp;
using enum program::CollectiveAlgorithm;

inline CollectiveRequest over_all(const Topology& topology, program::CollectiveOp op,
                                  program::CollectiveAlgorithm algorithm, Bytes bytes) {
  CollectiveRequest request{.op = op, .bytes = bytes, .gpus = {}, .algorithm = algorithm};
  request.gpus.resize(topology.gpu_count());
  std::iota(request.gpus.begin(), request.gpus.end(), 0U);
  return request;
}

inline ChunkResult simulate(const Topology& topology, program::CollectiveOp op,
                            program::CollectiveAlgorithm algorithm, Bytes bytes,
                            const ChunkWork& work = {}, Bytes tree_chunk = kTreeChunk) {
  Router router(topology);
  const AlgorithmPlan plan =
      algorithm_plan(router, over_all(topology, op, algorithm, bytes), tree_chunk);
  return simulate_chunks(router, plan, work);
}

// kPlainLink: 50 GB/s, 20 ps a byte, and 500 ns.
constexpr Duration kLatency = Duration(500'000);
constexpr Duration transfer(std::int64_t bytes) { return Duration(20 * bytes); }

}  // namespace septet::network
