#include "models/program/program.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/program/collective_check.hpp"

namespace septet {
namespace {

[[noreturn]] void fail(const std::string& what) { throw ConfigError({}, "program: " + what); }

const std::string& text_of(const std::string& place) { return place; }

template <class Place>
void check_index(std::uint32_t index, std::size_t count, const Place& place, const char* kind) {
  if (index < count) return;
  fail(fmt::format("{}: {} {} does not exist (there are {})", text_of(place), kind, index, count));
}

bool negative(Duration d) { return d < Duration(0) && d != kModelled; }

// Sums of such times would leave the range of an Instant.
bool too_long(Duration d) {
  constexpr Duration kLongest{100'000 * kPicosecondsPerSecond};
  return d > kLongest;
}

template <class Place>
void check_kernel_use(const Program& program, std::uint32_t kernel, Duration work,
                      const Place& place) {
  check_index(kernel, program.kernels.size(), place, "kernel");
  const Kernel& used = program.kernels[kernel];
  if (const auto* persistent = std::get_if<PersistentWork>(&used.work)) {
    check_index(persistent->queue, program.queues, text_of(place) + ": kernel '" + used.name + "'",
                "queue");
  }
  if (std::holds_alternative<RecordedWork>(used.work) && work == kModelled) {
    fail(fmt::format("{}: kernel '{}' has neither a recorded duration nor a description",
                     text_of(place), used.name));
  }
}

void check_object(const Program& program, const HostThread& thread, const Call& call,
                  const CallPlace& place) {
  switch (call.kind) {
    case CallKind::kLaunchKernel:
      return check_kernel_use(program, call.object, call.work, place);
    case CallKind::kLaunchGraph:
    case CallKind::kUploadGraph:
    case CallKind::kInstantiateGraph:
      return check_index(call.object, program.graphs.size(), place, "graph");
    case CallKind::kRecordEvent:
    case CallKind::kWaitEvent:
    case CallKind::kSynchronizeEvent:
      return check_index(event_of(thread, call), program.events, place, "event");
    case CallKind::kSynchronizeDevice:
      return check_index(call.object + thread.offsets.device, program.devices, place, "device");
    case CallKind::kCollective:
      check_index(call.object, program.collectives.size(), place, "collective");
      return check_rank(program, thread, program.collectives[call.object],
                        program.streams[stream_of(thread, call)].device, place);
    case CallKind::kPost:
    case CallKind::kAwait:
      return check_index(call.object, program.signals, place, "signal");
    case CallKind::kPushItem:
      if (call.item != kNone) check_index(call.item, program.kernels.size(), place, "kernel");
      [[fallthrough]];
    case CallKind::kAwaitItems:
      return check_index(call.object, program.queues, place, "queue");
    case CallKind::kMarker:
      return check_index(call.object, program.strings.size(), place, "string");
    default:
      return;
  }
}

// What a call of this kind cannot do without in `work`; null where it may be modelled.
const char* needed_work(CallKind kind) {
  switch (kind) {
    case CallKind::kHostWork:
    case CallKind::kPushItem:
      return "duration";
    case CallKind::kAwait:
    case CallKind::kAwaitItems:
      return "count";
    default:
      return nullptr;
  }
}

void check_call(const Program& program, const HostThread& thread, const Call& call,
                const CallPlace& place) {
  if (negative(call.cost) || negative(call.work) || negative(call.submit)) {
    fail(fmt::format("{}: negative cost or duration", text_of(place)));
  }
  const bool counts = call.kind == CallKind::kAwait || call.kind == CallKind::kAwaitItems;
  if (too_long(call.cost) || too_long(call.submit) || (!counts && too_long(call.work))) {
    fail(fmt::format("{}: a time of more than 100,000 s", text_of(place)));
  }
  if (call.bytes < Bytes(0)) fail(fmt::format("{}: {} bytes", text_of(place), call.bytes.count()));
  const char* needed = needed_work(call.kind);
  if (needed != nullptr && call.work == kModelled) {
    fail(fmt::format("{}: {} without a {}", text_of(place), name_of(call.kind), needed));
  }
  if (call.name != kNone) check_index(call.name, program.strings.size(), place, "string");
  if (uses_stream(call.kind)) {
    const std::uint32_t stream = stream_of(thread, call);
    check_index(stream, program.streams.size(), place, "stream");
    if (program.streams[stream].process != thread.process) {
      fail(fmt::format("{}: stream {} belongs to process {}, the thread to process {}",
                       text_of(place), stream, program.streams[stream].process, thread.process));
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
    if (negative(node.work) || node.bytes < Bytes(0)) fail(at + ": negative size or duration");
    if (node.kind == NodeKind::kKernel) check_kernel_use(program, node.object, node.work, at);
    if (node.kind == NodeKind::kCollective) {
      check_index(node.object, program.collectives.size(), at, "collective");
    }
    if (node.kind == NodeKind::kChildGraph) {
      // Children come first, so graphs cannot contain one another in a circle.
      check_index(node.object, index, at, "earlier graph");
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
    return std::tuple(call.kind, uses_stream(call.kind) ? call.stream : 0U, call.object);
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
    const CallKind kind = list[c].kind;
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
    if (node.kind == NodeKind::kKernel) add_queue(program, node.object, queues);
    if (node.kind == NodeKind::kChildGraph)
      add_queues(program, program.graphs[node.object], queues);
  }
}

}  // namespace

std::vector<std::uint32_t> queues_served(const Program& program, const Call& call) {
  std::vector<std::uint32_t> queues;
  if (program.queues == 0) return queues;
  if (call.kind == CallKind::kLaunchKernel) add_queue(program, call.object, queues);
  if (call.kind == CallKind::kLaunchGraph) add_queues(program, program.graphs[call.object], queues);
  return queues;
}

bool names_event(CallKind kind) {
  return kind == CallKind::kRecordEvent || kind == CallKind::kWaitEvent ||
         kind == CallKind::kSynchronizeEvent;
}

bool uses_stream(CallKind kind) {
  switch (kind) {
    case CallKind::kLaunchKernel:
    case CallKind::kLaunchGraph:
    case CallKind::kUploadGraph:
    case CallKind::kCopy:
    case CallKind::kFill:
    case CallKind::kRecordEvent:
    case CallKind::kWaitEvent:
    case CallKind::kSynchronizeStream:
    case CallKind::kCollective:
      return true;
    default:
      return false;
  }
}

bool shown_in_traces(CallKind kind) {
  return kind != CallKind::kHostWork && kind != CallKind::kPost && kind != CallKind::kAwait;
}

const char* name_of(CallKind kind) {
  static constexpr const char* kNames[kCallKinds] = {"host work",
                                                     "api call",
                                                     "launch kernel",
                                                     "launch graph",
                                                     "upload graph",
                                                     "instantiate graph",
                                                     "copy",
                                                     "fill",
                                                     "record event",
                                                     "wait event",
                                                     "synchronize event",
                                                     "synchronize stream",
                                                     "synchronize device",
                                                     "post",
                                                     "await",
                                                     "push item",
                                                     "await items",
                                                     "marker",
                                                     "collective"};
  return kNames[static_cast<std::size_t>(kind)];
}

CallManner manner_of(const Call& call) {
  if (call.kind == CallKind::kLaunchKernel && call.programmatic) return CallManner::kProgrammatic;
  if (call.kind != CallKind::kCopy) return CallManner::kPlain;
  if (call.pinned) return call.blocking ? CallManner::kBlocking : CallManner::kPlain;
  return call.blocking ? CallManner::kPageableBlocking : CallManner::kPageable;
}

std::string trace_name(CallKind kind) {
  std::string name = name_of(kind);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
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

}  // namespace septet
