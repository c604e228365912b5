// One collective over a topology, message by message, or analytically where that is exact: its
// simulated time, and the time of the simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/chunks/chunk_simulation.hpp"
#include "models/network/topology/topology.hpp"

namespace septet::command {

struct CollectiveOptions {
  // Without GPUs: all of the topology, in order. kAuto: what is estimated to be fastest.
  network::CollectiveRequest request;
  network::Routing routing = network::Routing::kRailAware;
  network::Forwarding forwarding = network::Forwarding::kCutThrough;
  Bytes tree_chunk = network::kTreeChunk;
  std::uint32_t layers = 1;  // collectives, one after the other
  Duration compute{};        // of each rank before each of them
  bool exact = false;        // every send is an event, also where an analytic method would do
  std::uint32_t links = 0;   // busiest links to report
  std::function<void(double fraction)> progress = {};  // of a message-by-message run, now and then
};

struct AlgorithmEstimate {
  program::CollectiveAlgorithm algorithm = program::CollectiveAlgorithm::kAuto;
  Duration time{};
};

struct CollectiveReport {
  struct LinkRow {
    std::string name;
    Bytes bytes{};
    double utilization = 0;  // bytes over what the link could have carried in the whole time
  };

  std::uint32_t gpus = 0;
  program::CollectiveAlgorithm algorithm = program::CollectiveAlgorithm::kAuto;
  std::vector<AlgorithmEstimate> estimates = {};  // where the algorithm was chosen by them
  std::string method = {};                        // "chunk-level", or the analytic method
  Duration simulated{};
  Duration above{};  // the analytic method's bound: at most this much too long
  std::uint64_t sends = 0;
  std::uint64_t events = 0;
  std::uint64_t digest = 0;
  double seconds = 0;
  std::vector<LinkRow> links = {};  // the busiest first
};

// ConfigError where group, algorithm and topology don't go together.
CollectiveReport run_collective(const network::Topology& topology,
                                const CollectiveOptions& options);

}  // namespace septet::command
