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
      count("max_resident_grids", &S::max_resident_grids, "grids on the GPU at once", 1, 65536),
      latency("doorbell_latency", &S::doorbell_latency,
              "doorbell written by the CPU to command seen by the front end"),
      latency("command_interval", &S::command_interval,
              "the front end takes one command per connection this often"),
      latency("launch_latency", &S::launch_latency,
              "command at the head with its dependencies met to blocks that can be placed"),
      latency("launch_latency_per_connection", &S::launch_latency_per_connection,
              "more for each connection above the default number"),
      latency("copy_launch_latency", &S::copy_launch_latency,
              "the same of a copy between host and device"),
      latency("memset_launch_latency", &S::memset_launch_latency,
              "the same of a memset that needs no kernel"),
      latency("record_latency", &S::record_latency,
              "record seen to event recorded where nothing is waited for"),
      latency("connection_hold", &S::connection_hold,
              "a stream keeps its connection this long after its last command started"),
      latency("engine_hop", &S::engine_hop,
              "from a kernel to a copy between host and device, and back"),
      latency("stream_gap", &S::stream_gap, "end of a kernel to start of the next of its stream"),
      latency("triggered_stream_gap", &S::triggered_stream_gap,
              "the same after a kernel that triggered its dependents early"),
      latency("trigger_latency", &S::trigger_latency,
              "trigger of a kernel to start of its programmatic dependent"),
      latency("release_latency", &S::release_latency,
              "end of a kernel to return of its dependent's griddepcontrol.wait"),
      latency("event_wait_latency", &S::event_wait_latency,
              "event recorded to the first waiting stream going on, at least"),
      latency("event_poll_interval", &S::event_poll_interval,
              "waiting connections are looked at in turn, this far apart"),
      latency("client_gap", &S::client_gap,
              "added to the gaps for each other active client process (MPS)"),
  };
}

Fields<gpu::FrontEndSpec> graph_fields() {
  using S = gpu::FrontEndSpec;
  return {
      latency("graph_launch_latency", &S::graph_launch_latency,
              "graph command at the head to start of its root nodes"),
      latency("graph_gap", &S::graph_gap,
              "end of a command to first node of a graph behind it in its stream"),
      latency("graph_node_gap", &S::graph_node_gap,
              "end of a node to start of a node that depends on it alone"),
      latency("triggered_node_gap", &S::triggered_node_gap,
              "the same after a node that triggered its dependents early"),
      latency("node_trigger_latency", &S::node_trigger_latency,
              "as trigger_latency, between nodes"),
      latency("node_release_latency", &S::node_release_latency,
              "as release_latency, between nodes"),
      latency("graph_node_interval", &S::graph_node_interval,
              "between the starts of nodes that are ready together"),
      latency("graph_fork_interval", &S::graph_fork_interval,
              "the same for the dependents of a node that has few of them"),
      count("graph_fork_max", &S::graph_fork_max, "how many dependents are few", 1, 1024),
      latency("graph_fan_gap", &S::graph_fan_gap, "added after a node that has more dependents"),
      latency("completion_latency", &S::completion_latency,
              "last block ended to completion seen by the host"),
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
              "between two blocks leaving the block scheduler"),
      latency("block_overhead", &S::block_overhead,
              "a block holds its room this long besides its own work"),
      latency("block_overhead_per_warp", &S::block_overhead_per_warp,
              "and this much longer for each of its warps"),
  };
  return rows;
}

const Fields<gpu::SmSpec>& sm_fields() {
  using S = gpu::SmSpec;
  static const Fields<S> rows = {
      count("max_warps", &S::max_warps, "warps resident on an SM", 1, 1024),
      count("max_blocks", &S::max_blocks, "blocks resident on an SM", 1, 1024),
      count("max_threads_per_block", &S::max_threads_per_block, "threads of a block", 1, 65536),
      count("registers", &S::registers, "32-bit registers of an SM", 1, 1U << 24),
      count("max_registers_per_thread", &S::max_registers_per_thread, "registers of a thread", 1,
            1024),
      count("register_allocation_unit", &S::register_allocation_unit,
            "registers are granted to a warp in multiples of this", 1, 65536),
      count("warp_allocation_granularity", &S::warp_allocation_granularity,
            "warps of a block are granted in multiples of this", 1, 64),
      size("shared_memory", &S::shared_memory, "shared memory of an SM", Bytes(1)),
      size("shared_per_block_max", &S::shared_per_block_max, "shared memory of one block",
           Bytes(1)),
      size("shared_reserved_per_block", &S::shared_reserved_per_block,
           "shared memory that the system keeps in each block", Bytes(0)),
      size("shared_allocation_unit", &S::shared_allocation_unit,
           "shared memory is granted in multiples of this", Bytes(1)),
      required(field("shared_carveouts", &S::shared_carveouts,
                     "sizes that the shared memory of an SM may be set to")),
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
           "pageable memory: what is still to copy when the call ends", Bytes(0)),
      rate("host_to_device", &S::host_to_device, "pinned host memory to device memory"),
      rate("device_to_host", &S::device_to_host, "device memory to pinned host memory"),
      rate("device_to_device", &S::device_to_device, "bytes copied per second inside the device"),
      rate("device_to_device_in_l2", &S::device_to_device_in_l2,
           "the same where source and target fit into the L2 cache"),
      rate("memset", &S::memset, "bytes set per second by a memset"),
      rate("memset_in_l2", &S::memset_in_l2, "the same where the target fits into the L2 cache"),
  };
  return rows;
}

const Fields<gpu::QueueSpec>& queue_fields() {
  using S = gpu::QueueSpec;
  static const Fields<S> rows = {
      latency("read_round_trip", &S::read_round_trip, "a block reads host memory"),
      latency("fence_round_trip", &S::fence_round_trip,
              "a block writes host memory and waits until the write has arrived"),
  };
  return rows;
}

const Fields<gpu::TimeSliceSpec>& time_slice_fields() {
  using S = gpu::TimeSliceSpec;
  static const Fields<S> rows = {
      latency("slice", &S::slice, "how long a process keeps the GPU while others wait"),
      latency("switch_time", &S::switch_time, "from one process to the next"),
      latency("switch_time_per_block", &S::switch_time_per_block,
              "more for each resident block whose state is moved"),
  };
  return rows;
}

const Fields<gpu::PartitionSpec>& partition_fields() {
  using S = gpu::PartitionSpec;
  static const Fields<S> rows = {
      count("min_sms", &S::min_sms, "SMs of a green context, at least", 1, 4096),
      count("sm_alignment", &S::sm_alignment, "SMs of a green context: a multiple of this", 1,
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
                       "stage 1, command submission: from the doorbell to a grid that can start")),
      required(section("block_scheduler", &S::block_scheduler, block_scheduler_fields,
                       "stage 2, work distribution: blocks to SMs")),
      required(section("sm", &S::sm, sm_fields, "stage 3, warp creation: what one SM holds")),
      required(section("kernel", &S::kernel, kernel_model_fields,
                       "stages 4 to 7: time of kernels described by their instructions")),
      required(section("tensor", &S::tensor, tensor_fields, "matrix arithmetic of one SM")),
      required(section("operators", &S::operators, operator_fields,
                       "kernels of the libraries that operators run")),
      required(section("power", &S::power, power_fields, "board power and the clock it allows")),
      required(section("copy", &S::copy, copy_fields, "copies and memsets")),
      required(section("queue", &S::queue, queue_fields,
                       "work queues of persistent kernels in host memory")),
      required(section("time_slice", &S::time_slice, time_slice_fields,
                       "several processes that take turns")),
      required(section("partition", &S::partition, partition_fields,
                       "how the SMs can be divided among green contexts and MPS clients")),
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
              "added to it if it is a copy or memset by a kernel"),
      latency("stream_switch_extra", &S::stream_switch_extra,
              "added to a submission to another stream than the thread's last"),
      latency("graph_launch_cost", &S::graph_launch_cost, "CPU time of launching a small graph"),
      count("graph_nodes_free", &S::graph_nodes_free, "nodes up to this many cost nothing more", 0,
            1U << 24),
      latency("graph_launch_cost_per_node", &S::graph_launch_cost_per_node,
              "CPU time of each further node"),
      latency("graph_instantiate_cost", &S::graph_instantiate_cost,
              "CPU time of instantiating a graph"),
      latency("graph_instantiate_cost_per_node", &S::graph_instantiate_cost_per_node,
              "and of each of its nodes"),
      latency("graph_upload_cost", &S::graph_upload_cost, "CPU time of uploading a graph"),
      latency("graph_upload_cost_per_node", &S::graph_upload_cost_per_node,
              "and of each of its nodes"),
  };
}

// Copies, and all other calls.
Fields<host::HostSpec> host_call_fields() {
  using S = host::HostSpec;
  return {
      latency("copy_cost", &S::copy_cost, "CPU time of a copy between host and device"),
      latency("inline_copy_cost", &S::inline_copy_cost,
              "CPU time of a copy of host data that go through the command stream"),
      latency("device_copy_cost", &S::device_copy_cost, "CPU time of a copy inside the device"),
      latency("memset_cost", &S::memset_cost, "CPU time of a memset by a kernel"),
      latency("inline_memset_cost", &S::inline_memset_cost,
              "CPU time of a memset without a kernel"),
      size("inline_memset_max", &S::inline_memset_max, "memsets up to this size need no kernel",
           Bytes(0)),
      size("inline_copy_max", &S::inline_copy_max,
           "host data up to this size go through the command stream", Bytes(0)),
      rate("inline_copy_rate", &S::inline_copy_rate, "at which the CPU writes them"),
      rate("pageable_copy_rate", &S::pageable_copy_rate,
           "copies of pageable memory, staged through pinned buffers"),
      rate("pageable_cached_rate", &S::pageable_cached_rate,
           "the same where the data are in the CPU's caches"),
      size("pageable_cached_max", &S::pageable_cached_max, "up to this size they are", Bytes(0)),
      rate("pageable_read_rate", &S::pageable_read_rate, "from the device to pageable memory"),
      latency("record_cost", &S::record_cost, "CPU time of recording an event"),
      latency("wait_cost", &S::wait_cost, "CPU time of making a stream wait for an event"),
      latency("queue_access_cost", &S::queue_access_cost,
              "CPU time of a store to or a look at a queue in host memory"),
      latency("synchronize_cost", &S::synchronize_cost,
              "CPU time of a synchronisation that finds nothing to wait for"),
      latency("api_cost", &S::api_cost, "CPU time of any other call"),
      latency("collective_cost", &S::collective_cost,
              "CPU time of a call of a collective, through a framework such as PyTorch; a step's "
              "`cost` replaces it"),
      latency("peer_copy_cost", &S::peer_copy_cost,
              "CPU time of a copy between GPUs through such a framework, waiting included"),
      latency("wake_latency", &S::wake_latency,
              "completion visible in host memory to the waiting call's return"),
      latency("driver_lock_time", &S::driver_lock_time,
              "part of a submission that holds the driver lock"),
      latency("lock_handover", &S::lock_handover, "added to taking the lock from another thread"),
      count("pending_launches_max", &S::pending_launches_max,
            "pending launches of a stream before the CPU blocks", 1, 1U << 24),
  };
}

}  // namespace

const Fields<host::HostSpec>& host_fields() {
  static const Fields<host::HostSpec> rows = concatenated(host_launch_fields(), host_call_fields());
  return rows;
}

}  // namespace septet::config
