// A network as written: `[network]`, or a separate file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/network/topology/shapes.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet::config {

struct NetworkVertexText {
  Place place;
  Name name;
  Name kind;
  std::optional<std::uint32_t> node;
};

// A cable that a custom network has, or what is different about one of a shape.
struct NetworkLinkText {
  Place place;
  Name from, to;
  std::optional<Name> kind;
  std::optional<ByteRate> rate;
  std::optional<double> rate_factor;
  std::optional<Duration> latency;
  bool failed = false;
};

struct NetworkText {
  Place place;
  Name shape;
  std::optional<Name> routing;
  // Plain shapes and dragonflies.
  std::optional<std::uint32_t> gpus;
  std::optional<std::string> levels;
  std::optional<ByteRate> rate;
  std::optional<Duration> latency;
  // Nodes and fat trees.
  std::optional<Name> node;
  std::optional<std::uint32_t> nodes, nodes_per_pod, spines;
  std::optional<double> oversubscription;
  std::optional<Duration> switch_latency;
  // Dragonflies.
  std::optional<std::uint32_t> groups, routers, gpus_per_router, global_links;
  // Custom networks.
  std::optional<bool> gpus_forward;
  std::vector<NetworkVertexText> vertices;
  std::vector<NetworkLinkText> links;
};

const Fields<NetworkText>& network_fields();
const Fields<NetworkVertexText>& network_vertex_fields();
const Fields<NetworkLinkText>& network_link_fields();
const Fields<network::NodeSpec>& node_profile_fields();

// The keys of each shape.
struct NetworkShape {
  std::string name;
  std::vector<std::string> needs;
  std::vector<std::string> takes;  // besides; all take routing and link
};
const std::vector<NetworkShape>& network_shapes();

// Markdown, as for scenarios.
std::string network_field_reference();

}  // namespace septet::config
