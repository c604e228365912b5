#include "scenarios/whatif/capture.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "models/program/builder.hpp"
#include "scenarios/whatif/call_times.hpp"
#include "scenarios/whatif/submission.hpp"

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
  Capturer(const program::Program& source, std::uint32_t process, bool keeps,
           program::ProgramBuilder& target)
      : target_(target) {
    target.thread(process, "captured");
    // Time counts from the first call, also where CPU work that stays comes first.
    if (keeps) target.add({.what = program::OtherApiCall{}, .cost = Duration(0)});
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
    if (record != nullptr || is_launch(call.kind()) || program::is<program::Hold>(call)) {
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

  // CPU work that stays.
  void keep(const program::Call& call, Duration time) {
    close();
    program::Call kept = call;
    kept.submit = program::kModelled;
    target_.add(kept);
    ++kept_;
    kept_time_ += time;
  }

  // Ends a stretch: turns its commands into graphs and launches them.
  void close() {
    std::map<std::uint32_t, std::vector<Command>> sets;  // by representative stream
    for (const Command& command : commands_) sets[find(command.call.stream)].push_back(command);
    for (const auto& [stream, commands] : sets) launch(commands);
    begin_stretch();
  }

  std::uint64_t kept() const { return kept_; }
  Duration kept_time() const { return kept_time_; }
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

  // A graph under construction.
  struct Capturing {
    program::Graph graph;
    Frontier streams, events;
    std::map<std::uint32_t, program::Hold> holds;  // by stream: of its next node
  };

  static void append(const program::Call& call, Capturing& to) {
    if (const auto* record = program::get_if<program::RecordEvent>(call)) {
      to.events[record->event] = to.streams[call.stream];
      return;
    }
    if (const auto* hold = program::get_if<program::Hold>(call)) {
      to.holds[call.stream].duration += hold->duration;
      to.holds[call.stream].reason = hold->reason;
      return;
    }
    std::vector<std::uint32_t>& before = to.streams[call.stream];
    if (const auto* wait = program::get_if<program::WaitEvent>(call)) {
      const std::vector<std::uint32_t>& more = to.events[wait->event];
      before.insert(before.end(), more.begin(), more.end());
      return;
    }
    const auto index = static_cast<std::uint32_t>(to.graph.nodes.size());
    to.graph.nodes.push_back(node_of(call));
    to.graph.nodes.back().hold = std::exchange(to.holds[call.stream], {});
    for (const std::uint32_t from : before) to.graph.edges.push_back({from, index});
    before = {index};
  }

  void launch(const std::vector<Command>& commands) {
    Capturing captured;
    for (const Command& command : commands) append(command.call, captured);
    program::Graph& graph = captured.graph;
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
  std::uint64_t kept_ = 0;
  Duration kept_time_{};
};

// The CPU time of a call that submits and waits for nothing; zero for others.
Duration work_in(const program::Call& call) {
  if (const auto* work = program::get_if<program::HostWork>(call)) return work->duration;
  return program::is<program::OtherApiCall>(call) ? std::max(call.cost, Duration(0)) : Duration(0);
}

bool submits_anything(const program::HostThread& thread) {
  return std::any_of(thread.calls.begin(), thread.calls.end(),
                     [](const program::Call& call) { return submits(call.kind()); });
}

// A thread that only works: it keeps its work, without the hand-offs to threads that are gone.
program::HostThread working_thread(const program::HostThread& thread) {
  program::HostThread out{.name = thread.name, .process = thread.process, .calls = {}};
  std::copy_if(thread.calls.begin(), thread.calls.end(), std::back_inserter(out.calls),
               [](const program::Call& call) { return work_in(call) > Duration(0); });
  return out;
}

}  // namespace

Capture capture_graphs(const program::Program& program, const analysis::RunRows& base,
                       const CaptureOptions& options) {
  Capture out;
  program::Program rest = program;
  rest.threads.clear();
  const bool keeps = options.kept_from < Duration::max();
  std::vector<bool> working;
  for (const program::HostThread& thread : program.threads) {
    working.push_back(keeps && !submits_anything(thread));
  }
  program::ProgramBuilder target(std::move(rest));
  for (std::uint32_t p = 0; p < program.processes; ++p) {
    Capturer capturer(program, p, keeps, target);
    auto step = options.steps.begin();
    for (const TimedCall& timed : calls_in_order(program, base, p)) {
      const bool boundary = step != options.steps.end() && timed.start >= *step;
      if (boundary && !options.whole) capturer.close();
      while (step != options.steps.end() && timed.start >= *step) ++step;
      const program::HostThread& thread = program.threads[timed.thread];
      const program::Call& call = thread.calls[timed.index];
      const Duration work = work_in(call);
      if (work > Duration(0) && keeps && !working[timed.thread]) {
        const bool stays = work >= options.kept_from;
        if (stays) capturer.keep(call, work);
        if (!stays) out.removed += work;
        continue;
      }
      capturer.add(call);
    }
    capturer.close();
    out.kept += capturer.kept();
    out.kept_time += capturer.kept_time();
    out.graphs += capturer.graphs();
    out.nodes += capturer.nodes();
  }
  out.program = target.take();
  for (std::size_t t = 0; t < working.size(); ++t) {
    if (!working[t]) continue;
    program::HostThread thread = working_thread(program.threads[t]);
    if (!thread.calls.empty()) out.program.threads.push_back(std::move(thread));
  }
  return out;
}

}  // namespace septet::whatif
