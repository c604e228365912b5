// CUDA graphs given as nodes with their dependencies.
#include <algorithm>

#include <fmt/format.h>

#include "models/program/work_size.hpp"
#include "scenarios/config/program/program_draft.hpp"
#include "scenarios/config/program/scenario_fields.hpp"

namespace septet::config {
namespace {

program::GraphNode node_of(const NodeText& text, ProgramDraft& draft) {
  const Place& place = text.place;
  const std::string verb = verb_of(place, node_verbs()).key;
  program::GraphNode node;
  const Duration recorded = text.duration.value_or(program::kModelled);
  if (text.label) node.name = draft.build.string(*text.label);
  if (verb == "kernel") {
    const std::uint32_t kernel = draft.kernels.find(*text.kernel, joined(place.path, verb)).front();
    node.what = program::LaunchKernel{kernel, text.programmatic,
                                      launch_work(place, kernel, text.duration, draft)};
  } else if (verb == "copy") {
    node.what =
        program::Copy{.direction = text.direction.value_or(program::CopyDirection::kDeviceToDevice),
                      .bytes = *text.copy,
                      .recorded = recorded};
  } else if (verb == "memset") {
    node.what = program::Memset{*text.memset, recorded};
  } else if (verb == "graph") {
    node.what =
        program::ChildGraph{draft.graphs.find(*text.graph, joined(place.path, verb)).front()};
  } else if (verb == "host") {
    node.what = program::HostWork{*text.host};
  } else {
    node.what = program::EmptyNode{};
    if (!*text.empty) place.fail("empty", "false", "true");
  }
  return node;
}

// A node only waits for earlier ones, so that a graph is acyclic as written.
void read_nodes(const GraphText& text, ProgramDraft& draft, program::Graph& graph) {
  NameTable names("an earlier node");
  for (std::uint32_t n = 0; n < text.nodes.size(); ++n) {
    const NodeText& node = text.nodes[n];
    graph.nodes.push_back(node_of(node, draft));
    std::vector<std::uint32_t> waits;
    for (const Name& name : node.after.all) {
      waits.push_back(names.find(name, joined(node.place.path, "after")).front());
    }
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    for (const std::uint32_t from : waits) graph.edges.push_back({from, n});
    if (node.name) names.add(*node.name, node.place.path, {n});
  }
}

// Graphs inside graphs grow with each turn: forty that hold the one before twice have 2^40 nodes.
void check_nodes(const GraphText& text, const program::Graph& graph, ProgramDraft& draft) {
  const double nodes = program::nodes_with_children(graph, draft.graph_nodes);
  draft.graph_nodes.push_back(nodes);
  if (nodes <= static_cast<double>(draft.max_graph_nodes)) return;
  text.place.fail(
      "", fmt::format("{:.3g} nodes with those of the graphs inside", nodes),
      fmt::format("at most {}; run.max_graph_nodes allows more", draft.max_graph_nodes));
}

}  // namespace

void read_graphs(const ScenarioText& scenario, ProgramDraft& draft) {
  for (const GraphText& text : scenario.graphs) {
    program::Graph graph;
    graph.name = text.name.text;
    if (text.nodes.empty() == text.capture.empty()) {
      text.place.fail("", text.nodes.empty() ? "a graph without nodes" : "both",
                      "either `nodes` or `capture`");
    }
    if (text.capture.empty()) {
      read_nodes(text, draft, graph);
    } else {
      capture_graph(text, draft, graph);
    }
    check_nodes(text, graph, draft);
    // Named only after it was read: a graph can't contain itself.
    draft.graphs.add(text.name, text.place.path, {draft.build.graph(std::move(graph))});
  }
}

}  // namespace septet::config
