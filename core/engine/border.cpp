#include "core/engine/border.hpp"

namespace septet {
namespace {

bool has_several_groups(const ProcessTable& processes) {
  for (ProcessId id = 1; id < processes.size(); ++id) {
    if (processes.group(id) != processes.group(0)) return true;
  }
  return false;
}

void add_channels_to_all(const Model& model, std::size_t members,
                         std::vector<BorderProcess>& border) {
  if (!model.channels.any_to_any() || !has_several_groups(model.processes)) return;
  const bool leaves_partition = members < model.processes.size();
  for (BorderProcess& process : border) {
    process.to_groups = model.channels.all();
    if (leaves_partition) process.to_partitions = model.channels.all();
  }
}

void add_channel(const Model& model, const Channels::Channel& channel, BorderProcess& process) {
  if (model.same_group(channel.from, channel.to)) return;
  process.to_groups = std::min(process.to_groups, channel.lookahead);
  if (model.processes.partition(channel.from) == model.processes.partition(channel.to)) return;
  process.to_partitions = std::min(process.to_partitions, channel.lookahead);
}

}  // namespace

std::vector<BorderProcess> find_border(const Model& model, std::span<const ProcessId> members) {
  std::vector<BorderProcess> border;
  border.reserve(members.size());
  for (const ProcessId id : members) border.push_back({.process = id});
  add_channels_to_all(model, members.size(), border);
  for (BorderProcess& process : border) {
    for (const Channels::Channel& channel : model.channels.from(process.process)) {
      add_channel(model, channel, process);
    }
  }
  std::erase_if(border, [](const BorderProcess& process) {
    return process.to_groups == Channels::kNoChannel;
  });
  border.shrink_to_fit();
  return border;
}

Duration smallest_lookahead(const std::vector<BorderProcess>& border) {
  Duration smallest = Channels::kNoChannel;
  for (const BorderProcess& process : border) smallest = std::min(smallest, process.to_partitions);
  return smallest;
}

}  // namespace septet
