#include "tools/septet/export/track_table.hpp"

namespace septet::command {
namespace {

// Process numbers of the Chrome format: a GPU has its device number, as in the PyTorch profiler's
// recordings; the others must not collide with one.
constexpr std::int64_t kHostProcess = 100'000;
constexpr std::int64_t kFirstTableProcess = 200'000;

std::int64_t process_number(const TrackKey& key) {
  switch (key.kind) {
    case GroupKind::kHost:
      return kHostProcess;
    case GroupKind::kGpu:
      return key.group;
    case GroupKind::kTable:
      return kFirstTableProcess + key.group;
  }
  return kHostProcess;
}

}  // namespace

std::uint32_t TrackTable::index(const TrackKey& key, const std::string& group_name,
                                const std::string& track_name) {
  const auto next = static_cast<std::uint32_t>(entries_.size());
  return entries_.try_emplace(key, Entry{next, group_name, track_name}).first->second.index;
}

void TrackTable::finish(Timeline& timeline) const {
  std::vector<std::uint32_t> final_index(entries_.size());
  std::map<std::int64_t, std::uint32_t> group_of_process;
  for (const auto& [key, entry] : entries_) {
    const std::int64_t process = process_number(key);
    const auto next_group = static_cast<std::uint32_t>(timeline.groups.size());
    const auto [group, added] = group_of_process.try_emplace(process, next_group);
    if (added) {
      const std::int64_t device = key.kind == GroupKind::kGpu ? key.group : -1;
      timeline.groups.push_back({entry.group_name, process, device});
    }
    final_index[entry.index] = static_cast<std::uint32_t>(timeline.tracks.size());
    const bool nests = key.kind == GroupKind::kHost;
    timeline.tracks.push_back({group->second, key.track, entry.track_name, nests});
  }
  for (TimelineSlice& slice : timeline.slices) slice.track = final_index[slice.track];
}

}  // namespace septet::command
