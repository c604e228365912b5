#include "models/network/topology/topology.hpp"

#include <algorithm>
#include <array>

namespace septet {
namespace {

constexpr std::array<std::string_view, 9> kVertexKinds = {
    "gpu", "nvswitch", "pcie-switch", "cpu", "nic", "leaf", "spine", "router", "switch"};
constexpr std::array<std::string_view, 5> kLinkKinds = {"nvlink", "pcie", "cpu", "network",
                                                        "plain"};

template <class Kind, std::size_t n>
std::optional<Kind> kind_named(const std::array<std::string_view, n>& names,
                               std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Kind>(found - names.begin());
}

}  // namespace

std::string Topology::link_name(LinkId link) const {
  return vertices_[links_[link].from].name + "->" + vertices_[links_[link].to].name;
}

Topology::LinkRange Topology::links_from(VertexId vertex) const {
  return {graph_.m_forward.m_rowstart[vertex], graph_.m_forward.m_rowstart[vertex + 1]};
}

std::optional<VertexId> Topology::vertex_named(std::string_view name) const {
  const auto found = std::ranges::find(vertices_, name, &Vertex::name);
  if (found == vertices_.end()) return std::nullopt;
  return static_cast<VertexId>(found - vertices_.begin());
}

std::string_view name_of(VertexKind kind) { return kVertexKinds[static_cast<std::size_t>(kind)]; }
std::string_view name_of(CableKind kind) { return kLinkKinds[static_cast<std::size_t>(kind)]; }

std::optional<VertexKind> vertex_kind_named(std::string_view name) {
  return kind_named<VertexKind>(kVertexKinds, name);
}

std::optional<CableKind> cable_kind_named(std::string_view name) {
  return kind_named<CableKind>(kLinkKinds, name);
}

}  // namespace septet
