#include "scenarios/replay/step_begins.hpp"

#include <algorithm>
#include <utility>

namespace septet::replay {

std::vector<Instant> step_begins(const recorded::Import& recording, const analysis::RunRows& rows) {
  std::vector<Instant> begins(recording.steps.size(), Instant::max());
  std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, Instant>> issued;
  for (const analysis::GpuWork& work : rows.works)
    issued.push_back({{work.thread, work.call}, work.issued});
  std::sort(issued.begin(), issued.end());
  for (const recorded::RecordedRow& row : recording.rows) {
    const std::pair<std::int64_t, std::int64_t> key{row.thread, row.call};
    const auto found =
        std::lower_bound(issued.begin(), issued.end(), key,
                         [](const auto& entry, const auto& k) { return entry.first < k; });
    if (found == issued.end() || found->first != key) continue;
    begins[row.step] = std::min(begins[row.step], found->second);
  }
  std::erase(begins, Instant::max());
  std::sort(begins.begin(), begins.end());
  return begins;
}

}  // namespace septet::replay
