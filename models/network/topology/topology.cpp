#include "models/network/topology/topology.hpp"

#include <algorithm>

namespace septet {

std::string Topology::link_name(LinkId link) const {
  return vertices_[links_[link].from].name + "->" + vertices_[links_[link].to].name;
}

Topology::LinkRange Topology::links_from(VertexId vertex) const {
  return {graph_.m_forward.m_rowstart[vertex], graph_.m_forward.m_rowstart[vertex + 1]};
}

}  // namespace septet
