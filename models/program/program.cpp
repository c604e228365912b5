#include "models/program/program.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/program/collective_check.hpp"

namespace septet::program {
namespace {

[[noreturn]] void fail(const std::string& what) { throw ConfigError({}, "program: " + what); }

const std::string& place_text(const std::string& place) { return place; }

template <class Place>
void check_index(std::uint32_t index, std::size_t count, const Place& place, const char* kind) {
  if (index < count) return;
  fail(fmt::format("{}: {} {} does not exist (there are {})", place_text(place), kind, index,
                   count));
}

bool negative(Duration d) { return d < Duration(0) && d != kModelled; }

// Sums of such times would leave the range of an Instant.
bool too_long(Duration d) { return d > Duration(100'000 * kPicosecondsPerSecond); }

template <class Place>
void check_kernel_use(const Program& program, std::uint32_t kernel, Duration work,
                      const Place& place) {
  check_index(kernel, program.kernels.size(), place, "kernel");
  const Kernel& used = program.kernels[kernel];
  if (const auto* persistent = std::get_if<PersistentWork>(&used.work)) {
    check_index(persistent->queue, program.queues,
                place_text(place) + ": kernel '" + used.name + "'", "queue");
  }
  if (std::holds_alternative<RecordedWork>(used.work) && work == kModelled) {
    fail(fmt::format("{}: kernel '{}' has neither a recorded duration nor a description",
                     place_text(place), used.name));
  }
}

void check_object(const Program& program, const HostThread& thread, const Call& call,
                  const CallPlace& place) {
  switch (call.kind()) {
    case CallKind::kLaunchKernel: {
      const LaunchKernel& launch = as<LaunchKernel>(call);
      return check_kernel_use(program, launch.kernel, launch.recorded, place);
    }
    case CallKind::kLaunchGraph:
    case CallKind::kUploadGraph:
    case CallKind::kInstantiateGraph:
      return check_index(graph_in(call), program.graphs.size(), place, "graph");
    case CallKind::kRecordEvent:
    case CallKind::kWaitEvent:
    case CallKind::kSynchronizeEvent:
      return check_index(event_of(thread, call), program.events, place, "event");
    case CallKind::kSynchronizeDevice:
      return check_index(as<SynchronizeDevice>(call).device + thread.offsets.device,
                         program.devices, place, "device");
    case CallKind::kCollective: {
      const std::uint32_t collective = as<JoinCollective>(call).collective;
      check_index(collective, program.collectives.size(), place, "collective");
      return check_rank(program, thread, program.collectives[collective],
                        program.streams[stream_of(thread, call)].device, place);
    }
    case CallKind::kPost:
    case CallKind::kAwait:
      return check_index(*index_in(call), program.signals, place, "signal");
    case CallKind::kPushItem: {
      const PushItem& push = as<PushItem>(call);
      if (push.kernel != kNone) check_index(push.kernel, program.kernels.size(), place, "kernel");
      return check_index(push.queue, program.queues, place, "queue");
    }
    case CallKind::kAwaitItems:
      return check_index(as<AwaitItems>(call).queue, program.queues, place, "queue");
    case CallKind::kMarker:
      return check_index(as<Marker>(call).string, program.strings.size(), place, "string");
    case CallKind::kScope:
      if (as<Scope>(call).string == kNone) return;
      return check_index(as<Scope>(call).string, program.strings.size(), place, "string");
    default:
      return;
  }
}

struct WorkInCall {
  Duration duration = kModelled;
  bool needed = false;  // nothing works it out
  Bytes bytes{};
};

template <class Thing>
WorkInCall work_in(const Thing& thing) {
  if (const auto* host = get_if<HostWork>(thing)) return {host->duration, true, Bytes(0)};
  if (const auto* launch = get_if<LaunchKernel>(thing)) return {launch->recorded, false, Bytes(0)};
  if (const auto* copy = get_if<Copy>(thing)) return {copy->recorded, false, copy->bytes};
  if (const auto* set = get_if<Memset>(thing)) return {set->recorded, false, set->bytes};
  return {};
}

void check_times(const Call& call, const CallPlace& place) {
  WorkInCall work = work_in(call);
  if (const auto* push = get_if<PushItem>(call)) work = {push->duration, true, Bytes(0)};
  if (const auto* hold = get_if<Hold>(call)) work = {hold->duration, true, Bytes(0)};
  if (negative(call.cost) || negative(work.duration) || negative(call.submit)) {
    fail(fmt::format("{}: negative cost or duration", place_text(place)));
  }
  if (too_long(call.cost) || too_long(call.submit) || too_long(work.duration)) {
    fail(fmt::format("{}: a time of more than 100,000 s", place_text(place)));
  }
  if (work.bytes < Bytes(0))
    fail(fmt::format("{}: {} bytes", place_text(place), work.bytes.count()));
  if (work.needed && work.duration == kModelled) {
    fail(fmt::format("{}: {} without a duration", place_text(place), name_of(call.kind())));
  }
}

void check_call(const Program& program, const HostThread& thread, const Call& call,
                const CallPlace& place) {
  check_times(call, place);
  if (call.name != kNone) check_index(call.name, program.strings.size(), place, "string");
  if (uses_stream(call.kind())) {
    const std::uint32_t stream = stream_of(thread, call);
    check_index(stream, program.streams.size(), place, "stream");
    if (program.streams[stream].process != thread.process) {
      fail(fmt::format("{}: stream {} belongs to process {}, the thread to process {}",
                       place_text(place), stream, program.streams[stream].process, thread.process));
    }
  }
  check_object(program, thread, call, place);
}

void check_kernel(const Kernel& kernel, std::size_t index) {
  const auto* work = std::get_if<FixedBlockWork>(&kernel.work);
  if (work == nullptr) return;
  if (Duration(0) <= work->prologue && work->prologue <= work->block_time) return;
  fail(
      fmt::format("kernel {} ('{}'): wanted 0 <= prologue <= block time, got prologue {} ps, "
                  "block time {} ps",
                  index, kernel.name, work->prologue.count(), work->block_time.count()));
}

void check_context(const Program& program, const Stream& stream, const std::string& place) {
  if (stream.context == kNone) return;
  check_index(stream.context, program.contexts.size(), place, "green context");
  const GreenContext& context = program.contexts[stream.context];
  if (context.device != stream.device || context.process != stream.process) {
    fail(
        fmt::format("{}: green context '{}' is of another device or process", place, context.name));
  }
}

void check_graph(const Program& program, std::size_t index) {
  const Graph& graph = program.graphs[index];
  const std::string place = fmt::format("graph {} ('{}')", index, graph.name);
  if (graph.nodes.empty()) fail(place + ": no nodes");
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const GraphNode& node = graph.nodes[n];
    const std::string at = fmt::format("{}: node {}", place, n);
    const WorkInCall work = work_in(node);
    if (negative(work.duration) || node.hold.duration < Duration(0) || work.bytes < Bytes(0)) {
      fail(at + ": negative size or duration");
    }
    if (const auto* launch = get_if<LaunchKernel>(node)) {
      check_kernel_use(program, launch->kernel, launch->recorded, at);
    }
    if (const auto* join = get_if<JoinCollective>(node)) {
      check_index(join->collective, program.collectives.size(), at, "collective");
    }
    if (const auto* child = get_if<ChildGraph>(node)) {
      // Children come first, so graphs cannot contain each other cyclically.
      check_index(child->graph, index, at, "earlier graph");
    }
  }
  for (const GraphEdge& edge : graph.edges) {
    check_index(edge.from, graph.nodes.size(), place + ": edge", "node");
    check_index(edge.to, graph.nodes.size(), place + ": edge", "node");
  }
}

// The calls of a list that differ in what they name, and so in what a thread's offsets make of
// them.
std::vector<std::uint32_t> distinct_calls(const std::vector<Call>& list) {
  const auto key = [&](std::uint32_t index) {
    const Call& call = list[index];
    const std::uint32_t* named = index_in(call);
    return std::tuple(call.what.index(), uses_stream(call.kind()) ? call.stream : 0U,
                      named == nullptr ? kNone : *named);
  };
  std::vector<std::uint32_t> out(list.size());
  std::iota(out.begin(), out.end(), 0U);
  std::stable_sort(out.begin(), out.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

// Signals and queues have no offsets: their users know one another by index.
void check_list(const Program& program, std::size_t index) {
  const std::vector<Call>& list = program.call_lists[index];
  for (std::size_t c = 0; c < list.size(); ++c) {
    const CallKind kind = list[c].kind();
    const bool shared = kind == CallKind::kPost || kind == CallKind::kAwait ||
                        kind == CallKind::kPushItem || kind == CallKind::kAwaitItems;
    if (!shared) continue;
    fail(fmt::format("call list {}, call {}: {} in a list that threads share", index, c,
                     name_of(kind)));
  }
}

// All calls of one thread, of further threads of a list only those that name different things.
class ThreadCheck {
 public:
  explicit ThreadCheck(const Program& program)
      : program_(program), distinct_(program.call_lists.size()) {}

  void operator()(std::size_t index) {
    const HostThread& thread = program_.threads[index];
    const std::string place = fmt::format("thread {}", index);
    check_index(thread.process, program_.processes, place, "process");
    for (const std::uint32_t communicator : thread.offsets.communicators) {
      check_index(communicator, program_.communicators.size(), place, "communicator");
    }
    if (thread.list == kNone) return all_calls(index, thread.calls);
    check_index(thread.list, program_.call_lists.size(), place, "call list");
    if (!thread.calls.empty()) fail(place + ": both a call list and calls of its own");
    const std::vector<Call>& list = program_.call_lists[thread.list];
    std::vector<std::uint32_t>& distinct = distinct_[thread.list];
    if (distinct.empty()) {
      check_list(program_, thread.list);
      distinct = distinct_calls(list);
      return all_calls(index, list);
    }
    for (const std::uint32_t c : distinct) check_call(program_, thread, list[c], {index, c});
  }

 private:
  void all_calls(std::size_t index, const std::vector<Call>& calls) {
    for (std::size_t c = 0; c < calls.size(); ++c) {
      check_call(program_, program_.threads[index], calls[c], {index, c});
    }
  }

  const Program& program_;
  std::vector<std::vector<std::uint32_t>> distinct_;  // by list, once it has been checked
};

void add_queue(const Program& program, std::uint32_t kernel, std::vector<std::uint32_t>& queues) {
  const auto* work = std::get_if<PersistentWork>(&program.kernels[kernel].work);
  if (work != nullptr) queues.push_back(work->queue);
}

void add_queues(const Program& program, const Graph& graph, std::vector<std::uint32_t>& queues) {
  for (const GraphNode& node : graph.nodes) {
    if (const auto* launch = get_if<LaunchKernel>(node)) add_queue(program, launch->kernel, queues);
    if (const auto* child = get_if<ChildGraph>(node)) {
      add_queues(program, program.graphs[child->graph], queues);
    }
  }
}

}  // namespace

std::vector<std::uint32_t> queues_served(const Program& program, const Call& call) {
  std::vector<std::uint32_t> queues;
  if (program.queues == 0) return queues;
  if (const auto* launch = get_if<LaunchKernel>(call)) add_queue(program, launch->kernel, queues);
  if (const auto* launch = get_if<LaunchGraph>(call)) {
    add_queues(program, program.graphs[launch->graph], queues);
  }
  return queues;
}

void check(const Program& program) {
  for (const GreenContext& context : program.contexts) {
    const std::string place = "green context '" + context.name + "'";
    check_index(context.device, program.devices, place, "device");
    check_index(context.process, program.processes, place, "process");
  }
  for (std::size_t s = 0; s < program.streams.size(); ++s) {
    const std::string place = fmt::format("stream {}", s);
    check_index(program.streams[s].device, program.devices, place, "device");
    check_index(program.streams[s].process, program.processes, place, "process");
    check_context(program, program.streams[s], place);
  }
  for (std::size_t k = 0; k < program.kernels.size(); ++k) check_kernel(program.kernels[k], k);
  for (std::size_t g = 0; g < program.graphs.size(); ++g) check_graph(program, g);
  check_collectives(program);
  ThreadCheck check_thread(program);
  for (std::size_t t = 0; t < program.threads.size(); ++t) check_thread(t);
}

}  // namespace septet::program
