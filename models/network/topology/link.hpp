// Vertices and links of a network, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"

namespace septet::network {

using VertexId = std::uint32_t;
using LinkId = std::uint32_t;

constexpr std::uint32_t kNoNode = UINT32_MAX;  // a vertex that belongs to no node, such as a spine

enum class VertexKind : std::uint8_t {
  kGpu,
  kNvSwitch,
  kPcieSwitch,
  kCpu,
  kNic,
  kLeaf,
  kSpine,
  kRouter,  // of a dragonfly
  kSwitch   // of a plain shape
};

constexpr auto enum_table(std::type_identity<VertexKind>) {
  return enum_texts<VertexKind>("gpu", "nvswitch", "pcie-switch", "cpu", "nic", "leaf", "spine",
                                "router", "switch");
}

enum class CableKind : std::uint8_t { kNvLink, kPcie, kCpu, kNetwork, kPlain };

constexpr auto enum_table(std::type_identity<CableKind>) {
  return enum_texts<CableKind>("nvlink", "pcie", "cpu", "network", "plain");
}

struct Vertex {
  std::string name;
  VertexKind kind = VertexKind::kGpu;
  std::uint32_t node = kNoNode;  // the server, or NVLink domain, that it sits in
};

// One direction of a cable: a server of bytes with a rate, then a delay. Messages queue in order of
// arrival.
struct Link {
  VertexId from = 0;
  VertexId to = 0;
  LinkId reverse = 0;  // the other direction
  ByteRate rate{};
  Duration latency{};  // of propagation, and of the vertex that it leads to
  CableKind kind = CableKind::kPlain;
  bool failed = false;  // exists, but no route uses it
};

// Rate and latency of each direction.
struct LinkSpec {
  ByteRate rate{};
  Duration latency{};
};

}  // namespace septet::network
