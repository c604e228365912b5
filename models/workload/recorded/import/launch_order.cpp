#include "models/workload/recorded/import/launch_order.hpp"

#include <algorithm>

namespace septet::recorded {

LaunchOrder::LaunchOrder(const RecordingIndex& index) : streams_(index.streams.size() + 1) {
  for (std::uint32_t c = 0; c < index.commands.size(); ++c) {
    const GpuCommand& command = index.commands[c];
    streams_[command.stream].push_back({command.launched, command.end, c});
    streams_.back().push_back({command.launched, command.end, c});
  }
  for (std::vector<Entry>& entries : streams_) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.launched < b.launched; });
    Instant latest;
    for (Entry& entry : entries) entry.end = latest = std::max(latest, entry.end);
  }
}

const LaunchOrder::Entry* LaunchOrder::find(std::uint32_t stream, Instant begin) const {
  const std::vector<Entry>& entries = stream == kNone ? streams_.back() : streams_[stream];
  const auto after = std::lower_bound(
      entries.begin(), entries.end(), begin,
      [](const Entry& entry, Instant instant) { return entry.launched < instant; });
  return after == entries.begin() ? nullptr : &*std::prev(after);
}

Instant LaunchOrder::end_of_work(std::uint32_t stream, Instant begin) const {
  const Entry* entry = find(stream, begin);
  return entry == nullptr ? Instant{} : entry->end;
}

std::uint32_t LaunchOrder::last_command(std::uint32_t stream, Instant begin) const {
  const Entry* entry = find(stream, begin);
  return entry == nullptr ? kNone : entry->command;
}

}  // namespace septet::recorded
