#include "models/network/rendezvous/traced_links.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace septet::network {
namespace {

std::string name_of(const std::vector<LinkEnds>& ends) {
  const std::string first = fmt::format("{}->{}", ends.front().from, ends.front().to);
  return ends.size() == 1 ? first : fmt::format("{} and {} like it", first, ends.size() - 1);
}

std::vector<bool> traced_communicators(const program::Program& program, std::uint32_t traced_gpus) {
  std::vector<bool> traced;
  for (const program::Communicator& communicator : program.communicators) {
    traced.push_back(std::ranges::any_of(communicator.devices,
                                         [&](auto device) { return device < traced_gpus; }));
  }
  return traced;
}

bool traced_pair(const program::Program& program, const CollectiveCall& call,
                 std::uint32_t traced_gpus) {
  const std::vector<std::uint32_t>& devices = program.communicators[call.communicator].devices;
  const std::uint32_t peer = program.collectives[call.collective].peer;
  return devices[call.rank] < traced_gpus || devices[peer] < traced_gpus;
}

// By link of the network: whether a collective with a traced rank loads it.
std::vector<bool> loaded_links(const program::Program& program, const CollectiveCallTable& calls,
                               std::uint32_t links, std::uint32_t traced_gpus) {
  std::vector<bool> loaded(links, false);
  const std::vector<bool> traced = traced_communicators(program, traced_gpus);
  for (std::uint32_t s = 0; s < calls.size(); ++s) {
    const CollectiveCall& call = calls[s];
    const bool pair = point_to_point(program.collectives[call.collective].op);
    if (!traced[call.communicator]) continue;
    if (pair && !traced_pair(program, call, traced_gpus)) continue;
    for (const LinkLoad& load : call.plan.loads) loaded[load.link] = true;
  }
  return loaded;
}

}  // namespace

TracedLinks traced_links(const program::Program& program, const CollectiveCallTable& calls,
                         const CollectiveModel& network, std::uint32_t traced_gpus) {
  const std::vector<bool> loaded = loaded_links(program, calls, network.link_count(), traced_gpus);
  TracedLinks out;
  out.codes.assign(network.link_count(), TracedLinks::kUntraced);
  for (const std::vector<std::uint32_t>& members : calls.link_groups()) {
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

}  // namespace septet::network
