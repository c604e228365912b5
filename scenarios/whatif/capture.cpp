#include "scenarios/whatif/capture.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "models/program/builder.hpp"
#include "scenarios/whatif/call_times.hpp"

namespace septet::whatif {
namespace {

bool is_barrier(const program::Call& call) {
  return program::is<program::SynchronizeEvent>(call) ||
         program::is<program::SynchronizeStream>(call) ||
         program::is<program::SynchronizeDevice>(call);
}

// What a node does for a call. Nodes know of no staging: their host memory counts as page-locked.
program::GraphNode node_of(const program::Call& call) {
  program::GraphNode node{
      .what = program::EmptyNode{}, .name = call.name, .correlation = call.correlation};
  if (const auto* launch = program::get_if<program::LaunchKernel>(call)) node.what = *launch;
  if (const auto* graph = program::get_if<program::LaunchGraph>(call))
    node.what = program::ChildGraph{graph->graph};
  if (const auto* copy = program::get_if<program::Copy>(call)) {
    node.what = program::Copy{
        .direction = copy->direction, .bytes = copy->bytes, .recorded = copy->recorded};
  }
  if (const auto* memset = program::get_if<program::Memset>(call)) node.what = *memset;
  if (const auto* join = program::get_if<program::JoinCollective>(call)) node.what = *join;
  return node;
}

// Captures the calls of one process into the calls of one thread.
class Capturer {
 public:
  Capturer(const program::Program& source, std::uint32_t process, program::ProgramBuilder& target)
      : target_(target) {
    target.thread(process, "captured");
    const std::size_t streams = source.streams.size();
    parent_.resize(streams);
    launched_on_.assign(streams, kNone);
    event_stream_.assign(source.events, kNone);
    begin_stretch();
  }

  void add(const program::Call& call) {
    if (const auto* wait = program::get_if<program::WaitEvent>(call)) {
      commands_.push_back({call, event_stream_[wait->event]});
      return join_recorder(commands_.back());
    }
    const auto* record = program::get_if<program::RecordEvent>(call);
    if (record != nullptr || is_launch(call.kind())) {
      commands_.push_back({call, kNone});
      if (record != nullptr) event_stream_[record->event] = call.stream;
      if (is_blocking(call)) barrier_after_copy(call);
    } else if (is_barrier(call)) {
      close();
      target_.add(translated(call));
    } else if (program::is<program::Marker>(call)) {
      target_.add(call);
    }
  }

  // Ends a stretch: turns its commands into graphs and launches them.
  void close() {
    std::map<std::uint32_t, std::vector<Command>> sets;  // by representative stream
    for (const Command& command : commands_) sets[find(command.call.stream)].push_back(command);
    for (const auto& [stream, commands] : sets) launch(commands);
    begin_stretch();
  }

  std::uint64_t graphs() const { return graphs_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Command {
    program::Call call;
    std::uint32_t recorder = kNone;  // waits: the stream of the record that is waited for
  };

  void begin_stretch() {
    commands_.clear();
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  std::uint32_t find(std::uint32_t stream) {
    while (parent_[stream] != stream) stream = parent_[stream] = parent_[parent_[stream]];
    return stream;
  }

  // A wait for an event of this stretch ties its stream to the recording one.
  void join_recorder(const Command& wait) {
    if (wait.recorder == kNone) return;
    const std::uint32_t a = find(wait.call.stream);
    const std::uint32_t b = find(wait.recorder);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  void barrier_after_copy(const program::Call& copy) {
    close();
    target_.add(translated({.what = program::SynchronizeStream{}, .stream = copy.stream}));
  }

  // A synchronisation in the captured program: its stream's work now runs where the graph was
  // launched; an event recorded inside a graph is awaited with the whole graph.
  program::Call translated(const program::Call& barrier) const {
    program::Call call = barrier;
    call.cost = program::kModelled;
    if (const auto* wait = program::get_if<program::SynchronizeEvent>(call)) {
      const std::uint32_t recorder = event_stream_[wait->event];
      if (recorder == kNone) return call;
      call.what = program::SynchronizeStream{};
      call.stream = recorder;
    }
    if (program::is<program::SynchronizeStream>(call) && launched_on_[call.stream] != kNone) {
      call.stream = launched_on_[call.stream];
    }
    return call;
  }

  // Nodes that a stream's next node has to wait for.
  using Frontier = std::map<std::uint32_t, std::vector<std::uint32_t>>;

  static void append(const program::Call& call, program::Graph& graph, Frontier& streams,
                     Frontier& events) {
    if (const auto* record = program::get_if<program::RecordEvent>(call)) {
      events[record->event] = streams[call.stream];
      return;
    }
    std::vector<std::uint32_t>& before = streams[call.stream];
    if (const auto* wait = program::get_if<program::WaitEvent>(call)) {
      const std::vector<std::uint32_t>& more = events[wait->event];
      before.insert(before.end(), more.begin(), more.end());
      return;
    }
    const auto index = static_cast<std::uint32_t>(graph.nodes.size());
    graph.nodes.push_back(node_of(call));
    for (const std::uint32_t from : before) graph.edges.push_back({from, index});
    before = {index};
  }

  void launch(const std::vector<Command>& commands) {
    program::Graph graph;
    Frontier streams;
    Frontier events;
    for (const Command& command : commands) append(command.call, graph, streams, events);
    const std::uint32_t stream = commands.front().call.stream;
    if (graph.nodes.empty() && !awaits_earlier(commands)) return;
    order_after_earlier(commands, stream);
    if (graph.nodes.empty()) return;
    graph.name = fmt::format("captured {}", target_.program().graphs.size());
    ++graphs_;
    nodes_ += graph.nodes.size();
    target_.launch_graph(target_.graph(std::move(graph)), stream);
  }

  // Whether a wait is for work of an earlier stretch: it then holds up what follows on its stream,
  // even where nothing follows in this stretch.
  bool awaits_earlier(const std::vector<Command>& commands) const {
    return std::any_of(commands.begin(), commands.end(), [&](const Command& command) {
      return command.recorder != kNone && launched_on_[command.recorder] != kNone;
    });
  }

  // A graph waits for the graphs on other streams that hold earlier work of its streams, or an
  // event that it waits for.
  void order_after_earlier(const std::vector<Command>& commands, std::uint32_t stream) {
    for (const Command& command : commands) {
      order_after(command.call.stream, stream);
      if (command.recorder != kNone) order_after(command.recorder, stream);
    }
  }

  void order_after(std::uint32_t source_stream, std::uint32_t stream) {
    std::uint32_t& earlier = launched_on_[source_stream];
    if (earlier != kNone && earlier != stream) {
      const std::uint32_t event = target_.event();
      target_.record(event, earlier);
      target_.wait(event, stream);
    }
    earlier = stream;
  }

  program::ProgramBuilder& target_;
  std::vector<Command> commands_;
  std::vector<std::uint32_t> parent_;        // union-find over streams
  std::vector<std::uint32_t> launched_on_;   // by stream: where its last graph was launched
  std::vector<std::uint32_t> event_stream_;  // by event: the stream that recorded it last
  std::uint64_t graphs_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace

Capture capture_graphs(const program::Program& program, const analysis::RunRows& base,
                       const CaptureOptions& options) {
  Capture out;
  program::Program rest = program;
  rest.threads.clear();
  program::ProgramBuilder target(std::move(rest));
  for (std::uint32_t p = 0; p < program.processes; ++p) {
    Capturer capturer(program, p, target);
    auto step = options.steps.begin();
    for (const TimedCall& timed : calls_in_order(program, base, p)) {
      const bool boundary = step != options.steps.end() && timed.start >= *step;
      if (boundary && !options.whole) capturer.close();
      while (step != options.steps.end() && timed.start >= *step) ++step;
      capturer.add(program.threads[timed.thread].calls[timed.index]);
    }
    capturer.close();
    out.graphs += capturer.graphs();
    out.nodes += capturer.nodes();
  }
  out.program = target.take();
  return out;
}

}  // namespace septet::whatif
