#include "models/network/topology/topology_builder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>

namespace septet::network {
namespace {

void require(bool holds, const Location& where, const std::string& key, const std::string& got,
             const std::string& wanted) {
  if (!holds) throw ConfigError::value(where, key, got, wanted);
}

std::string rate_text(ByteRate rate) { return fmt::format("{:g} GB/s", rate.count() / 1e9); }

}  // namespace

VertexId TopologyBuilder::add(VertexKind kind, std::string name, std::uint32_t node) {
  const auto id = static_cast<VertexId>(vertices_.size());
  if (!by_name_.emplace(name, id).second) twice_.push_back(name);
  vertices_.push_back({.name = std::move(name), .kind = kind, .node = node});
  return id;
}

void TopologyBuilder::connect(VertexId a, VertexId b, CableKind kind, const LinkSpec& spec) {
  SEPTET_ASSERT(a < vertices_.size() && b < vertices_.size());
  cables_.push_back({.a = a, .b = b, .spec = spec, .kind = kind});
}

VertexId TopologyBuilder::named(const std::string& name, const Location& where) const {
  const auto found = by_name_.find(name);
  require(found != by_name_.end(), where, "link", fmt::format("\"{}\"", name),
          "the name of a GPU, switch, CPU or NIC of the network");
  return found->second;
}

void TopologyBuilder::change(const LinkChange& change) {
  const VertexId a = named(change.from, change.where);
  const VertexId b = named(change.to, change.where);
  bool found = false;
  for (Cable& cable : cables_) {
    if (!(cable.a == a && cable.b == b) && !(cable.a == b && cable.b == a)) continue;
    found = true;
    if (change.rate) cable.spec.rate = *change.rate;
    if (change.rate_factor)
      cable.spec.rate = ByteRate(cable.spec.rate.count() * *change.rate_factor);
    if (change.latency) cable.spec.latency = *change.latency;
    cable.failed = cable.failed || change.failed;
  }
  require(found, change.where, "link", fmt::format("{} to {}", change.from, change.to),
          "two vertices connected by a cable");
}

void TopologyBuilder::check(const Location& where) const {
  require(twice_.empty(), where, "name",
          twice_.empty() ? "" : fmt::format("\"{}\" twice", twice_[0]),
          "a unique name for each vertex");
  for (const Cable& cable : cables_) {
    const std::string name =
        fmt::format("link {} to {}", vertices_[cable.a].name, vertices_[cable.b].name);
    require(cable.a != cable.b, where, name, "a cable from a vertex to itself", "two vertices");
    require(cable.spec.rate > ByteRate{}, where, name, rate_text(cable.spec.rate),
            "a rate above 0 (a link that is down has `failed = true`)");
    require(cable.spec.latency >= Duration{}, where, name,
            fmt::format("a latency of {} ps", cable.spec.latency.count()), "at least 0");
  }
}

// Every cable leads both ways, so that connected parts are strongly connected ones.
void TopologyBuilder::check_connected(const Topology& topology, const Location& where) {
  require(topology.gpu_count() > 0, where, "network", "no GPU", "at least one GPU");
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (const Link& link : topology.links_) edges.emplace_back(link.from, link.to);
  using Graph =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                         boost::no_property, VertexId, LinkId>;
  const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), topology.vertex_count(),
                    topology.link_count());
  std::vector<VertexId> part(topology.vertex_count());
  boost::strong_components(
      graph, boost::make_iterator_property_map(part.begin(), get(boost::vertex_index, graph)));
  for (std::uint32_t gpu = 1; gpu < topology.gpu_count(); ++gpu) {
    require(part[topology.gpu_vertex(gpu)] == part[topology.gpu_vertex(0)], where,
            topology.gpu_name(gpu), "no path to " + topology.gpu_name(0),
            "links that connect all GPUs");
  }
}

// Nodes keep their order; GPUs without one get one of their own behind them.
void TopologyBuilder::number_nodes(Topology& topology) const {
  std::uint32_t nodes = 0;
  for (const Vertex& vertex : topology.vertices_) {
    if (vertex.node != kNoNode) nodes = std::max(nodes, vertex.node + 1);
  }
  for (VertexId id = 0; id < topology.vertices_.size(); ++id) {
    Vertex& vertex = topology.vertices_[id];
    if (vertex.kind != VertexKind::kGpu) continue;
    if (vertex.node == kNoNode) vertex.node = nodes++;
    topology.gpus_.push_back(id);
  }
  std::vector<std::uint32_t> sizes(nodes, 0);
  for (const VertexId gpu : topology.gpus_) {
    topology.local_index_.push_back(sizes[topology.vertices_[gpu].node]++);
  }
  topology.first_gpu_.assign(nodes + 1, 0);
  std::partial_sum(sizes.begin(), sizes.end(), topology.first_gpu_.begin() + 1);
  topology.node_gpus_.resize(topology.gpus_.size());
  for (std::uint32_t gpu = 0; gpu < topology.gpu_count(); ++gpu) {
    const std::uint32_t at = topology.first_gpu_[topology.node_of(gpu)];
    topology.node_gpus_[at + topology.local_index_[gpu]] = gpu;
  }
}

void TopologyBuilder::lay_links(Topology& topology) const {
  std::vector<std::uint32_t> order(2 * cables_.size());  // 2i: a to b of cable i, 2i + 1: b to a
  std::iota(order.begin(), order.end(), 0U);
  const auto from = [&](std::uint32_t half) {
    const Cable& cable = cables_[half / 2];
    return half % 2 == 0 ? cable.a : cable.b;
  };
  std::ranges::stable_sort(order, {}, from);
  std::vector<LinkId> place(order.size());
  topology.first_link_.assign(topology.vertex_count() + 1, 0);
  for (LinkId link = 0; link < order.size(); ++link) {
    place[order[link]] = link;
    ++topology.first_link_[from(order[link]) + 1];
  }
  std::partial_sum(topology.first_link_.begin(), topology.first_link_.end(),
                   topology.first_link_.begin());
  topology.links_.reserve(order.size());
  for (const LinkId end : order) {  // of a cable
    const Cable& cable = cables_[end / 2];
    topology.links_.push_back({.from = from(end),
                               .to = from(end ^ 1U),
                               .reverse = place[end ^ 1U],
                               .rate = cable.spec.rate,
                               .latency = cable.spec.latency,
                               .kind = cable.kind,
                               .failed = cable.failed});
  }
}

Topology TopologyBuilder::build(const Location& where) {
  check(where);
  Topology topology;
  topology.vertices_ = std::move(vertices_);
  topology.gpus_forward_ = gpus_forward_;
  number_nodes(topology);
  lay_links(topology);
  check_connected(topology, where);
  topology.extents_ = extents_.empty() ? std::vector{topology.gpu_count()} : std::move(extents_);
  const auto product = std::accumulate(topology.extents_.begin(), topology.extents_.end(),
                                       std::uint64_t{1}, std::multiplies<>());
  SEPTET_ASSERT(product == topology.gpu_count());
  *this = {};
  return topology;
}

}  // namespace septet::network
