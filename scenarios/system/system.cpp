#include "scenarios/system/system.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/gpu.hpp"
#include "models/host/host_process.hpp"
#include "models/host/host_tables.hpp"
#include "scenarios/system/deadlock.hpp"

namespace septet {
namespace {

constexpr GroupId kNode = 0;  // host processes and GPUs of one node stay together

// Which devices other than the one that records an event wait for it.
std::vector<std::vector<std::uint32_t>> waiting_devices(const Program& program,
                                                        std::uint32_t device) {
  std::vector<std::vector<std::uint32_t>> devices(program.events);
  for (const HostThread& thread : program.threads) {
    for (const Call& call : thread.calls) {
      if (call.kind != CallKind::kWaitEvent) continue;
      const std::uint32_t waiter = program.streams[call.stream].device;
      std::vector<std::uint32_t>& list = devices[call.object];
      const bool known = std::find(list.begin(), list.end(), waiter) != list.end();
      if (waiter != device && !known) list.push_back(waiter);
    }
  }
  return devices;
}

// Where the persistent kernel of each queue is launched.
std::vector<std::uint32_t> queue_devices(const Program& program) {
  std::vector<std::uint32_t> devices(program.queues, 0);
  for (const HostThread& thread : program.threads) {
    for (const Call& call : thread.calls) {
      for (const std::uint32_t queue : queues_served(program, call)) {
        devices[queue] = program.streams[call.stream].device;
      }
    }
  }
  return devices;
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

SystemTrace describe_trace(const Program& program) {
  SystemTrace trace;
  trace.api_calls = trace.schema.add(api_calls_table());
  trace.kernels = trace.schema.add(kernels_table());
  trace.copies = trace.schema.add(copies_table());
  trace.event_records = trace.schema.add(event_records_table());
  for (std::size_t kind = 0; kind < kCallKinds; ++kind) {
    trace.calls.emplace_back(name_of(static_cast<CallKind>(kind)));
  }
  trace.calls.insert(trace.calls.end(), program.strings.begin(), program.strings.end());
  for (const HostThread& thread : program.threads) trace.threads.push_back(thread.name);
  for (const Kernel& kernel : program.kernels) trace.kernel_names.code(kernel.name);
  return trace;
}

System::System(const Program& program, const SystemSpec& spec)
    : program_(program), trace_(describe_trace(program)) {
  check(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) graphs_.emplace_back(program, g);
  build_processes(spec);
  connect(spec);
}

System::~System() = default;

void System::build_processes(const SystemSpec& spec) {
  for (std::uint32_t p = 0; p < program_.processes; ++p) host_ids_.push_back(p);
  for (std::uint32_t d = 0; d < program_.devices; ++d) gpu_ids_.push_back(program_.processes + d);
  const std::uint32_t count = connection_count(spec);

  HostProcess::Wiring host;
  host.gpus = gpu_ids_;
  host.doorbell_latency.assign(program_.devices, spec.gpu.front_end.doorbell_latency);
  for (const CompiledGraph& graph : graphs_) host.graph_nodes.push_back(graph.nodes().size());
  host.queue_device = queue_devices(program_);
  host.api_calls = trace_.api_calls;
  for (std::uint32_t p = 0; p < program_.processes; ++p) {
    auto process = std::make_unique<HostProcess>(program_, p, spec.host, host);
    hosts_.push_back(process.get());
    simulation_.add(std::move(process), kNode, fmt::format("host[{}]", p));
  }

  Gpu::Wiring gpu;
  gpu.hosts = host_ids_;
  gpu.gpus = gpu_ids_;
  gpu.connections = count;
  gpu.mps = spec.mps;
  gpu.recorded_share = spec.recorded_share;
  gpu.sm_shares = spec.sm_shares;
  gpu.peer_latency = spec.peer_latency;
  for (const Kernel& kernel : program_.kernels) {
    gpu.kernel_codes.push_back(trace_.kernel_names.code(kernel.name));
  }
  gpu.inline_copy_max = spec.host.inline_copy_max;
  gpu.inline_fill_max = spec.host.inline_fill_max;
  gpu.kernels = trace_.kernels;
  gpu.copies = trace_.copies;
  gpu.event_records = trace_.event_records;
  for (std::uint32_t d = 0; d < program_.devices; ++d) {
    gpu.device = d;
    gpu.event_devices = waiting_devices(program_, d);
    auto process = std::make_unique<Gpu>(program_, graphs_, spec.gpu, gpu);
    gpus_.push_back(process.get());
    simulation_.add(std::move(process), kNode, fmt::format("gpu[{}]", d));
  }
}

void System::connect(const SystemSpec& spec) {
  for (const ProcessId gpu : gpu_ids_) {
    for (const ProcessId host : host_ids_) {
      simulation_.connect(host, gpu, host_lookahead(program_, spec));
      simulation_.connect(gpu, host, gpu_lookahead(program_, spec));
    }
    for (const ProcessId peer : gpu_ids_) {
      if (peer != gpu) simulation_.connect(gpu, peer, spec.peer_latency);
    }
  }
}

std::string System::why_stuck() const {
  std::vector<Waiting> waiting;
  for (const HostProcess* host : hosts_) {
    for (Waiting& one : host->waiting()) waiting.push_back(std::move(one));
  }
  for (const Gpu* gpu : gpus_) {
    for (Waiting& one : gpu->waiting()) waiting.push_back(std::move(one));
  }
  std::vector<QueueStanding> queues;
  const std::vector<std::uint32_t> devices = queue_devices(program_);
  for (std::uint32_t q = 0; q < program_.queues; ++q) {
    queues.push_back(gpus_[devices[q]]->standing(q));
  }
  if (waiting.empty()) return "";
  return explain_deadlock(program_, std::move(waiting), queues);
}

RunResult System::run(const RunOptions& options) {
  const RunResult result = simulation_.run(options);
  if (options.end != Instant::max()) return result;
  const std::string why = why_stuck();
  if (!why.empty()) throw ModelError("the program cannot go on:\n" + why);
  return result;
}

}  // namespace septet
