#include <fmt/format.h>

#include "models/network/topology/shapes.hpp"

namespace septet::network {
namespace {

void check(const DragonflySpec& spec) {
  if (spec.groups == 0 || spec.routers == 0 || spec.gpus_per_router == 0) {
    throw ConfigError::value({}, "dragonfly",
                             fmt::format("{} groups of {} routers with {} GPUs", spec.groups,
                                         spec.routers, spec.gpus_per_router),
                             "at least 1 of each");
  }
  const std::uint64_t ends = std::uint64_t{spec.routers} * spec.global_links;
  if (spec.groups - 1 > ends) {
    throw ConfigError::value(
        {}, "groups", fmt::format("{}", spec.groups),
        fmt::format("at most {}: a link between each pair of groups", ends + 1));
  }
}

using Group = std::vector<VertexId>;  // its routers

Group add_group(TopologyBuilder& builder, const DragonflySpec& spec, std::uint32_t group) {
  Group routers;
  for (std::uint32_t i = 0; i < spec.routers; ++i) {
    const VertexId router = builder.add(VertexKind::kRouter, fmt::format("g{}.router{}", group, i));
    for (const VertexId other : routers) {
      builder.connect(other, router, CableKind::kNetwork, spec.local);
    }
    routers.push_back(router);
    const std::uint32_t node = group * spec.routers + i;
    for (std::uint32_t j = 0; j < spec.gpus_per_router; ++j) {
      const VertexId gpu =
          builder.add(VertexKind::kGpu, fmt::format("g{}.r{}.gpu{}", group, i, j), node);
      builder.connect(gpu, router, CableKind::kNetwork, spec.terminal);
    }
  }
  return routers;
}

}  // namespace

// Link k of group a leads to the group that is k + 1 further, which is its link groups - 2 - k; the
// links of a group are dealt to its routers in turn. Links beyond one to each other group stay out.
TopologyBuilder dragonfly(const DragonflySpec& spec) {
  check(spec);
  TopologyBuilder builder;
  std::vector<Group> groups;
  for (std::uint32_t i = 0; i < spec.groups; ++i) groups.push_back(add_group(builder, spec, i));
  for (std::uint32_t a = 0; a < spec.groups; ++a) {
    for (std::uint32_t b = a + 1; b < spec.groups; ++b) {
      const std::uint32_t ahead = b - a - 1;
      const std::uint32_t back = spec.groups - 2 - ahead;
      builder.connect(groups[a][ahead % spec.routers], groups[b][back % spec.routers],
                      CableKind::kNetwork, spec.global);
    }
  }
  return builder;
}

}  // namespace septet::network
