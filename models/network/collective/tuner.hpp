// Which algorithm, protocol and number of channels the communication library picks.
//
// It predicts latency + bytes / rate for each and takes the least, as NCCL does: its own latencies
// and rates, which are not those that the hardware then shows. Messages too small for all channels
// use fewer. Source of tables, formulas and thresholds: NCCL 2.28, src/graph/tuning.cc
// (ncclTopoTuneModel, ncclTopoGetAlgoTime) and src/enqueue.cc (topoGetAlgoInfo), for one node.
//
// All-to-all and sends are not tuned: they go direct, by LL where a message is small.
// Ignored: tuner plugins, registered buffers, PCIe.
#pragma once

#include "models/network/collective/collective.hpp"
#include "models/network/collective/collective_spec.hpp"

namespace septet {

// All-to-all, and messages from one rank to another.
bool goes_direct(CollectiveOp op);

struct CollectiveChoice {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kRing;
  CollectiveProtocol protocol = CollectiveProtocol::kSimple;
  std::uint32_t channels = 1;
};

// `switch_reduces`: the node's switch reduces this operation's type (NVLS); NCCL uses that with
// more than two GPUs. What the request fixes is kept. Throws ConfigError naming
// GPUs and operation where nothing fits it.
CollectiveChoice tuned(const CollectiveSpec& spec, bool switch_reduces,
                       const CollectiveRequest& request);

// What the tuner predicts, in microseconds; nothing where the library can't do it so.
double tuner_estimate_us(const CollectiveSpec& spec, CollectiveOp op, CollectiveAlgorithm algorithm,
                         CollectiveProtocol protocol, std::uint32_t ranks, Bytes bytes);

}  // namespace septet
