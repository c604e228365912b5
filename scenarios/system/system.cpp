#include "scenarios/system/system.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/fabric/fabric.hpp"
#include "models/fabric/fabric_tables.hpp"
#include "models/gpu/gpu.hpp"
#include "models/host/host_process.hpp"
#include "models/host/host_tables.hpp"
#include "models/network/collective/terms.hpp"
#include "models/network/uniform/library_network.hpp"
#include "scenarios/system/deadlock.hpp"

namespace septet {
namespace {

// Where the persistent kernel of each queue is launched.
std::vector<std::uint32_t> queue_devices(const Program& program) {
  std::vector<std::uint32_t> devices(program.queues, 0);
  if (program.queues == 0) return devices;
  for (const HostThread& thread : program.threads) {
    for (const Call& call : calls_of(program, thread)) {
      for (const std::uint32_t queue : queues_served(program, call)) {
        devices[queue] = program.streams[stream_of(thread, call)].device;
      }
    }
  }
  return devices;
}

// The name of a collective's kernel in traces.
std::string kernel_name_of(const Collective& collective) {
  return collective.name.empty() ? std::string(name_of(collective.op)) : collective.name;
}

SystemTrace describe_trace(const Program& program, const SystemSpec& system,
                           const CollectiveSites& sites, const CollectiveModel& network) {
  SystemTrace trace;
  trace.api_calls = trace.schema.add(api_calls_table());
  trace.kernels = trace.schema.add(kernels_table());
  trace.copies = trace.schema.add(copies_table());
  trace.event_records = trace.schema.add(event_records_table());
  if (!program.collectives.empty()) trace.collectives = trace.schema.add(collectives_table());
  for (std::size_t kind = 0; kind < kCallKinds; ++kind) {
    trace.calls.emplace_back(name_of(static_cast<CallKind>(kind)));
  }
  trace.calls.insert(trace.calls.end(), program.strings.begin(), program.strings.end());
  for (const HostThread& thread : program.threads) trace.threads.push_back(thread.name);
  for (const Kernel& kernel : program.kernels) trace.kernel_names.code(kernel.name);
  for (const Collective& collective : program.collectives) {
    trace.kernel_names.code(kernel_name_of(collective));
  }
  for (const Communicator& communicator : program.communicators) {
    trace.communicators.push_back(communicator.name);
  }
  for (std::uint32_t s = 0; s < sites.size(); ++s) trace.shortcuts.code(sites[s].plan.shortcut);
  if (!system.trace_links) return trace;
  trace.traced_links = traced_links(program, sites, network, system.traced_gpus);
  if (!trace.traced_links.links.empty()) trace.links = trace.schema.add(links_table());
  return trace;
}

// How soon something that a host does can reach a GPU.
Duration host_lookahead(const Program& program, const SystemSpec& spec) {
  return program.queues == 0 ? spec.gpu.front_end.doorbell_latency : kStoreLatency;
}

// How soon a host can see something that a GPU does.
Duration gpu_lookahead(const Program& program, const SystemSpec& spec) {
  const Duration completion = spec.gpu.front_end.completion_latency;
  if (program.queues == 0) return completion;
  return std::max(Duration(1), std::min(completion, spec.gpu.queue.fence_round_trip / 2));
}

// Whether such a call starts work on a GPU that ends by itself.
bool is_launch(CallKind kind) {
  return kind == CallKind::kLaunchKernel || kind == CallKind::kLaunchGraph ||
         kind == CallKind::kCopy || kind == CallKind::kFill || kind == CallKind::kCollective;
}

}  // namespace

std::uint32_t connection_count(const SystemSpec& spec) {
  const FrontEndSpec& front_end = spec.gpu.front_end;
  const std::uint32_t wanted =
      spec.connections == 0 ? front_end.default_connections : spec.connections;
  if (wanted > front_end.max_connections) {
    throw ModelError(fmt::format("{} hardware connections asked for, {} has at most {}", wanted,
                                 spec.gpu.name, front_end.max_connections));
  }
  return wanted;
}

namespace {

// What the program's collectives run over.
std::shared_ptr<const CollectiveModel> network_of(const SystemSpec& system,
                                                  const Program& program) {
  if (system.cluster == nullptr) {
    return std::make_shared<LibraryNetwork>(system.network, system.gpu.collective, program.devices);
  }
  if (system.cluster->gpu_count() < program.devices) {
    throw ConfigError({}, fmt::format("network: {} GPUs, the program uses {}",
                                      system.cluster->gpu_count(), program.devices));
  }
  return system.cluster;
}

}  // namespace

// Everything that a system consists of; nothing moves once it is built.
struct System::Parts {
  Parts(const Program& source, const SystemSpec& system)
      : program(source),
        spec(system),
        layout((check(source), lay_out(source))),
        network(network_of(system, source)),
        sites(source, *network),
        trace(describe_trace(source, system, sites, *network)) {
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) graphs.emplace_back(program, g);
    number_processes();
    wire();
    add_processes();
    connect();
  }

  void number_processes();
  void wire();
  void wire_gpus();
  void add_processes();
  void connect();
  void connect_device(std::uint32_t device);
  GroupId node_of(std::uint32_t device) const { return network->node_of(device); }
  std::string why_stuck() const;

  const Program& program;
  const SystemSpec spec;
  const ProgramLayout layout;
  const std::shared_ptr<const CollectiveModel> network;
  const CollectiveSites sites;
  SystemTrace trace;
  std::vector<CompiledGraph> graphs;
  Simulation simulation;
  HostProcess::Wiring host_wiring{program, spec.host, layout};
  Gpu::Wiring gpu_wiring{program, graphs, spec.gpu, layout, sites};
  Fabric::Wiring fabric_wiring{program, sites, *network, gpu_wiring.gpus};
  std::vector<HostProcess*> hosts;
  std::vector<Gpu*> gpus;
  std::vector<Fabric*> fabrics;
};

void System::Parts::number_processes() {
  ProcessId next = 0;
  for (std::uint32_t p = 0; p < program.processes; ++p) gpu_wiring.hosts.push_back(next++);
  for (std::uint32_t d = 0; d < program.devices; ++d) gpu_wiring.gpus.push_back(next++);
  for (std::uint32_t f = 0; f < sites.fabrics(); ++f) gpu_wiring.fabrics.push_back(next++);
}

void System::Parts::wire() {
  host_wiring.gpus = gpu_wiring.gpus;
  host_wiring.doorbell_latency = spec.gpu.front_end.doorbell_latency;
  for (const CompiledGraph& graph : graphs) host_wiring.graph_nodes.push_back(graph.nodes().size());
  host_wiring.queue_device = queue_devices(program);
  host_wiring.api_calls = trace.api_calls;
  host_wiring.traced_gpus = spec.traced_gpus;
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    fabric_wiring.shortcut_codes.push_back(trace.shortcuts.code(sites[s].plan.shortcut));
  }
  fabric_wiring.collectives = trace.collectives;
  fabric_wiring.traced_gpus = spec.traced_gpus;
  fabric_wiring.links = trace.links;
  if (!trace.traced_links.links.empty()) fabric_wiring.traced_links = &trace.traced_links;
  wire_gpus();
}

void System::Parts::wire_gpus() {
  gpu_wiring.connections = connection_count(spec);
  gpu_wiring.mps = spec.mps;
  gpu_wiring.traced_gpus = spec.traced_gpus;
  gpu_wiring.recorded_share = spec.recorded_share;
  gpu_wiring.sm_shares = spec.sm_shares;
  gpu_wiring.peer_latency = spec.peer_latency;
  for (const Kernel& kernel : program.kernels) {
    gpu_wiring.kernel_codes.push_back(trace.kernel_names.code(kernel.name));
  }
  for (const Collective& collective : program.collectives) {
    gpu_wiring.collective_codes.push_back(trace.kernel_names.code(kernel_name_of(collective)));
  }
  gpu_wiring.inline_copy_max = spec.host.inline_copy_max;
  gpu_wiring.inline_fill_max = spec.host.inline_fill_max;
  gpu_wiring.kernels = trace.kernels;
  gpu_wiring.copies = trace.copies;
  gpu_wiring.event_records = trace.event_records;
  gpu_wiring.describe_kernels();
  gpu_wiring.between_nodes = fabrics_between_nodes(program, sites, *network);
  const FrontEndSpec& front_end = spec.gpu.front_end;
  const Duration gap = std::min(front_end.stream_gap, front_end.triggered_stream_gap);
  gpu_wiring.horizons = CallHorizons({program, layout, sites, *network, gap});
}

// Host processes, GPUs and what joins the GPUs of a node stay together; each part of what joins
// nodes is a group of its own, behind the last node.
void System::Parts::add_processes() {
  const GroupId between = node_of(std::max(1U, program.devices) - 1) + 1;
  for (std::uint32_t p = 0; p < program.processes; ++p) {
    auto process = std::make_unique<HostProcess>(host_wiring, p);
    hosts.push_back(process.get());
    const IndexSet& devices = layout.processes[p].devices;
    const GroupId node = devices.size() == 0 ? 0 : node_of(devices[0]);
    simulation.add(std::move(process), node, fmt::format("host[{}]", p));
  }
  for (std::uint32_t d = 0; d < program.devices; ++d) {
    auto process = std::make_unique<Gpu>(gpu_wiring, d);
    gpus.push_back(process.get());
    simulation.add(std::move(process), node_of(d), fmt::format("gpu[{}]", d));
  }
  std::vector<GroupId> groups(sites.fabrics());
  for (std::uint32_t c = 0; c < program.communicators.size(); ++c) {
    const std::uint32_t fabric = sites.fabric_of(c);
    if (fabric == kNone) continue;
    const GroupId node = node_of(program.communicators[c].devices.front());
    groups[fabric] = gpu_wiring.between_nodes[fabric] ? between + fabric : node;
  }
  for (std::uint32_t f = 0; f < sites.fabrics(); ++f) {
    auto process = std::make_unique<Fabric>(fabric_wiring, f);
    fabrics.push_back(process.get());
    simulation.add(std::move(process), groups[f], fmt::format("fabric[{}]", f));
  }
}

void System::Parts::connect() {
  for (std::uint32_t d = 0; d < program.devices; ++d) connect_device(d);
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;  // fabric, device
  for (std::uint32_t c = 0; c < program.communicators.size(); ++c) {
    const std::uint32_t fabric = sites.fabric_of(c);
    if (fabric == kNone) continue;
    for (const std::uint32_t device : program.communicators[c].devices) {
      if (!joined.insert({fabric, device}).second) continue;
      const ProcessId gpu = gpu_wiring.gpus[device];
      simulation.connect(gpu, gpu_wiring.fabrics[fabric], sites.lookahead(fabric));
      simulation.connect(gpu_wiring.fabrics[fabric], gpu, sites.lookahead(fabric));
    }
  }
}

void System::Parts::connect_device(std::uint32_t device) {
  const ProcessId gpu = gpu_wiring.gpus[device];
  const DeviceLayout& own = layout.devices[device];
  for (std::uint32_t i = 0; i < own.processes.size(); ++i) {
    const ProcessId host = gpu_wiring.hosts[own.processes[i]];
    simulation.connect(host, gpu, host_lookahead(program, spec));
    simulation.connect(gpu, host, gpu_lookahead(program, spec));
  }
  std::set<std::uint32_t> peers;
  for (const EventListener& listener : own.listeners) peers.insert(listener.device);
  for (const std::uint32_t peer : peers) {
    simulation.connect(gpu, gpu_wiring.gpus[peer], spec.peer_latency);
  }
}

std::string System::Parts::why_stuck() const {
  std::vector<Waiting> waiting;
  for (const HostProcess* host : hosts) {
    for (Waiting& one : host->waiting()) waiting.push_back(std::move(one));
  }
  for (const Gpu* gpu : gpus) {
    for (Waiting& one : gpu->waiting()) waiting.push_back(std::move(one));
  }
  if (waiting.empty()) return "";
  std::vector<QueueStanding> queues;
  for (std::uint32_t q = 0; q < program.queues; ++q) {
    queues.push_back(gpus[host_wiring.queue_device[q]]->standing(q));
  }
  std::vector<MeetingStanding> meetings;
  for (const Fabric* fabric : fabrics) {
    for (MeetingStanding& one : fabric->standing()) meetings.push_back(std::move(one));
  }
  return explain_deadlock(program, std::move(waiting), queues, meetings);
}

System::System(const Program& program, const SystemSpec& spec)
    : parts_(std::make_unique<Parts>(program, spec)) {}

System::~System() = default;

const Program& System::program() const { return parts_->program; }
const SystemSpec& System::spec() const { return parts_->spec; }
const SystemTrace& System::trace() const { return parts_->trace; }

Unfinished System::unfinished() const {
  Unfinished out;
  const Program& program = parts_->program;
  for (const HostThread& thread : program.threads) {
    out.all_launches += static_cast<std::uint64_t>(
        std::ranges::count_if(calls_of(program, thread), is_launch, &Call::kind));
  }
  out.launches = out.all_launches;
  for (const Gpu* gpu : parts_->gpus) out.launches -= gpu->launches_ended();
  for (const HostProcess* host : parts_->hosts) out.calls += host->calls_left();
  return out;
}

std::vector<GpuActivity> System::activity() const {
  if (parts_->program.collectives.empty()) return {};
  std::vector<WaitedFor> waited_for(parts_->gpus.size());
  for (const Fabric* fabric : parts_->fabrics) fabric->add_waited_for(waited_for);
  std::vector<GpuActivity> out;
  for (std::size_t d = 0; d < parts_->gpus.size(); ++d) {
    out.push_back({parts_->gpus[d]->activity(), waited_for[d]});
  }
  return out;
}

RunResult System::run(const RunOptions& options) {
  const RunResult result = parts_->simulation.run(options);
  if (options.end != Instant::max()) return result;
  const std::string why = parts_->why_stuck();
  if (!why.empty()) throw ModelError("the program cannot go on:\n" + why);
  return result;
}

}  // namespace septet
