#include "models/network/topology/topology.hpp"

namespace septet::network {

std::string Topology::link_name(LinkId link) const {
  return vertices_[links_[link].from].name + "->" + vertices_[links_[link].to].name;
}

}  // namespace septet::network
