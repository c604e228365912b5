#include "scenarios/config/program/scenario_fields.hpp"

#include "scenarios/config/hardware/hardware_fields.hpp"

namespace septet::config {
namespace {

constexpr std::uint32_t kMany = 1'000'000'000;
constexpr double kMostCycles = 1e9;

// The `set` of a what-if is overlaid on the scenario, so its keys are checked there.
Field<WhatIfText> set_field() {
  const auto read = [](const Reading& reading, Sources, WhatIfText&) {
    const ConfigValue::Table* table = reading.value.table();
    if (table == nullptr || table->empty()) reading.fail("a table of dotted keys and values");
  };
  return {{"set", "a table", "", "dotted keys with their values in this variation"}, read};
}

template <class Spec, class Member>
Field<Spec> count(std::string key, Member Spec::*member, std::string description) {
  return ranged(std::move(key), member, std::move(description), between(1U, kMany));
}

}  // namespace

const Fields<HardwareText>& hardware_choice_fields() {
  using S = HardwareText;
  static const Fields<S> rows = {
      required(field("gpu", &S::gpu, "name, alias or .toml file of a GPU profile")),
      field("host", &S::host,
            "name, alias or .toml file of a host profile; default: the GPU profile's own"),
      ranged("gpus", &S::gpus, "number of GPUs; default 1", between(1U, 1U << 20)),
      ranged("connections", &S::connections,
             "hardware connections (CUDA_DEVICE_MAX_CONNECTIONS); default: the profile's",
             at_least(1U)),
      field("mps", &S::mps,
            "true: processes share the SMs (MPS); default false: they are time-sliced"),
      ranged("traced_gpus", &S::traced_gpus,
             "number of GPUs, from the first, shown in traces and summaries; default: all",
             at_least(1U)),
      field(
          "recorded_share", &S::recorded_share,
          "true: durations were recorded with the GPU to the kernel alone, so kernels that overlap "
          "compete for SMs and slow each other down; default false: they keep their durations"),
      list("other", &S::others, other_gpus_fields, "GPUs of other kinds, whole nodes of them"),
  };
  return rows;
}

const Fields<RunSettings>& run_fields() {
  using S = RunSettings;
  static const Fields<S> rows = {
      field("seed", &S::seed, "random seed; default 1"),
      ranged("end", &S::end,
             "simulated time at which to stop; the report counts unfinished work; default: when "
             "all work is done",
             at_least(Duration(1))),
  };
  return rows;
}

const Fields<RunSettings>& program_run_fields() {
  using S = RunSettings;
  static const Fields<S> rows = [] {
    Fields<S> out = run_fields();
    out.push_back(ranged("max_calls", &S::max_calls,
                         "calls of all threads above which a scenario is refused; default 16000000",
                         at_least(std::uint64_t{1})));
    out.push_back(ranged("max_graph_nodes", &S::max_graph_nodes,
                         "nodes of a graph, with those of the graphs inside, above which it is "
                         "refused; default 10000000",
                         at_least(std::uint64_t{1})));
    return out;
  }();
  return rows;
}

const Fields<ProcessText>& process_fields() {
  using S = ProcessText;
  static const Fields<S> rows = {
      required(ranged("index", &S::index, "index of the process", between(0U, 1023U))),
      ranged("sm_share", &S::sm_share,
             "with MPS: largest fraction of the SMs that it may use "
             "(CUDA_MPS_ACTIVE_THREAD_PERCENTAGE / 100); default 1",
             between(0.001, 1.0)),
  };
  return rows;
}

const Fields<GreenContextText>& green_context_fields() {
  using S = GreenContextText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the context")),
      required(ranged("sm_count", &S::sm_count, "SMs that the context owns", at_least(1U))),
      field("device", &S::device, "index of the GPU; default 0"),
      ranged("process", &S::process, "index of the process; default 0", between(0U, 1023U)),
  };
  return rows;
}

const Fields<StreamText>& stream_fields() {
  using S = StreamText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the stream, or of the group")),
      ranged("count", &S::count,
             "number of streams in a group NAME0, NAME1, ...; NAME refers to all of them",
             between(1U, 100'000U)),
      field("device", &S::device, "index of the GPU; default 0, or the context's"),
      ranged("process", &S::process, "index of the process; default 0, or the context's",
             between(0U, 1023U)),
      ranged("priority", &S::priority, "as in CUDA: lower numbers mean higher priority; default 0",
             between(-5, 0)),
      field("context", &S::context,
            "green context whose SMs it uses; default: all SMs available to its process"),
  };
  return rows;
}

const Fields<KernelText>& kernel_shape_fields() {
  using S = KernelText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the kernel")),
      required(field("grid", &S::grid, "blocks, in up to three dimensions")),
      required(field("block", &S::block, "threads of a block, in up to three dimensions")),
      ranged("registers", &S::registers, "registers per thread; default 16", between(1U, 1024U)),
      field("static_shared", &S::static_shared, "static shared memory per block; default 0 B"),
      field("dynamic_shared", &S::dynamic_shared, "dynamic shared memory per block; default 0 B"),
      ranged("once", &S::once,
             "with segments: one-time cycles per grid, such as the first fetch of code; default 0",
             between(0.0, kMostCycles)),
      ranged("wave", &S::wave,
             "with segments: one-time cycles per wave, such as filling and draining a pipeline; "
             "default 0",
             between(0.0, kMostCycles)),
  };
  return rows;
}

const Fields<KernelText>& kernel_fields() {
  using S = KernelText;
  static const Fields<S> rows = [] {
    Fields<S> out = kernel_shape_fields();
    for (Field<S>& row : out) {  // operators have none: the reader asks the others for them
      if (row.key == "grid" || row.key == "block") row.required = false;
    }
    const Fields<S> more = {
        field("cluster", &S::cluster, "blocks per cluster; default 1"),
        field("arguments", &S::arguments, "size of the kernel arguments; default 0 B"),
        field("block_time", &S::block_time, "time of each block on its SM"),
        field("by_clock", &S::by_clock,
              "true: the blocks poll the clock, so time while switched out counts too"),
        field("prologue", &S::prologue,
              "part of block_time after which the kernel triggers its programmatic dependents, and "
              "which the kernel itself executes before it waits for its predecessor; default: no "
              "trigger"),
        field("duration", &S::duration, "instead: recorded duration of the whole kernel"),
        field("queue", &S::queue,
              "instead: a persistent kernel, whose blocks take items from this queue"),
        ranged("items", &S::items, "of a persistent kernel: number of items after which it ends",
               at_least(std::uint64_t{1})),
        list("segments", &S::segments, segment_fields,
             "instead: what each warp does, one segment after the other"),
        operator_field("op", &S::op, read_operator_work,
                       "instead, and without grid and block: an operator, run by library kernels"),
    };
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return rows;
}

const Fields<NodeText>& node_fields() {
  using S = NodeText;
  static const Fields<S> rows = {
      field("name", &S::name, "name of the node, for `after`"),
      field("kernel", &S::kernel, "the node launches this kernel"),
      field("copy", &S::copy, "the node copies this many bytes"),
      field("memset", &S::memset, "the node sets this many bytes"),
      field("graph", &S::graph, "the node is this graph, defined earlier"),
      field("host", &S::host, "the node runs on the CPU for this long"),
      field("empty", &S::empty, "true: an empty node, for joins"),
      field("after", &S::after, "earlier nodes that it waits for"),
      field("direction", &S::direction, "of a copy; default device to device"),
      field("duration", &S::duration, "recorded duration of a kernel, copy or memset"),
      field("programmatic", &S::programmatic, "programmatic dependency on the previous node"),
      field("label", &S::label, "name of the node in traces"),
  };
  return rows;
}

const Fields<GraphText>& graph_fields() {
  using S = GraphText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the graph")),
      list("nodes", &S::nodes, node_fields, "the nodes, each after its dependencies"),
      list("capture", &S::capture, step_fields,
           "instead: steps over streams, as in stream capture"),
  };
  return rows;
}

const Fields<StepText>& step_fields() {
  using S = StepText;
  static const Fields<S> rows = {
      field("launch", &S::launch, "launches a kernel"),
      field("launch_graph", &S::launch_graph, "launches a graph"),
      field("upload_graph", &S::upload_graph, "uploads a graph"),
      field("instantiate_graph", &S::instantiate_graph, "instantiates a graph"),
      field("copy", &S::copy, "copies this many bytes"),
      field("memset", &S::memset, "sets this many bytes"),
      field("record", &S::record, "records an event; on a group of streams, one event each"),
      field("wait", &S::wait, "the stream waits for an event"),
      field("synchronize_event", &S::synchronize_event, "the thread waits for an event"),
      field("synchronize_stream", &S::synchronize_stream, "the thread waits for streams"),
      field("synchronize_device", &S::synchronize_device, "the thread waits for a device"),
      field(
          "collective", &S::collective,
          "calls this collective on the stream's device: " + listed_texts<program::CollectiveOp>()),
      field("host_work", &S::host_work, "CPU work of this duration"),
      field("api", &S::api, "an API call of this name that only costs CPU time"),
      field("post", &S::post, "posts a signal to another thread"),
      field("await", &S::await, "waits for the next post of a signal"),
      field("push", &S::push, "puts items into the queue of a persistent kernel"),
      field("await_items", &S::await_items, "waits until further items of a queue are done"),
      field("marker", &S::marker, "marks this point of the program in traces"),
      count("repeat", &S::repeat, "repeats `steps` this many times"),
      field("stream", &S::stream, "stream, group of streams, or list of these, in order"),
      count("times", &S::times, "calls on each stream before the next stream; default 1"),
      count("posts", &S::posts, "of an await: number of further posts; default 1"),
      count("items", &S::items,
            "of a push: items in one store; of await_items: number of further items; default 1"),
      field("item_time", &S::item_time, "of a push: time that a block works on each item"),
      field("direction", &S::direction, "of a copy; default host to device"),
      field("pinned", &S::pinned, "copies: host memory is page-locked; default true"),
      field("blocking", &S::blocking,
            "copies: the call returns when the copy is done; default: true for copies from the "
            "device to pageable memory"),
      field("programmatic", &S::programmatic, "programmatic launch: overlaps the previous kernel"),
      field("communicator", &S::communicator, "communicator of a collective"),
      ranged("bytes", &S::bytes,
             "required for a collective: buffer of one rank; for all_gather, reduce_scatter and "
             "all_to_all the whole buffer",
             at_least(Bytes(0))),
      field("peer", &S::peer,
            "rank: root of a broadcast, default 0; peer of a send or recv (required); none for "
            "other collectives"),
      field("data_type", &S::data_type, "of a collective's elements; ranks must agree"),
      field("algorithm", &S::algorithm, "ranks must agree; default: the tuner's choice"),
      field("protocol", &S::protocol, "ranks must agree; default: the tuner's choice"),
      ranged("channels", &S::channels,
             "blocks of a collective's kernel; default: the tuner's choice", between(1U, 64U)),
      field("duration", &S::duration,
            "recorded duration of a kernel, copy or memset; of a collective, from the arrival of "
            "the last rank"),
      field("cost", &S::cost, "CPU time of the call; default: the host profile's"),
      field("label", &S::label, "name of the call in traces"),
      list("steps", &S::steps, step_fields, "of a repeat"),
  };
  return rows;
}

const Fields<ThreadText>& thread_fields() {
  using S = ThreadText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the thread, or of the group")),
      ranged("process", &S::process, "index of the process; default 0", between(0U, 1023U)),
      ranged("count", &S::count,
             "number of threads in a group NAME0, NAME1, ...; {thread} in names is replaced by the "
             "number",
             between(1U, 4096U)),
      required(list("steps", &S::steps, step_fields, "what the thread does, in order")),
  };
  return rows;
}

const Fields<WhatIfText>& what_if_fields() {
  using S = WhatIfText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the variation")),
      field("description", &S::description, "what the variation shows"),
      set_field(),
      field("change", &S::change, "a change of the program (WHATIFS.md), applied after `set`"),
  };
  return rows;
}

const Fields<ScenarioText>& scenario_fields() {
  using S = ScenarioText;
  static const Fields<S> rows = {
      field("name", &S::name, "name of the scenario; default: the file's"),
      field("description", &S::description, "what the scenario shows"),
      required(section("hardware", &S::hardware, hardware_choice_fields, "the hardware")),
      section("run", &S::run, program_run_fields, "settings of the run"),
      list("process", &S::processes, process_fields, "processes with a limited share of a GPU"),
      list("green_context", &S::contexts, green_context_fields, "green contexts"),
      list("communicator", &S::communicators, communicator_fields, "communicators of collectives"),
      section("interconnect", &S::network, interconnect_fields, "the interconnect of the GPUs"),
      unread("network", &S::topology,
             "instead of [interconnect]: the network topology (network/FORMAT.md)"),
      section("training", &S::training, training_fields,
              "instead of streams, kernels and threads: a training step"),
      unread("plan", &S::plan, "what `septet plan` varies (training/FORMAT.md)"),
      unread("goodput", &S::goodput, "failures over days (training/FORMAT.md)"),
      list("stream", &S::streams, stream_fields, "streams"),
      list("kernel", &S::kernels, kernel_fields, "kernels"),
      list("graph", &S::graphs, graph_fields, "CUDA graphs"),
      list("thread", &S::threads, thread_fields, "CPU threads and their calls"),
      list("what_if", &S::what_ifs, what_if_fields, "variations of the run"),
      section("gpu", &S::gpu, gpu_fields, "values that override those of the GPU profile"),
      section("host", &S::host, host_fields, "values that override those of the host profile"),
  };
  return rows;
}

}  // namespace septet::config
