// Stream capture: the graph that a list of steps over streams makes, by CUDA's rules. A call
// becomes a node that waits for what its stream has captured last; a record remembers that, and a
// wait adds it to another stream, which thereby joins the capture. At the end every branch must
// have been joined to the stream of the first step.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "scenarios/config/program/program_draft.hpp"
#include "scenarios/config/program/scenario_fields.hpp"

namespace septet::config {
namespace {

using NodeSet = std::vector<std::uint32_t>;  // sorted, without repetition

class Capture {
 public:
  Capture(ProgramDraft& draft, program::Graph& graph) : draft_(draft), graph_(graph) {}

  void steps(const std::vector<StepText>& steps) {
    for (const StepText& step : steps) one(step);
  }

  // Throws where a branch isn't joined into the first stream.
  void check_joined(const GraphText& text) const {
    if (graph_.nodes.empty()) {
      text.place.fail("capture", "a capture without nodes", "a launch, copy or memset");
    }
    std::vector<bool> waited_for(graph_.nodes.size(), false);
    for (const program::GraphEdge& edge : graph_.edges) waited_for[edge.from] = true;
    for (const std::uint32_t node : last_.at(*origin_)) waited_for[node] = true;
    const auto loose = std::find(waited_for.begin(), waited_for.end(), false);
    if (loose == waited_for.end()) return;
    const auto node = static_cast<std::size_t>(loose - waited_for.begin());
    const std::string& origin = draft_.program().streams[*origin_].name;
    text.place.fail("capture",
                    fmt::format("work on stream '{}' that is not joined",
                                draft_.program().streams[stream_of_node_[node]].name),
                    fmt::format("a record on it and a wait that joins it to '{}'", origin));
  }

 private:
  void one(const StepText& step) {
    const std::string& verb = verb_of(step.place, step_verbs()).key;
    for (const char* key : {"cost", "pinned", "blocking"}) {
      if (!step.place.has(key)) continue;
      step.place.fail(key, fmt::format("{} inside a capture", key), fmt::format("no {}", key));
    }
    if (verb == "repeat") return repeat(step);
    if (verb == "record") return record(step);
    if (verb == "wait") return wait(step);
    if (verb != "launch" && verb != "launch_graph" && verb != "copy" && verb != "memset" &&
        verb != "collective") {
      step.place.fail(
          verb, "a step that can't be captured",
          "one of: launch, launch_graph, copy, memset, collective, record, wait, repeat");
    }
    const program::GraphNode node = node_of(step, verb);
    for (const std::uint32_t stream : streams(step)) {
      for (std::uint32_t i = 0; i < step.times; ++i) add(step, node, stream);
    }
  }

  void repeat(const StepText& step) {
    if (step.steps.empty()) step.place.fail("steps", "an empty repeat", "at least one step");
    const std::size_t before = work_;
    for (std::uint32_t i = 0; i < *step.repeat; ++i) {
      steps(step.steps);
      if (work_ == before) step.place.fail("steps", "an empty repeat", "at least one step");
    }
  }

  program::GraphNode node_of(const StepText& step, const std::string& verb) {
    program::GraphNode node;
    const Duration recorded = step.duration.value_or(program::kModelled);
    if (step.label) node.name = draft_.build.string(*step.label);
    if (verb == "launch") {
      const std::uint32_t kernel =
          draft_.kernels.find(*step.launch, joined(step.place.path, verb)).front();
      node.what = program::LaunchKernel{kernel, step.programmatic,
                                        launch_work(step.place, kernel, step.duration, draft_)};
    } else if (verb == "launch_graph") {
      node.what = program::ChildGraph{
          draft_.graphs.find(*step.launch_graph, joined(step.place.path, verb)).front()};
    } else if (verb == "collective") {
      node.what = program::JoinCollective{
          collective_of(step, streams_of(step.place, step.stream, draft_), draft_)};
    } else if (verb == "copy") {
      node.what =
          program::Copy{.direction = step.direction.value_or(program::CopyDirection::kHostToDevice),
                        .bytes = *step.copy,
                        .recorded = recorded};
    } else {
      node.what = program::Memset{*step.memset, recorded};
    }
    return node;
  }

  // The streams of a step. The first step's first stream begins the capture; another joins once it
  // has waited for captured work.
  std::vector<std::uint32_t> streams(const StepText& step, bool joins = false) {
    std::vector<std::uint32_t> out = streams_of(step.place, step.stream, draft_);
    if (!origin_) {
      origin_ = out.front();
      last_[*origin_];
    }
    for (const std::uint32_t stream : out) {
      if (joins || last_.count(stream) > 0) continue;
      step.place.fail(
          "stream",
          fmt::format("stream '{}', which is not capturing", draft_.program().streams[stream].name),
          "first a wait on it for a captured event");
    }
    return out;
  }

  void count_work(const StepText& step) {
    if (++work_ <= draft_.max_graph_nodes) return;
    step.place.fail(
        "", "a capture with too many steps",
        fmt::format("at most {}; run.max_graph_nodes allows more", draft_.max_graph_nodes));
  }

  void add(const StepText& step, const program::GraphNode& node, std::uint32_t stream) {
    count_work(step);
    const auto index = static_cast<std::uint32_t>(graph_.nodes.size());
    graph_.nodes.push_back(node);
    stream_of_node_.push_back(stream);
    for (const std::uint32_t from : last_[stream]) graph_.edges.push_back({from, index});
    last_[stream] = {index};
  }

  void record(const StepText& step) {
    count_work(step);
    NodeSet captured;
    for (const std::uint32_t stream : streams(step)) merge(last_[stream], captured);
    events_[step.record->text] = captured;
  }

  void wait(const StepText& step) {
    count_work(step);
    const auto event = events_.find(step.wait->text);
    if (event == events_.end()) {
      step.place.fail("wait", "'" + step.wait->text + "'",
                      "an event recorded by an earlier step of the capture");
    }
    for (const std::uint32_t stream : streams(step, true)) merge(event->second, last_[stream]);
  }

  static void merge(const NodeSet& from, NodeSet& into) {
    NodeSet out;
    std::set_union(from.begin(), from.end(), into.begin(), into.end(), std::back_inserter(out));
    into = std::move(out);
  }

  ProgramDraft& draft_;
  program::Graph& graph_;
  std::optional<std::uint32_t> origin_;
  std::map<std::uint32_t, NodeSet> last_;  // by stream: what its next node waits for
  std::map<std::string, NodeSet> events_;
  std::vector<std::uint32_t> stream_of_node_;
  std::size_t work_ = 0;  // steps done, which bounds the time that a capture takes
};

}  // namespace

void capture_graph(const GraphText& text, ProgramDraft& draft, program::Graph& graph) {
  Capture capture(draft, graph);
  capture.steps(text.capture);
  capture.check_joined(text);
}

}  // namespace septet::config
