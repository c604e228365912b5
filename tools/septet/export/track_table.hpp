// Gives the slices of a result file their tracks: GPUs by device with a track for each stream, the
// host with one for each thread, and a group for each table that names neither.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "tools/septet/export/timeline.hpp"

namespace septet::command {

enum class GroupKind : std::uint8_t { kHost, kGpu, kTable };  // in the order of display

struct TrackKey {
  GroupKind kind = GroupKind::kTable;
  std::int64_t group = 0;
  std::int64_t track = 0;

  auto operator<=>(const TrackKey&) const = default;
};

class TrackTable {
 public:
  // A provisional index, by order of first use. The names count where the key is new.
  std::uint32_t index(const TrackKey& key, const std::string& group_name,
                      const std::string& track_name);
  bool contains(const TrackKey& key) const { return entries_.contains(key); }
  std::uint32_t index(const TrackKey& key) const { return entries_.at(key).index; }

  // Adds groups and tracks in the order of their keys, and turns the provisional indices of the
  // slices into those of the timeline.
  void finish(Timeline& timeline) const;

 private:
  struct Entry {
    std::uint32_t index;
    std::string group_name;
    std::string track_name;
  };
  std::map<TrackKey, Entry> entries_;
};

}  // namespace septet::command
