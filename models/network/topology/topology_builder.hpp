// Builds a Topology piece by piece and checks it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/error.hpp"
#include "models/network/topology/topology.hpp"

namespace septet::network {

// What is different about one cable, in both directions: degraded, or failed.
struct LinkChange {
  std::string from;
  std::string to;
  std::optional<ByteRate> rate = {};
  std::optional<double> rate_factor = {};
  std::optional<Duration> latency = {};
  bool failed = false;
  Location where{};
};

class TopologyBuilder {
 public:
  // `node`: which server it sits in; for a GPU without one, a node of its own.
  VertexId add(VertexKind kind, std::string name, std::uint32_t node = kNoNode);
  // A cable: one link in each direction.
  void connect(VertexId a, VertexId b, CableKind kind, const LinkSpec& spec);

  void forward_through_gpus() { gpus_forward_ = true; }
  void set_extents(std::vector<std::uint32_t> extents) { extents_ = std::move(extents); }

  // Throws ConfigError where no such vertex was added.
  VertexId named(const std::string& name, const Location& where) const;

  // Changes all cables between two vertices. Throws ConfigError, located at the change, if there is
  // no such cable or the change is invalid.
  void change(const LinkChange& change);

  // Throws ConfigError, located at `where`, where there is no GPU, a name stands twice, a link has
  // no rate, or the cables leave some GPU unconnected (failed ones count as cables: what they cut
  // off is found when a route is requested). Leaves the builder empty.
  Topology build(const Location& where = {});

 private:
  struct Cable {
    VertexId a;
    VertexId b;
    LinkSpec spec;
    CableKind kind;
    bool failed = false;
  };

  void check(const Location& where) const;
  static void check_connected(const Topology& topology, const Location& where);
  void number_nodes(Topology& topology) const;
  void lay_links(Topology& topology) const;

  std::vector<Vertex> vertices_;
  std::vector<Cable> cables_;
  std::unordered_map<std::string, VertexId> by_name_;
  std::vector<std::string> twice_;  // names that were added again
  std::vector<std::uint32_t> extents_;
  bool gpus_forward_ = false;
};

}  // namespace septet::network
