// The cost of API calls on a kind of host. Immutable; values and their sources are in `data/`.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/quantity.hpp"

namespace septet::host {

struct HostSpec {
  std::string name;
  Duration launch_cost{};               // one kernel launch
  Duration programmatic_launch_cost{};  // one with the programmatic attribute
  Duration first_launch_extra{};        // the first submission after a synchronisation costs more
  Duration first_device_copy_extra{};   // and more, if it is a copy or memset by a kernel
  Duration stream_switch_extra{};       // a submission to another stream than the thread's last one
  Duration graph_launch_cost{};         // one graph launch of a small graph
  std::uint32_t graph_nodes_free = 0;   // nodes included in the launch cost
  Duration graph_launch_cost_per_node{};  // each further node
  Duration graph_instantiate_cost{};
  Duration graph_instantiate_cost_per_node{};
  Duration graph_upload_cost{};
  Duration graph_upload_cost_per_node{};
  Duration copy_cost{};         // an asynchronous copy between host and device
  Duration inline_copy_cost{};  // one of data that go through the command stream
  Duration device_copy_cost{};  // a copy inside the device
  Duration memset_cost{};       // a memset by a kernel
  Duration inline_memset_cost{};
  Bytes inline_memset_max{};        // largest memset that needs no kernel
  Bytes inline_copy_max{};          // largest copy whose data are sent in the command stream
  ByteRate inline_copy_rate{};      // rate at which the CPU writes such data
  ByteRate pageable_copy_rate{};    // staging pageable memory through pinned buffers
  ByteRate pageable_cached_rate{};  // the same if the data are in the CPU's caches
  Bytes pageable_cached_max{};      // largest size for which they are
  ByteRate pageable_read_rate{};    // from the device to pageable memory
  Duration record_cost{};
  Duration wait_cost{};
  Duration queue_access_cost{};            // a store to, or a load from, a queue in host memory
  Duration synchronize_cost{};             // a synchronisation with nothing to wait for
  Duration api_cost{};                     // any other call
  Duration collective_cost{};              // a collective through a framework
  Duration peer_copy_cost{};               // a copy between GPUs through a framework
  Duration wake_latency{};                 // completion visible in host memory -> the call returns
  Duration driver_lock_time{};             // part of a submission that holds the driver lock
  Duration lock_handover{};                // taking the lock from another thread costs more
  std::uint32_t pending_launches_max = 0;  // launches of a stream before the CPU blocks
};

}  // namespace septet::host
