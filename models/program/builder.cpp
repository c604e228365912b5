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

Call& ProgramBuilder::add(const Call& call) {
  SEPTET_ASSERT(!program_.threads.empty());
  return program_.threads.back().calls.emplace_back(call);
}

void ProgramBuilder::launch(std::uint32_t kernel, std::uint32_t stream, bool programmatic) {
  add({.what = LaunchKernel{kernel, programmatic}, .stream = stream});
}

void ProgramBuilder::launch_graph(std::uint32_t graph, std::uint32_t stream) {
  add({.what = LaunchGraph{graph}, .stream = stream});
}

void ProgramBuilder::upload_graph(std::uint32_t graph, std::uint32_t stream) {
  add({.what = UploadGraph{graph}, .stream = stream});
}

void ProgramBuilder::instantiate_graph(std::uint32_t graph) {
  add({.what = InstantiateGraph{graph}});
}

void ProgramBuilder::copy(std::uint32_t stream, CopyDirection direction, Bytes bytes, bool pinned) {
  const bool blocking = !pinned && direction == CopyDirection::kDeviceToHost;
  add({.what = Copy{direction, pinned, blocking, bytes}, .stream = stream});
}

void ProgramBuilder::memset(std::uint32_t stream, Bytes bytes) {
  add({.what = Memset{bytes}, .stream = stream});
}

void ProgramBuilder::record(std::uint32_t event, std::uint32_t stream) {
  add({.what = RecordEvent{event}, .stream = stream});
}

void ProgramBuilder::wait(std::uint32_t event, std::uint32_t stream) {
  add({.what = WaitEvent{event}, .stream = stream});
}

void ProgramBuilder::synchronize_device(std::uint32_t device) {
  add({.what = SynchronizeDevice{device}});
}

void ProgramBuilder::synchronize_stream(std::uint32_t stream) {
  add({.what = SynchronizeStream{}, .stream = stream});
}

void ProgramBuilder::work(Duration time) { add({.what = HostWork{time}}); }

void ProgramBuilder::post(std::uint32_t signal) { add({.what = Post{signal}}); }

void ProgramBuilder::await(std::uint32_t signal, std::uint64_t times) {
  add({.what = Await{signal, times}});
}

void ProgramBuilder::push(std::uint32_t queue, Duration work, bool first) {
  add({.what = PushItem{queue, kNone, work}, .cost = first ? kModelled : Duration(0)});
}

void ProgramBuilder::await_items(std::uint32_t queue, std::uint64_t done) {
  add({.what = AwaitItems{queue, done}});
}

void ProgramBuilder::join(std::uint32_t collective, std::uint32_t stream) {
  add({.what = JoinCollective{collective}, .stream = stream});
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
    graph.nodes.push_back({.what = LaunchKernel{kernel, programmatic && n > 0}});
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

}  // namespace septet
