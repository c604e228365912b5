#include "models/program/builder.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::program {

namespace {

template <class Object>
std::uint32_t add_to(std::vector<Object>& objects, Object object) {
  objects.push_back(std::move(object));
  return static_cast<std::uint32_t>(objects.size() - 1);
}

}  // namespace

ProgramBuilder::ProgramBuilder(Program program) : program_(std::move(program)) {
  for (std::uint32_t s = 0; s < program_.strings.size(); ++s) {
    strings_.emplace(program_.strings[s], s);
  }
  for (std::uint32_t k = 0; k < program_.kernels.size(); ++k) {
    kernels_[program_.kernels[k].name].push_back(k);
  }
  for (std::uint32_t c = 0; c < program_.collectives.size(); ++c) {
    collectives_.emplace(program_.collectives[c], c);
  }
}

void ProgramBuilder::devices(std::uint32_t count) {
  program_.devices = std::max(program_.devices, count);
}

void ProgramBuilder::processes(std::uint32_t count) {
  program_.processes = std::max(program_.processes, count);
}

std::uint32_t ProgramBuilder::kernel(Kernel kernel) {
  return add_to(program_.kernels, std::move(kernel));
}

std::uint32_t ProgramBuilder::graph(Graph graph) {
  return add_to(program_.graphs, std::move(graph));
}

std::uint32_t ProgramBuilder::string(std::string_view text) {
  const auto known = strings_.find(text);
  if (known != strings_.end()) return known->second;
  const std::uint32_t index = add_to(program_.strings, std::string(text));
  strings_.emplace(text, index);
  return index;
}

std::uint32_t ProgramBuilder::kernel_once(Kernel kernel) {
  std::vector<std::uint32_t>& of_name = kernels_[kernel.name];
  for (const std::uint32_t known : of_name) {
    if (program_.kernels[known] == kernel) return known;
  }
  return of_name.emplace_back(this->kernel(std::move(kernel)));
}

std::uint32_t ProgramBuilder::collective_once(Collective collective) {
  const auto next = static_cast<std::uint32_t>(program_.collectives.size());
  const auto [known, fresh] = collectives_.emplace(collective, next);
  return fresh ? this->collective(std::move(collective)) : known->second;
}

std::uint32_t ProgramBuilder::stream(std::int32_t priority, std::uint32_t process,
                                     std::uint32_t device, std::uint32_t context) {
  Stream stream;
  stream.context = context;
  stream.priority = priority;
  stream.process = process;
  stream.device = device;
  return this->stream(std::move(stream));
}

std::uint32_t ProgramBuilder::stream(Stream stream) {
  devices(stream.device + 1);
  processes(stream.process + 1);
  return add_to(program_.streams, std::move(stream));
}

std::uint32_t ProgramBuilder::context(std::string name, std::uint32_t sm_count,
                                      std::uint32_t process, std::uint32_t device) {
  processes(process + 1);
  return add_to(program_.contexts, {std::move(name), device, process, sm_count});
}

std::uint32_t ProgramBuilder::event(std::uint32_t count) {
  return std::exchange(program_.events, program_.events + count);
}

std::uint32_t ProgramBuilder::signal(std::string name) {
  program_.signal_names.push_back(std::move(name));
  return program_.signals++;
}

std::uint32_t ProgramBuilder::queue(std::string name) {
  program_.queue_names.push_back(std::move(name));
  return program_.queues++;
}

std::uint32_t ProgramBuilder::thread(std::uint32_t process, std::string name) {
  HostThread thread;
  thread.process = process;
  thread.name = std::move(name);
  return this->thread(std::move(thread));
}

std::uint32_t ProgramBuilder::thread(HostThread thread) {
  processes(thread.process + 1);
  in_list_ = false;
  return add_to(program_.threads, std::move(thread));
}

std::uint32_t ProgramBuilder::call_list() {
  in_list_ = true;
  return add_to(program_.call_lists, {});
}

std::vector<Call>& ProgramBuilder::calls() {
  if (in_list_) return program_.call_lists.back();
  SEPTET_ASSERT(!program_.threads.empty());
  return program_.threads.back().calls;
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
  for (const std::uint32_t device : devices) this->devices(device + 1);
  return add_to(program_.communicators, {std::move(name), std::move(devices)});
}

std::uint32_t ProgramBuilder::collective(Collective collective) {
  return add_to(program_.collectives, std::move(collective));
}

}  // namespace septet::program
