#include "scenarios/config/hardware/hardware_fields.hpp"

#include "scenarios/config/hardware/hardware_rows.hpp"

namespace septet::config {
namespace {

template <class Spec>
Fields<Spec> concatenated(Fields<Spec> first, const Fields<Spec>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

Fields<gpu::FrontEndSpec> stream_fields() {
  using S = gpu::FrontEndSpec;
  return {
      count("default_connections", &S::default_connections,
            "hardware connections where CUDA_DEVICE_MAX_CONNECTIONS is unset", 1, 1024),
      count("max_connections", &S::max_connections, "largest value of CUDA_DEVICE_MAX_CONNECTIONS",
            1, 1024),
      count("max_resident_grids", &S::max_resident_grids, "maximum resident grids", 1, 65536),
      latency("doorbell_latency", &S::doorbell_latency,
              "from the CPU's doorbell write until the front end sees the command"),
      latency("command_interval", &S::command_interval,
              "interval between commands of a connection"),
      latency(
          "launch_latency", &S::launch_latency,
          "from a command at the head with its dependencies met until its blocks can be placed"),
      latency("launch_latency_per_connection", &S::launch_latency_per_connection,
              "added for each connection above the default number"),
      latency("copy_launch_latency", &S::copy_launch_latency,
              "the same for a copy between host and device"),
      latency("memset_launch_latency", &S::memset_launch_latency,
              "the same for a memset that needs no kernel"),
      latency("record_latency", &S::record_latency,
              "from a record at the head until the event is recorded, if nothing is pending"),
      latency("connection_hold", &S::connection_hold,
              "how long a stream keeps its connection after its last command has started"),
      latency("engine_hop", &S::engine_hop,
              "added between a kernel and a copy between host and device, either way"),
      latency("stream_gap", &S::stream_gap, "from a kernel's end to the next start in its stream"),
      latency("triggered_stream_gap", &S::triggered_stream_gap,
              "the same after a kernel that triggered its dependents early"),
      latency("trigger_latency", &S::trigger_latency,
              "from a kernel's trigger to the start of its programmatic dependent"),
      latency("release_latency", &S::release_latency,
              "from the end of a kernel to the return of its dependent's griddepcontrol.wait"),
      latency("event_wait_latency", &S::event_wait_latency,
              "minimum time from an event's record until the first waiting stream continues"),
      latency("event_poll_interval", &S::event_poll_interval,
              "interval at which waiting connections are polled in turn"),
      latency("client_gap", &S::client_gap, "gap added per other active MPS client"),
  };
}

Fields<gpu::FrontEndSpec> graph_fields() {
  using S = gpu::FrontEndSpec;
  return {
      latency("graph_launch_latency", &S::graph_launch_latency,
              "from a graph command at the head to the start of its root nodes"),
      latency("graph_gap", &S::graph_gap,
              "from the end of a command to the first node of a graph queued behind it"),
      latency("graph_node_gap", &S::graph_node_gap,
              "from the end of a node to the start of its only dependent"),
      latency("triggered_node_gap", &S::triggered_node_gap,
              "the same after a node that triggered its dependents early"),
      latency("node_trigger_latency", &S::node_trigger_latency,
              "like trigger_latency, between graph nodes"),
      latency("node_release_latency", &S::node_release_latency,
              "like release_latency, between graph nodes"),
      latency("graph_node_interval", &S::graph_node_interval,
              "interval between the starts of nodes that become ready together"),
      latency("graph_fork_interval", &S::graph_fork_interval,
              "the same for the dependents of a node that has few of them"),
      count("graph_fork_max", &S::graph_fork_max, "largest number of dependents that counts as few",
            1, 1024),
      latency("graph_fan_gap", &S::graph_fan_gap, "added after a node that has more dependents"),
      latency("completion_latency", &S::completion_latency,
              "from the end of the last block until the host sees the completion"),
  };
}

}  // namespace

const Fields<gpu::FrontEndSpec>& front_end_fields() {
  static const Fields<gpu::FrontEndSpec> rows = concatenated(stream_fields(), graph_fields());
  return rows;
}

const Fields<gpu::BlockSchedulerSpec>& block_scheduler_fields() {
  using S = gpu::BlockSchedulerSpec;
  static const Fields<S> rows = {
      latency("block_interval", &S::block_interval,
              "interval between blocks leaving the block scheduler"),
      latency("block_overhead", &S::block_overhead,
              "how long a block holds its resources in addition to its own work"),
      latency("block_overhead_per_warp", &S::block_overhead_per_warp,
              "added for each warp of the block"),
  };
  return rows;
}

const Fields<gpu::SmSpec>& sm_fields() {
  using S = gpu::SmSpec;
  static const Fields<S> rows = {
      count("max_warps", &S::max_warps, "maximum resident warps per SM", 1, 1024),
      count("max_blocks", &S::max_blocks, "maximum resident blocks per SM", 1, 1024),
      count("max_threads_per_block", &S::max_threads_per_block, "threads of a block", 1, 65536),
      count("registers", &S::registers, "32-bit registers of an SM", 1, 1U << 24),
      count("max_registers_per_thread", &S::max_registers_per_thread, "registers of a thread", 1,
            1024),
      count("register_allocation_unit", &S::register_allocation_unit,
            "allocation granularity of registers, per warp", 1, 65536),
      count("warp_allocation_granularity", &S::warp_allocation_granularity,
            "allocation granularity of warps, per block", 1, 64),
      size("shared_memory", &S::shared_memory, "shared memory of an SM", Bytes(1)),
      size("shared_per_block_max", &S::shared_per_block_max, "shared memory of one block",
           Bytes(1)),
      size("shared_reserved_per_block", &S::shared_reserved_per_block,
           "shared memory per block reserved by the system", Bytes(0)),
      size("shared_allocation_unit", &S::shared_allocation_unit,
           "allocation granularity of shared memory", Bytes(1)),
      required(
          field("shared_carveouts", &S::shared_carveouts, "possible shared memory sizes of an SM")),
  };
  return rows;
}

const Fields<gpu::CopySpec>& copy_fields() {
  using S = gpu::CopySpec;
  static const Fields<S> rows = {
      latency("host_to_device_latency", &S::host_to_device_latency,
              "start-up of a copy to the device"),
      latency("device_to_host_latency", &S::device_to_host_latency,
              "start-up of a copy to the host"),
      latency("device_to_device_latency", &S::device_to_device_latency,
              "start-up of the kernel that copies inside the device"),
      latency("memset_latency", &S::memset_latency, "start-up of a memset"),
      size("staging_chunk", &S::staging_chunk,
           "pageable memory: bytes still to be copied when the call returns", Bytes(0)),
      rate("host_to_device", &S::host_to_device, "pinned host memory to device memory"),
      rate("device_to_host", &S::device_to_host, "device memory to pinned host memory"),
      rate("device_to_device", &S::device_to_device, "bytes copied per second inside the device"),
      rate("device_to_device_in_l2", &S::device_to_device_in_l2,
           "the same if source and destination fit in the L2 cache"),
      rate("memset", &S::memset, "bytes set per second by a memset"),
      rate("memset_in_l2", &S::memset_in_l2, "the same if the destination fits in the L2 cache"),
  };
  return rows;
}

const Fields<gpu::QueueSpec>& queue_fields() {
  using S = gpu::QueueSpec;
  static const Fields<S> rows = {
      latency("read_round_trip", &S::read_round_trip, "read of host memory by a block"),
      latency("fence_round_trip", &S::fence_round_trip,
              "write to host memory by a block, with a fence"),
  };
  return rows;
}

const Fields<gpu::TimeSliceSpec>& time_slice_fields() {
  using S = gpu::TimeSliceSpec;
  static const Fields<S> rows = {
      latency("slice", &S::slice, "time slice of a process while others wait"),
      latency("switch_time", &S::switch_time, "cost of a switch to another process"),
      latency("switch_time_per_block", &S::switch_time_per_block,
              "added for each resident block whose state is saved"),
  };
  return rows;
}

const Fields<gpu::PartitionSpec>& partition_fields() {
  using S = gpu::PartitionSpec;
  static const Fields<S> rows = {
      count("min_sms", &S::min_sms, "minimum SMs of a green context", 1, 4096),
      count("sm_alignment", &S::sm_alignment, "SMs of a green context are a multiple of this", 1,
            4096),
      count("client_alignment", &S::client_alignment,
            "SMs of an MPS client: its share, rounded up to a multiple of this", 1, 4096),
  };
  return rows;
}

const Fields<gpu::GpuSpec>& gpu_fields() {
  using S = gpu::GpuSpec;
  static const Fields<S> rows = {
      count("sm_count", &S::sm_count, "streaming multiprocessors", 1, 4096),
      required(ranged("clock", &S::clock, "SM clock under load",
                      between(Frequency(1e6), Frequency(1e11)))),
      size("memory", &S::memory, "device memory", Bytes(1)),
      rate("memory_bandwidth", &S::memory_bandwidth, "peak bandwidth of device memory"),
      size("l2", &S::l2, "L2 cache", Bytes(1)),
      required(section("front_end", &S::front_end, front_end_fields,
                       "stage 1, command submission: from the doorbell until a grid can start")),
      required(section("block_scheduler", &S::block_scheduler, block_scheduler_fields,
                       "stage 2, work distribution: assignment of blocks to SMs")),
      required(section("sm", &S::sm, sm_fields, "stage 3, warp creation: capacity of an SM")),
      required(section("kernel", &S::kernel, kernel_model_fields,
                       "stages 4 to 7: time of kernels described by their instructions")),
      required(section("tensor", &S::tensor, tensor_fields, "matrix arithmetic of one SM")),
      required(
          section("operators", &S::operators, operator_fields, "library kernels of operators")),
      required(
          section("power", &S::power, power_fields, "board power, and the clock that it allows")),
      required(section("copy", &S::copy, copy_fields, "copies and memsets")),
      required(section("queue", &S::queue, queue_fields,
                       "work queues of persistent kernels in host memory")),
      required(
          section("time_slice", &S::time_slice, time_slice_fields, "time slicing of processes")),
      required(section("partition", &S::partition, partition_fields,
                       "how SMs can be partitioned among green contexts and MPS clients")),
      required(section("collective", &S::collective, collective_fields,
                       "links to other GPUs and the communication library")),
  };
  return rows;
}

namespace {

Fields<host::HostSpec> host_launch_fields() {
  using S = host::HostSpec;
  return {
      latency("launch_cost", &S::launch_cost, "CPU time of a kernel launch"),
      latency("programmatic_launch_cost", &S::programmatic_launch_cost,
              "CPU time of a launch with the programmatic attribute"),
      latency("first_launch_extra", &S::first_launch_extra,
              "added to the first submission after a synchronisation"),
      latency("first_device_copy_extra", &S::first_device_copy_extra,
              "added to that if it is a copy or memset by a kernel"),
      latency("stream_switch_extra", &S::stream_switch_extra,
              "added if the thread's previous submission went to another stream"),
      latency("graph_launch_cost", &S::graph_launch_cost, "CPU time of launching a small graph"),
      count("graph_nodes_free", &S::graph_nodes_free, "nodes included in the launch cost", 0,
            1U << 24),
      latency("graph_launch_cost_per_node", &S::graph_launch_cost_per_node,
              "CPU time of each further node"),
      latency("graph_instantiate_cost", &S::graph_instantiate_cost,
              "CPU time of instantiating a graph"),
      latency("graph_instantiate_cost_per_node", &S::graph_instantiate_cost_per_node,
              "added for each of its nodes"),
      latency("graph_upload_cost", &S::graph_upload_cost, "CPU time of uploading a graph"),
      latency("graph_upload_cost_per_node", &S::graph_upload_cost_per_node,
              "added for each of its nodes"),
  };
}

// Copies, and all other calls.
Fields<host::HostSpec> host_call_fields() {
  using S = host::HostSpec;
  return {
      latency("copy_cost", &S::copy_cost, "CPU time of a copy between host and device"),
      latency("inline_copy_cost", &S::inline_copy_cost,
              "CPU time of a small copy whose data are sent in the command stream"),
      latency("device_copy_cost", &S::device_copy_cost, "CPU time of a copy inside the device"),
      latency("memset_cost", &S::memset_cost, "CPU time of a memset by a kernel"),
      latency("inline_memset_cost", &S::inline_memset_cost,
              "CPU time of a memset without a kernel"),
      size("inline_memset_max", &S::inline_memset_max, "largest memset that needs no kernel",
           Bytes(0)),
      size("inline_copy_max", &S::inline_copy_max,
           "largest copy whose data are sent in the command stream", Bytes(0)),
      rate("inline_copy_rate", &S::inline_copy_rate, "rate at which the CPU writes such data"),
      rate("pageable_copy_rate", &S::pageable_copy_rate,
           "copies of pageable memory, staged through pinned buffers"),
      rate("pageable_cached_rate", &S::pageable_cached_rate,
           "the same if the data are in the CPU's caches"),
      size("pageable_cached_max", &S::pageable_cached_max, "largest size for which they are",
           Bytes(0)),
      rate("pageable_read_rate", &S::pageable_read_rate,
           "copies from the device to pageable memory"),
      latency("record_cost", &S::record_cost, "CPU time of recording an event"),
      latency("wait_cost", &S::wait_cost, "CPU time of a stream's wait for an event"),
      latency("queue_access_cost", &S::queue_access_cost,
              "CPU time of a store to, or a load from, a queue in host memory"),
      latency("synchronize_cost", &S::synchronize_cost,
              "CPU time of a synchronisation with nothing to wait for"),
      latency("api_cost", &S::api_cost, "CPU time of any other call"),
      latency("collective_cost", &S::collective_cost,
              "CPU time of a collective call through a framework such as PyTorch; a step's `cost` "
              "overrides it"),
      latency("peer_copy_cost", &S::peer_copy_cost,
              "CPU time of a peer-to-peer copy through such a framework, including waiting"),
      latency("wake_latency", &S::wake_latency,
              "from a completion visible in host memory to the return of the waiting call"),
      latency("driver_lock_time", &S::driver_lock_time, "driver lock time of a submission"),
      latency("lock_handover", &S::lock_handover, "added if another thread held the lock"),
      count("pending_launches_max", &S::pending_launches_max,
            "maximum pending launches of a stream; more block the CPU", 1, 1U << 24),
  };
}

}  // namespace

const Fields<host::HostSpec>& host_fields() {
  static const Fields<host::HostSpec> rows = concatenated(host_launch_fields(), host_call_fields());
  return rows;
}

}  // namespace septet::config
