// A scenario as written, one struct per table: names not yet resolved, groups of streams and
// repeated steps not yet expanded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/training/training_spec.hpp"
#include "scenarios/config/fields/field.hpp"
#include "scenarios/config/kernels/operator_text.hpp"
#include "scenarios/config/kernels/work_text.hpp"
#include "scenarios/config/program/scenario.hpp"

namespace septet::config {

struct OtherGpusText {
  Place place;
  std::string gpu;
  std::string host;
  std::uint32_t first = 0;
  std::uint32_t count = 1;
};

struct HardwareText {
  Place place;
  std::string gpu;
  std::string host;
  std::uint32_t gpus = 1;
  std::optional<std::uint32_t> connections;
  bool mps = false;
  std::uint32_t traced_gpus = kNone;
  bool recorded_share = false;
  std::vector<OtherGpusText> others;
};

struct ProcessText {
  Place place;
  std::uint32_t index = 0;
  double sm_share = 1;
};

struct GreenContextText {
  Place place;
  Name name;
  std::uint32_t sm_count = 0;
  std::uint32_t device = 0;
  std::uint32_t process = 0;
};

struct CommunicatorText {
  Place place;
  Name name;
  std::vector<std::uint32_t> devices;
};

struct StreamText {
  Place place;
  Name name;
  std::optional<std::uint32_t> count;
  std::optional<std::uint32_t> device, process;
  std::int32_t priority = 0;
  std::optional<Name> context;
};

struct KernelText {
  Place place;
  Name name;
  program::Dim3 grid;
  program::Dim3 block;
  program::Dim3 cluster;
  std::uint32_t registers = 16;
  Bytes static_shared{};
  Bytes dynamic_shared{};
  Bytes arguments{};
  std::optional<Duration> block_time;
  bool by_clock = false;
  std::optional<Duration> prologue;
  std::optional<Duration> duration;
  std::optional<Name> queue;
  std::optional<std::uint64_t> items;
  std::vector<SegmentText> segments;
  program::OperatorWork op;
  double once = 0;
  double wave = 0;
};

struct StepText {
  Place place;
  // What the step does: exactly one of these.
  std::optional<Name> launch, launch_graph, upload_graph, instantiate_graph;
  std::optional<Bytes> copy, memset;
  std::optional<Name> record, wait, synchronize_event, post, await, push, await_items;
  std::optional<Names> synchronize_stream;
  std::optional<std::uint32_t> synchronize_device;
  std::optional<std::string> collective;
  std::optional<Duration> host_work;
  std::optional<std::string> api, marker;
  std::optional<std::uint32_t> repeat;
  // How it does it.
  std::optional<Names> stream;
  std::uint32_t times = 1;
  std::uint32_t posts = 1;
  std::uint32_t items = 1;
  std::optional<Duration> item_time;
  std::optional<program::CopyDirection> direction;
  bool pinned = true;
  std::optional<bool> blocking;
  bool programmatic = false;
  std::optional<Name> communicator;
  Bytes bytes{};
  std::uint32_t peer = 0;
  std::string data_type;
  std::optional<std::string> algorithm, protocol;
  std::uint32_t channels = 0;
  std::optional<Duration> duration, cost;
  std::optional<std::string> label;
  std::vector<StepText> steps;
};

struct NodeText {
  Place place;
  std::optional<Name> name;
  std::optional<Name> kernel, graph;
  std::optional<Bytes> copy, memset;
  std::optional<Duration> host;
  std::optional<bool> empty;
  Names after;
  std::optional<program::CopyDirection> direction;
  std::optional<Duration> duration;
  bool programmatic = false;
  std::optional<std::string> label;
};

struct GraphText {
  Place place;
  Name name;
  std::vector<NodeText> nodes;
  std::vector<StepText> capture;
};

struct ThreadText {
  Place place;
  Name name;
  std::uint32_t process = 0;
  std::optional<std::uint32_t> count;
  std::vector<StepText> steps;
};

struct WhatIfText {
  Place place;
  Name name;
  std::string description;
  std::string change;
};

struct ScenarioText {
  Place place;
  std::optional<std::string> name;
  std::string description;
  HardwareText hardware;
  RunSettings run;
  std::vector<ProcessText> processes;
  std::vector<GreenContextText> contexts;
  std::vector<CommunicatorText> communicators;
  network::NetworkSpec network;
  const ConfigValue* topology = nullptr;  // [network], outlives the text
  training::TrainingSpec training;        // where there is such a table
  const ConfigValue* plan = nullptr;      // [plan], outlives the text
  const ConfigValue* goodput = nullptr;   // [goodput], likewise
  std::vector<StreamText> streams;
  std::vector<KernelText> kernels;
  std::vector<GraphText> graphs;
  std::vector<ThreadText> threads;
  std::vector<WhatIfText> what_ifs;
  gpu::GpuSpec gpu;
  host::HostSpec host;
};

}  // namespace septet::config
