// The parameters of one kind of GPU. Immutable; values and their sources are in `data/`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/gpu/kernel/kernel_spec.hpp"
#include "models/gpu/operators/operator_spec.hpp"
#include "models/gpu/power/power_spec.hpp"
#include "models/network/collective/collective_spec.hpp"

namespace septet::gpu {

// Stage 1: from the doorbell to a grid that is ready for distribution.
struct FrontEndSpec {
  std::uint32_t default_connections = 8;  // CUDA_DEVICE_MAX_CONNECTIONS when unset
  std::uint32_t max_connections = 32;
  std::uint32_t max_resident_grids = 128;
  Duration doorbell_latency{};  // doorbell written by the CPU -> command seen by the front end
  Duration command_interval{};  // interval between commands taken from one connection
  Duration launch_latency{};    // command seen, nothing to wait for -> blocks can be placed
  Duration launch_latency_per_connection{};  // more for each connection above the default
  Duration copy_launch_latency{};            // the same for a copy between host and device
  Duration memset_launch_latency{};          // the same for a memset that needs no kernel
  Duration record_latency{};                 // record seen -> event recorded, nothing to wait for
  Duration connection_hold{};  // how long a stream keeps its connection after its last start
  Duration engine_hop{};  // added between a kernel and a copy between host and device, either way
  Duration stream_gap{};  // end of a kernel -> start of the next one of its stream
  Duration triggered_stream_gap{};  // the same after a kernel that triggered its dependents early
  Duration trigger_latency{};       // trigger of a kernel -> its programmatic dependent starts
  Duration release_latency{};      // end of a kernel -> its dependent's griddepcontrol.wait returns
  Duration event_wait_latency{};   // event recorded -> the first waiting stream continues, at least
  Duration event_poll_interval{};  // polling interval of waiting connections
  Duration client_gap{};           // added to gaps for each other active client process (MPS)
  Duration graph_launch_latency{};   // graph command seen -> its root nodes can start
  Duration graph_gap{};              // end of a command -> first node of a graph behind it
  Duration graph_node_gap{};         // end of a node -> start of a node that depends on it alone
  Duration triggered_node_gap{};     // the same after a node that triggered its dependents early
  Duration node_trigger_latency{};   // like trigger_latency, between graph nodes
  Duration node_release_latency{};   // like release_latency, between graph nodes
  Duration graph_node_interval{};    // nodes that are ready together start this far apart
  Duration graph_fork_interval{};    // the same for the dependents of a node that has few of them
  std::uint32_t graph_fork_max = 0;  // largest number that counts as few
  Duration graph_fan_gap{};          // added after a node that has more
  Duration completion_latency{};     // last block ended -> the host sees it
};

// Stage 2: work distribution.
struct BlockSchedulerSpec {
  Duration block_interval{};  // interval between blocks leaving the block scheduler
  Duration block_overhead{};  // how long a block holds its resources in addition to its own work
  Duration block_overhead_per_warp{};  // added for each of its warps
};

// Stage 3: what one SM can hold.
struct SmSpec {
  std::uint32_t max_warps = 64;
  std::uint32_t max_blocks = 32;
  std::uint32_t max_threads_per_block = 1024;
  std::uint32_t registers = 65536;
  std::uint32_t max_registers_per_thread = 255;
  std::uint32_t register_allocation_unit = 256;  // registers, per warp
  std::uint32_t warp_allocation_granularity = 4;
  Bytes shared_memory{};
  Bytes shared_per_block_max{};
  Bytes shared_reserved_per_block{};
  Bytes shared_allocation_unit{};
  std::vector<Bytes> shared_carveouts;
};

// Copies between host and device and inside the device.
struct CopySpec {
  Duration host_to_device_latency{};  // start-up of one copy on its engine
  Duration device_to_host_latency{};
  Duration device_to_device_latency{};  // start-up of the kernel that copies
  Duration memset_latency{};
  Bytes staging_chunk{};  // pageable memory: bytes still to be copied when the call returns
  ByteRate host_to_device{};
  ByteRate device_to_host{};
  ByteRate device_to_device{};        // bytes copied per second, through the device memory
  ByteRate device_to_device_in_l2{};  // where source and target fit into the L2 cache
  ByteRate memset{};
  ByteRate memset_in_l2{};
};

// A persistent kernel's work queue in host memory.
struct QueueSpec {
  Duration read_round_trip{};   // a block reads host memory
  Duration fence_round_trip{};  // it writes host memory and waits until the write has arrived
};

// Several processes on one GPU without MPS are time-sliced.
struct TimeSliceSpec {
  Duration slice{};                  // time slice of a process while others wait
  Duration switch_time{};            // cost of a switch
  Duration switch_time_per_block{};  // added for each resident block whose state is saved
};

// How the SMs can be divided among green contexts and MPS clients.
struct PartitionSpec {
  std::uint32_t min_sms = 1;           // of a green context, at least
  std::uint32_t sm_alignment = 1;      // of a green context, a multiple of this
  std::uint32_t client_alignment = 1;  // an MPS client's share is rounded up to a multiple of this
};

struct GpuSpec {
  std::string name;
  std::vector<std::string> aliases;
  std::uint32_t sm_count = 0;
  Frequency clock{};
  Bytes memory{};
  ByteRate memory_bandwidth{};
  Bytes l2{};
  FrontEndSpec front_end;
  BlockSchedulerSpec block_scheduler;
  SmSpec sm;
  KernelSpec kernel;  // stages 4 to 7
  TensorSpec tensor;
  OperatorSpec operators;
  PowerSpec power;
  CopySpec copy;
  QueueSpec queue;
  TimeSliceSpec time_slice;
  PartitionSpec partition;
  network::CollectiveSpec collective;  // its links, and the communication library on it
};

// The SMs that an MPS client with a share (more than 0, at most 1) of the SMs may use.
inline std::uint32_t client_sms(const GpuSpec& spec, double share) {
  constexpr double kRounding = 1e-9;  // 0.07 of 100 SMs is 7, not 8
  const auto wanted = static_cast<std::uint32_t>(std::ceil(share * spec.sm_count - kRounding));
  const std::uint32_t unit = spec.partition.client_alignment;
  return std::min(spec.sm_count, (wanted + unit - 1) / unit * unit);
}

}  // namespace septet::gpu
