#include "models/program/builder.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet {

std::uint32_t ProgramBuilder::kernel(Kernel kernel) {
  program_.kernels.push_back(std::move(kernel));
  return static_cast<std::uint32_t>(program_.kernels.size() - 1);
}

std::uint32_t ProgramBuilder::graph(Graph graph) {
  program_.graphs.push_back(std::move(graph));
  return static_cast<std::uint32_t>(program_.graphs.size() - 1);
}

std::uint32_t ProgramBuilder::stream(std::int32_t priority, std::uint32_t process,
                                     std::uint32_t device, std::uint32_t context) {
  Stream stream;
  stream.context = context;
  stream.priority = priority;
  stream.process = process;
  stream.device = device;
  program_.devices = std::max(program_.devices, device + 1);
  program_.processes = std::max(program_.processes, process + 1);
  program_.streams.push_back(stream);
  return static_cast<std::uint32_t>(program_.streams.size() - 1);
}

std::uint32_t ProgramBuilder::context(std::string name, std::uint32_t sm_count,
                                      std::uint32_t process, std::uint32_t device) {
  program_.contexts.push_back({std::move(name), device, process, sm_count});
  return static_cast<std::uint32_t>(program_.contexts.size() - 1);
}

std::uint32_t ProgramBuilder::event() { return program_.events++; }

std::uint32_t ProgramBuilder::signal() { return program_.signals++; }

std::uint32_t ProgramBuilder::queue() { return program_.queues++; }

std::uint32_t ProgramBuilder::thread(std::uint32_t process, std::string name) {
  HostThread thread;
  thread.process = process;
  thread.name = std::move(name);
  program_.processes = std::max(program_.processes, process + 1);
  program_.threads.push_back(std::move(thread));
  return static_cast<std::uint32_t>(program_.threads.size() - 1);
}

Call& ProgramBuilder::call(CallKind kind) {
  SEPTET_ASSERT(!program_.threads.empty());
  Call call;
  call.kind = kind;
  program_.threads.back().calls.push_back(call);
  return program_.threads.back().calls.back();
}

void ProgramBuilder::launch(std::uint32_t kernel, std::uint32_t stream, bool programmatic) {
  Call& launch = call(CallKind::kLaunchKernel);
  launch.object = kernel;
  launch.stream = stream;
  launch.programmatic = programmatic;
}

void ProgramBuilder::launch_graph(std::uint32_t graph, std::uint32_t stream) {
  graph_call(CallKind::kLaunchGraph, graph, stream);
}

void ProgramBuilder::graph_call(CallKind kind, std::uint32_t graph, std::uint32_t stream) {
  Call& launch = call(kind);
  launch.object = graph;
  launch.stream = stream;
}

void ProgramBuilder::copy(std::uint32_t stream, CopyDirection direction, Bytes bytes, bool pinned) {
  Call& copy = call(CallKind::kCopy);
  copy.stream = stream;
  copy.direction = direction;
  copy.bytes = bytes;
  copy.pinned = pinned;
  copy.blocking = !pinned && direction == CopyDirection::kDeviceToHost;  // it is not asynchronous
}

void ProgramBuilder::fill(std::uint32_t stream, Bytes bytes) {
  Call& fill = call(CallKind::kFill);
  fill.stream = stream;
  fill.bytes = bytes;
}

void ProgramBuilder::record(std::uint32_t event, std::uint32_t stream) {
  Call& record = call(CallKind::kRecordEvent);
  record.object = event;
  record.stream = stream;
}

void ProgramBuilder::wait(std::uint32_t event, std::uint32_t stream) {
  Call& wait = call(CallKind::kWaitEvent);
  wait.object = event;
  wait.stream = stream;
}

void ProgramBuilder::synchronize_device(std::uint32_t device) {
  call(CallKind::kSynchronizeDevice).object = device;
}

void ProgramBuilder::synchronize_stream(std::uint32_t stream) {
  call(CallKind::kSynchronizeStream).stream = stream;
}

void ProgramBuilder::work(Duration time) { call(CallKind::kHostWork).work = time; }

void ProgramBuilder::post(std::uint32_t signal) { call(CallKind::kPost).object = signal; }

void ProgramBuilder::await(std::uint32_t signal, std::int64_t times) {
  Call& await = call(CallKind::kAwait);
  await.object = signal;
  await.work = Duration(times);
}

void ProgramBuilder::push(std::uint32_t queue, Duration work, bool first) {
  Call& push = call(CallKind::kPushItem);
  push.object = queue;
  push.work = work;
  if (!first) push.cost = Duration(0);
}

void ProgramBuilder::await_items(std::uint32_t queue, std::int64_t done) {
  Call& await = call(CallKind::kAwaitItems);
  await.object = queue;
  await.work = Duration(done);
}

Kernel spin_kernel(std::uint64_t blocks, std::uint32_t threads, Duration block_time) {
  Kernel kernel;
  kernel.name = block_time == Duration(0) ? "empty" : "spin";
  kernel.shape.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  kernel.shape.block = {threads, 1, 1};
  FixedBlockWork work;
  work.block_time = block_time;
  work.by_clock = true;
  kernel.work = work;
  return kernel;
}

Graph chain_graph(std::uint32_t kernel, std::uint32_t nodes, bool programmatic) {
  Graph graph;
  graph.name = "chain";
  for (std::uint32_t n = 0; n < nodes; ++n) {
    GraphNode node;
    node.object = kernel;
    node.programmatic = programmatic && n > 0;
    graph.nodes.push_back(node);
    if (n > 0) graph.edges.push_back({n - 1, n});
  }
  return graph;
}

std::uint32_t ProgramBuilder::communicator(std::vector<std::uint32_t> devices, std::string name) {
  for (const std::uint32_t device : devices) {
    program_.devices = std::max(program_.devices, device + 1);
  }
  program_.communicators.push_back({std::move(name), std::move(devices)});
  return static_cast<std::uint32_t>(program_.communicators.size() - 1);
}

std::uint32_t ProgramBuilder::collective(Collective collective) {
  program_.collectives.push_back(std::move(collective));
  return static_cast<std::uint32_t>(program_.collectives.size() - 1);
}

void ProgramBuilder::join(std::uint32_t collective, std::uint32_t stream) {
  Call& made = call(CallKind::kCollective);
  made.object = collective;
  made.stream = stream;
}

}  // namespace septet
