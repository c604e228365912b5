#include "scenarios/system/system.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/gpu.hpp"
#include "models/host/host_process.hpp"
#include "models/network/rendezvous/rendezvous.hpp"
#include "scenarios/system/deadlock.hpp"
#include "scenarios/system/program_facts.hpp"

namespace septet::system {

// Everything that a system consists of; nothing moves once it is built.
struct System::Parts {
  Parts(const program::Program& source, const SystemSpec& system)
      : program(source),
        spec(system),
        hardware(gpus_by_device(system.gpu, system.others)),
        layout((check(source), lay_out(source))),
        network(network_of(system, source)),
        collective_calls(source, *network),
        trace(describe_trace(source, system, collective_calls, *network)) {
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) graphs.emplace_back(program, g);
    check_kinds();
    number_processes();
    wire();
    add_processes();
    connect();
  }

  void check_kinds() const;
  void check_alike(std::uint32_t a, std::uint32_t b, const std::string& of) const;
  void number_processes();
  void wire();
  void wire_hosts(host::HostProcess::Wiring& wiring, std::size_t kind) const;
  void set_environment(gpu::GpuEnvironment& gpu, std::size_t kind);
  void add_processes();
  void connect();
  void connect_device(std::uint32_t device);
  engine::GroupId node_of(std::uint32_t device) const { return network->node_of(device); }
  const host::HostSpec& host_of_kind(std::size_t kind) const {
    return kind == 0 ? spec.host : spec.others[kind - 1].host;
  }
  // Of the GPUs that a process uses.
  std::size_t kind_of_process(std::uint32_t process) const {
    const program::IndexSet& devices = layout.processes[process].devices;
    return devices.size() == 0 ? 0 : hardware.kind(devices[0]);
  }
  std::string why_stuck() const;

  const program::Program& program;
  const SystemSpec spec;
  const ByRange<gpu::GpuSpec> hardware;
  const program::ProgramLayout layout;
  const std::shared_ptr<const network::CollectiveModel> network;
  const network::CollectiveCallTable collective_calls;
  SystemTrace trace;
  std::vector<graph::CompiledGraph> graphs;
  engine::Simulation simulation;
  Instant end = Instant::max();  // of the run: see RunOptions
  std::vector<engine::LpId> host_ids, gpu_ids, rendezvous_ids;
  std::vector<bool> between_nodes;                    // by rendezvous
  std::deque<host::HostProcess::Wiring> host_wiring;  // by kind
  std::deque<gpu::GpuEnvironment> gpu_environments;   // by kind
  network::Rendezvous::Wiring rendezvous_wiring{program, collective_calls, *network, gpu_ids};
  std::vector<host::HostProcess*> hosts;
  std::vector<gpu::Gpu*> gpus;
  std::vector<network::Rendezvous*> rendezvous;
};

// Each node has GPUs of one kind, and each process uses such.
void System::Parts::check_kinds() const {
  if (spec.others.empty()) return;
  std::map<engine::GroupId, std::uint32_t> first;
  for (std::uint32_t d = 0; d < program.devices; ++d) {
    const std::uint32_t other = first.emplace(node_of(d), d).first->second;
    check_alike(other, d, fmt::format("node {}", node_of(d)));
  }
  for (std::uint32_t p = 0; p < program.processes; ++p) {
    const program::IndexSet& devices = layout.processes[p].devices;
    for (std::uint32_t i = 1; i < devices.size(); ++i) {
      check_alike(devices[0], devices[i], fmt::format("process {}", p));
    }
  }
}

void System::Parts::check_alike(std::uint32_t a, std::uint32_t b, const std::string& of) const {
  if (hardware[a].name == hardware[b].name) return;
  const std::size_t kind = std::max(hardware.kind(a), hardware.kind(b));
  throw ConfigError(spec.others[kind - 1].where,
                    fmt::format("hardware.other.{}: {} has GPU {} of kind {} and GPU {} of kind "
                                "{}; wanted GPUs of one kind",
                                kind - 1, of, a, hardware[a].name, b, hardware[b].name));
}

void System::Parts::number_processes() {
  const std::uint32_t meetings = collective_calls.rendezvous_count();
  engine::LpId next = 0;
  while (host_ids.size() < program.processes) host_ids.push_back(next++);
  while (gpu_ids.size() < program.devices) gpu_ids.push_back(next++);
  while (rendezvous_ids.size() < meetings) rendezvous_ids.push_back(next++);
}

void System::Parts::wire() {
  for (std::uint32_t s = 0; s < collective_calls.size(); ++s) {
    rendezvous_wiring.timing_method_codes.push_back(
        trace.timing_methods.code(collective_calls[s].plan.timing_method));
  }
  rendezvous_wiring.collectives = trace.collectives;
  rendezvous_wiring.traced_gpus = spec.traced_gpus;
  rendezvous_wiring.links = trace.links;
  if (!trace.traced_links.links.empty()) rendezvous_wiring.traced_links = &trace.traced_links;
  between_nodes = network::rendezvous_between_nodes(program, collective_calls, *network);
  Duration gap = Duration::max();
  for (std::size_t kind = 0; kind < hardware.kinds(); ++kind) {
    const gpu::FrontEndSpec& front_end = hardware.of_kind(kind).front_end;
    gap = std::min({gap, front_end.stream_gap, front_end.triggered_stream_gap});
  }
  const auto horizons = std::make_shared<const gpu::CallHorizons>(gpu::CallHorizons::Input{
      program, layout, collective_calls, *network, gap, spec.recorded_share});
  for (std::size_t kind = 0; kind < hardware.kinds(); ++kind) {
    host_wiring.push_back({program, host_of_kind(kind), layout});
    wire_hosts(host_wiring.back(), kind);
    gpu_environments.emplace_back(program, graphs, hardware.of_kind(kind), layout, collective_calls,
                                  hardware.kinds() > 1);
    set_environment(gpu_environments.back(), kind);
    gpu_environments.back().horizons = horizons;
  }
}

void System::Parts::wire_hosts(host::HostProcess::Wiring& wiring, std::size_t kind) const {
  wiring.gpus = gpu_ids;
  wiring.doorbell_latency = hardware.of_kind(kind).front_end.doorbell_latency;
  for (const auto& graph : graphs) wiring.graph_nodes.push_back(graph.nodes().size());
  wiring.queue_device = queue_devices(program);
  wiring.api_calls = trace.api_calls;
  wiring.traced_gpus = spec.traced_gpus;
}

void System::Parts::set_environment(gpu::GpuEnvironment& gpu, std::size_t kind) {
  gpu.hosts = host_ids;
  gpu.gpus = gpu_ids;
  gpu.rendezvous = rendezvous_ids;
  const std::uint32_t connections =
      kind == 0 ? spec.connections : spec.others[kind - 1].connections;
  gpu.front_end.connections = connections_of(connections, hardware.of_kind(kind));
  gpu.mps = spec.mps;
  gpu.traced_gpus = spec.traced_gpus;
  gpu.execution.recorded_share = spec.recorded_share;
  gpu.sm_shares = spec.sm_shares;
  gpu.peer_latency = spec.peer_latency;
  for (const program::Kernel& kernel : program.kernels) {
    gpu.kernel_codes.push_back(trace.kernel_names.code(kernel.name));
  }
  for (const program::Collective& collective : program.collectives) {
    gpu.collective_codes.push_back(trace.kernel_names.code(kernel_name_of(collective)));
  }
  gpu.inline_copy_max = host_of_kind(kind).inline_copy_max;
  gpu.front_end.inline_memset_max = host_of_kind(kind).inline_memset_max;
  gpu.execution.host_copy_rate = host_of_kind(kind).pageable_copy_rate;
  gpu.kernels = trace.kernels;
  gpu.copies = trace.copies;
  gpu.event_records = trace.event_records;
  gpu.between_nodes = between_nodes;
}

// Host processes, GPUs and what joins the GPUs of a node stay together; each part of what joins
// nodes is a group of its own, behind the last node.
void System::Parts::add_processes() {
  engine::GroupId between = 0;
  for (std::uint32_t d = 0; d < program.devices; ++d) between = std::max(between, node_of(d) + 1);
  for (std::uint32_t p = 0; p < program.processes; ++p) {
    auto process = std::make_unique<host::HostProcess>(host_wiring[kind_of_process(p)], p);
    hosts.push_back(process.get());
    const program::IndexSet& devices = layout.processes[p].devices;
    const engine::GroupId node = devices.size() == 0 ? 0 : node_of(devices[0]);
    simulation.add(std::move(process), node, fmt::format("host[{}]", p));
  }
  for (std::uint32_t d = 0; d < program.devices; ++d) {
    auto process = std::make_unique<gpu::Gpu>(gpu_environments[hardware.kind(d)], d);
    gpus.push_back(process.get());
    simulation.add(std::move(process), node_of(d), fmt::format("gpu[{}]", d));
  }
  std::vector<engine::GroupId> groups(collective_calls.rendezvous_count());
  for (std::uint32_t c = 0; c < program.communicators.size(); ++c) {
    const std::uint32_t meeting = collective_calls.rendezvous_of(c);
    if (meeting == kNone) continue;
    const engine::GroupId node = node_of(program.communicators[c].devices.front());
    groups[meeting] = between_nodes[meeting] ? between + meeting : node;
  }
  for (std::uint32_t r = 0; r < collective_calls.rendezvous_count(); ++r) {
    auto process = std::make_unique<network::Rendezvous>(rendezvous_wiring, r);
    rendezvous.push_back(process.get());
    simulation.add(std::move(process), groups[r], fmt::format("rendezvous[{}]", r));
  }
}

void System::Parts::connect() {
  for (std::uint32_t d = 0; d < program.devices; ++d) connect_device(d);
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;  // rendezvous, device
  for (std::uint32_t c = 0; c < program.communicators.size(); ++c) {
    const std::uint32_t meeting = collective_calls.rendezvous_of(c);
    if (meeting == kNone) continue;
    for (const std::uint32_t device : program.communicators[c].devices) {
      if (!joined.insert({meeting, device}).second) continue;
      const engine::LpId gpu = gpu_ids[device];
      simulation.connect(gpu, rendezvous_ids[meeting], collective_calls.lookahead(meeting));
      simulation.connect(rendezvous_ids[meeting], gpu, collective_calls.lookahead(meeting));
    }
  }
}

void System::Parts::connect_device(std::uint32_t device) {
  const engine::LpId gpu = gpu_ids[device];
  const program::DeviceLayout& own = layout.devices[device];
  for (std::uint32_t i = 0; i < own.processes.size(); ++i) {
    const engine::LpId host = host_ids[own.processes[i]];
    simulation.connect(host, gpu, host_lookahead(program, hardware[device]));
    simulation.connect(gpu, host, gpu_lookahead(program, hardware[device]));
  }
  std::set<std::uint32_t> peers;
  for (const program::EventListener& listener : own.listeners) peers.insert(listener.device);
  for (const std::uint32_t peer : peers) {
    simulation.connect(gpu, gpu_ids[peer], spec.peer_latency);
  }
}

std::string System::Parts::why_stuck() const {
  std::vector<program::Waiting> waiting;
  for (const host::HostProcess* host : hosts) {
    for (program::Waiting& one : host->waiting()) waiting.push_back(std::move(one));
  }
  for (const gpu::Gpu* gpu : gpus) {
    for (program::Waiting& one : gpu->waiting()) waiting.push_back(std::move(one));
  }
  if (waiting.empty()) return "";
  std::vector<program::QueueState> queues;
  for (std::uint32_t q = 0; q < program.queues; ++q) {
    queues.push_back(gpus[host_wiring.front().queue_device[q]]->queue_state(q));
  }
  std::vector<program::IncompleteCollective> incomplete;
  for (const network::Rendezvous* meeting : rendezvous) {
    for (auto& one : meeting->incomplete()) incomplete.push_back(std::move(one));
  }
  return explain_deadlock(program, std::move(waiting), queues, incomplete);
}

System::System(const program::Program& program, const SystemSpec& spec)
    : parts_(std::make_unique<Parts>(program, spec)) {}

System::~System() = default;

const program::Program& System::program() const { return parts_->program; }
const SystemSpec& System::spec() const { return parts_->spec; }
const SystemTrace& System::trace() const { return parts_->trace; }

Unfinished System::unfinished() const {
  Unfinished out;
  out.all_launches = out.launches = launches_of(parts_->program);
  for (const gpu::Gpu* gpu : parts_->gpus) out.launches -= gpu->launches_ended();
  for (const host::HostProcess* host : parts_->hosts) out.calls += host->calls_left();
  return out;
}

Extent System::extent() const {
  Extent out;
  for (const gpu::Gpu* gpu : parts_->gpus) out.add(gpu->extent());
  for (const host::HostProcess* host : parts_->hosts) out.add(host->extent());
  if (parts_->end == Instant::max() || !unfinished().any()) return out;
  return {out.empty() ? Instant() : out.first, parts_->end};
}

std::vector<GpuActivity> System::activity() const {
  if (parts_->program.collectives.empty()) return {};
  std::vector<network::StragglerWait> straggler_waits(parts_->gpus.size());
  for (const auto* one : parts_->rendezvous) one->add_straggler_waits(straggler_waits);
  std::vector<GpuActivity> out;
  for (std::size_t d = 0; d < parts_->gpus.size(); ++d) {
    out.push_back({parts_->gpus[d]->activity(), straggler_waits[d]});
  }
  return out;
}

engine::RunResult System::run(const engine::RunOptions& options) {
  parts_->end = options.end;
  const engine::RunResult result = parts_->simulation.run(options);
  if (options.end != Instant::max()) return result;
  const std::string why = parts_->why_stuck();
  if (!why.empty()) throw ModelError("the program cannot continue:\n" + why);
  return result;
}

}  // namespace septet::system
