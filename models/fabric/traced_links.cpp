#include "models/fabric/traced_links.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace septet {
namespace {

std::string name_of(const std::vector<LinkEnds>& ends) {
  const std::string first = fmt::format("{}->{}", ends.front().from, ends.front().to);
  return ends.size() == 1 ? first : fmt::format("{} and {} like it", first, ends.size() - 1);
}

// By link of the network: whether a collective with a traced rank loads it.
std::vector<bool> loaded_links(const Program& program, const CollectiveSites& sites,
                               std::uint32_t links, std::uint32_t traced_gpus) {
  std::vector<bool> loaded(links, false);
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    const std::vector<std::uint32_t>& devices =
        program.communicators[sites[s].communicator].devices;
    const bool traced =
        std::ranges::any_of(devices, [&](auto device) { return device < traced_gpus; });
    if (!traced) continue;
    for (const LinkLoad& load : sites[s].plan.loads) loaded[load.link] = true;
  }
  return loaded;
}

}  // namespace

TracedLinks traced_links(const Program& program, const CollectiveSites& sites,
                         const CollectiveModel& network, std::uint32_t traced_gpus) {
  const std::vector<bool> loaded = loaded_links(program, sites, network.link_count(), traced_gpus);
  TracedLinks out;
  out.codes.assign(network.link_count(), TracedLinks::kUntraced);
  for (const std::vector<std::uint32_t>& members : sites.link_groups()) {
    const std::uint32_t first = members.front();
    if (!loaded[first] || !network.link_ends(first)) continue;
    TracedLink& one = out.links.emplace_back();
    for (const std::uint32_t link : members) one.ends.push_back(*network.link_ends(link));
    one.name = name_of(one.ends);
    one.rate = network.link_rate(first);
    out.codes[first] = static_cast<std::int32_t>(out.links.size() - 1);
  }
  return out;
}

}  // namespace septet
