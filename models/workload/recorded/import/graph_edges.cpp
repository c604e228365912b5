#include "models/workload/recorded/import/graph_edges.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace septet::recorded {
namespace {

// A join's last branch ended at most this much more than a gap before it.
constexpr Duration kJoinSlack = 2_us;

class EdgeFinder {
 public:
  EdgeFinder(const RecordingIndex& index, const HostCall& call, Duration node_gap)
      : index_(index), call_(call), node_gap_(node_gap) {}

  void add(std::uint32_t node) {
    const GpuCommand& command = at(node);
    const auto own = nodes_.find(command.stream);
    const std::uint32_t other = last_ended_elsewhere(command);
    if (own != nodes_.end()) edges.push_back({own->second.back(), node});
    const bool fork = own == nodes_.end();
    if (other != kNone && (fork || joins(command, at(own->second.back()), at(other)))) {
      edges.push_back({other, node});
    }
    nodes_[command.stream].push_back(node);
  }

  std::vector<program::GraphEdge> edges;

 private:
  const GpuCommand& at(std::uint32_t node) const { return index_.commands[call_.commands[node]]; }

  bool joins(const GpuCommand& command, const GpuCommand& own, const GpuCommand& other) const {
    return own.end + node_gap_ + kJoinSlack < command.start && own.end < other.end &&
           command.start - other.end <= node_gap_ + kJoinSlack;
  }

  // The node of another stream that had ended last when `command` started.
  std::uint32_t last_ended_elsewhere(const GpuCommand& command) const {
    std::uint32_t found = kNone;
    for (const auto& [stream, nodes] : nodes_) {
      if (stream == command.stream) continue;
      const auto ended = std::find_if(nodes.rbegin(), nodes.rend(), [&](std::uint32_t node) {
        return at(node).end <= command.start;
      });
      if (ended == nodes.rend()) continue;
      if (found == kNone || at(*ended).end > at(found).end) found = *ended;
    }
    return found;
  }

  const RecordingIndex& index_;
  const HostCall& call_;
  Duration node_gap_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> nodes_;  // by stream, in order
};

// Sorted by `to`. Nodes without a row in the recording can't be in it.
std::vector<program::GraphEdge> recorded_edges(const RecordedTrace& trace,
                                               const RecordingIndex& index, const HostCall& call,
                                               const std::vector<RecordedEdge>& of_graph) {
  std::map<std::uint64_t, std::uint32_t> positions;
  for (std::uint32_t n = 0; n < call.commands.size(); ++n) {
    const RecordedEvent& event = trace.events[index.commands[call.commands[n]].event];
    positions.emplace(trace.gpu_work(event)->graph_node, n);
  }
  std::vector<program::GraphEdge> edges;
  for (const RecordedEdge& edge : of_graph) {
    const auto from = positions.find(edge.from);
    const auto to = positions.find(edge.to);
    if (from != positions.end() && to != positions.end()) {
      edges.push_back({from->second, to->second});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const program::GraphEdge& a, const program::GraphEdge& b) {
              return a.to != b.to ? a.to < b.to : a.from < b.from;
            });
  return edges;
}

// The id of the graph that all commands of a launch belong to and whose edges were recorded.
std::optional<std::uint64_t> known_graph(const RecordedTrace& trace, const RecordingIndex& index,
                                         const HostCall& call) {
  std::optional<std::uint64_t> graph;
  for (const std::uint32_t command : call.commands) {
    const RecordedGpuWork* gpu = trace.gpu_work(trace.events[index.commands[command].event]);
    if (gpu == nullptr) return std::nullopt;
    if (!trace.graph_edges.contains(gpu->graph)) return std::nullopt;
    if (graph && *graph != gpu->graph) return std::nullopt;
    graph = gpu->graph;
  }
  return graph;
}

}  // namespace

std::vector<program::GraphEdge> graph_edges(const RecordedTrace& trace, const RecordingIndex& index,
                                            const HostCall& call, Duration node_gap) {
  if (const auto graph = known_graph(trace, index, call)) {
    return recorded_edges(trace, index, call, trace.graph_edges.at(*graph));
  }
  return infer_graph_edges(index, call, node_gap);
}

std::vector<program::GraphEdge> infer_graph_edges(const RecordingIndex& index, const HostCall& call,
                                                  Duration node_gap) {
  EdgeFinder finder(index, call, node_gap);
  for (std::uint32_t node = 0; node < call.commands.size(); ++node) finder.add(node);
  return std::move(finder.edges);
}

}  // namespace septet::recorded
