// The specification of a system: hardware, and the network of its collectives.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "models/host/other_gpus.hpp"
#include "models/network/uniform/uniform_network.hpp"
#include "models/program/program.hpp"

namespace septet::system {

struct SystemSpec {
  gpu::GpuSpec gpu;
  host::HostSpec host;
  std::uint32_t connections = 0;  // CUDA_DEVICE_MAX_CONNECTIONS; 0: the GPU's default
  bool mps = false;               // processes share the SMs; without: they are time-sliced
  // Kernels with recorded durations that overlap slow each other
  // (models/gpu/execution/shared_run.hpp). Off where the recording's own durations contain it
  // already.
  bool recorded_share = false;
  std::vector<double> sm_shares;   // by process, with MPS: share of the SMs that it may use
  Duration peer_latency{500'000};  // one GPU's signal to another over NVLink or PCIe
  network::NetworkSpec network;    // over which collectives run, unless `cluster` is set
  std::shared_ptr<const network::CollectiveModel> cluster;
  std::uint32_t traced_gpus =
      kNone;                 // number of GPUs, from the first, whose rows are kept; kNone: all
  bool trace_links = false;  // rows of what the links of `cluster` carry
  std::vector<host::OtherGpus> others{};  // devices of other kinds, each node of one kind
};

// The hardware connections that the system has. Throws ModelError where the GPU has fewer.
std::uint32_t connection_count(const SystemSpec& system);

// The same for one kind of GPU, if this many are `wanted`; 0: the GPU's default.
std::uint32_t connections_of(std::uint32_t wanted, const gpu::GpuSpec& gpu);

// What the collectives of `program` run over. Throws ConfigError where it has fewer GPUs.
std::shared_ptr<const network::CollectiveModel> network_of(const SystemSpec& system,
                                                           const program::Program& program);

}  // namespace septet::system
