#include "scenarios/whatif/call_removal.hpp"

#include <unordered_set>

#include "scenarios/whatif/graph_edit.hpp"
#include "scenarios/whatif/submission.hpp"

namespace septet::whatif {
namespace {

// Even a graph that is never launched must have a node.
program::Graph empty_graph(const program::Graph& graph) {
  return {graph.name, {{.what = program::EmptyNode{}}}, {}};
}

}  // namespace

void remove_submissions(program::HostThread& thread, const Removed& removed) {
  remove_submissions(thread, removed, Removed(thread.calls.size(), false));
}

void remove_submissions(program::HostThread& thread, const Removed& removed,
                        const Removed& dropped) {
  std::unordered_set<std::uint64_t> staying;
  std::unordered_set<std::uint64_t> going;
  for (std::size_t c = 0; c < thread.calls.size(); ++c) {
    const program::Call& call = thread.calls[c];
    if (call.correlation == 0 || !submits(call.kind()) || dropped[c]) continue;
    (removed[c] ? going : staying).insert(call.correlation);
  }
  std::vector<program::Call> calls;
  for (std::size_t c = 0; c < thread.calls.size(); ++c) {
    if (dropped[c]) continue;
    program::Call call = thread.calls[c];
    const bool stays = staying.contains(call.correlation);
    const bool part = program::is<program::OtherApiCall>(call) && going.contains(call.correlation);
    if ((removed[c] || part) && !stays) continue;
    if (removed[c]) {
      call = {.what = program::OtherApiCall{},
              .name = call.name,
              .cost = call.cost,
              .correlation = call.correlation};
    }
    calls.push_back(call);
  }
  thread.calls = std::move(calls);
}

void remove_nodes(program::Program& program, const std::vector<std::vector<bool>>& removed) {
  std::vector<bool> gone(program.graphs.size(), false);
  for (std::size_t g = 0; g < program.graphs.size(); ++g) {  // children come before their parents
    std::vector<bool> of_graph = removed[g];
    bool any = false;
    for (std::size_t n = 0; n < of_graph.size(); ++n) {
      const auto* child = program::get_if<program::ChildGraph>(program.graphs[g].nodes[n]);
      if (child != nullptr && gone[child->graph]) of_graph[n] = true;
      any = any || of_graph[n];
    }
    if (!any) continue;
    program::Graph graph = without_nodes(program.graphs[g], of_graph);
    gone[g] = graph.nodes.empty();
    program.graphs[g] = gone[g] ? empty_graph(graph) : std::move(graph);
  }
  for (program::HostThread& thread : program.threads) {
    Removed launches;
    for (const program::Call& call : thread.calls) {
      const std::uint32_t graph = graph_in(call);
      launches.push_back(graph != kNone && gone[graph]);
    }
    remove_submissions(thread, launches);
  }
}

}  // namespace septet::whatif
