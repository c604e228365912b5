#include "core/engine/partition_boundary.hpp"

namespace septet::engine {
namespace {

bool has_several_groups(const LpTable& lps) {
  for (LpId id = 1; id < lps.size(); ++id) {
    if (lps.group(id) != lps.group(0)) return true;
  }
  return false;
}

void add_channels_to_all(const Model& model, std::size_t members,
                         std::vector<BoundaryLp>& boundary) {
  if (!model.channels.any_to_any() || !has_several_groups(model.lps)) return;
  const bool leaves_partition = members < model.lps.size();
  for (BoundaryLp& lp : boundary) {
    lp.to_groups = model.channels.all();
    if (leaves_partition) lp.to_partitions = model.channels.all();
  }
}

void add_channel(const Model& model, const Channels::Channel& channel, BoundaryLp& lp) {
  if (model.same_group(channel.from, channel.to)) return;
  lp.to_groups = std::min(lp.to_groups, channel.lookahead);
  if (model.lps.partition(channel.from) == model.lps.partition(channel.to)) return;
  lp.to_partitions = std::min(lp.to_partitions, channel.lookahead);
}

}  // namespace

std::vector<BoundaryLp> partition_boundary(const Model& model, std::span<const LpId> members) {
  std::vector<BoundaryLp> boundary;
  boundary.reserve(members.size());
  for (const LpId id : members) boundary.push_back({.id = id});
  add_channels_to_all(model, members.size(), boundary);
  for (BoundaryLp& lp : boundary) {
    for (const Channels::Channel& channel : model.channels.from(lp.id)) {
      add_channel(model, channel, lp);
    }
  }
  std::erase_if(boundary,
                [](const BoundaryLp& lp) { return lp.to_groups == Channels::kNoChannel; });
  boundary.shrink_to_fit();
  return boundary;
}

Duration smallest_lookahead(const std::vector<BoundaryLp>& boundary) {
  Duration smallest = Channels::kNoChannel;
  for (const BoundaryLp& lp : boundary) smallest = std::min(smallest, lp.to_partitions);
  return smallest;
}

}  // namespace septet::engine
