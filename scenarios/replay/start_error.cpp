#include "scenarios/replay/start_error.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/error.hpp"

namespace septet::replay {
namespace {

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // thread, call, node

std::map<Key, Instant> starts_of(const analysis::RunRows& replay) {
  std::map<Key, Instant> starts;
  for (const analysis::GpuWork& work : replay.works) {
    starts[{work.thread, work.call, work.node}] = work.start;
  }
  return starts;
}

struct Pair {
  Instant recorded, replayed;
};

}  // namespace

StartError start_error(const recorded::Import& recording, const analysis::RunRows& replay) {
  const std::map<Key, Instant> starts = starts_of(replay);
  std::map<std::uint32_t, Pair> first_of_step;
  std::vector<Duration> errors;
  for (const recorded::RecordedRow& row : recording.rows) {
    const std::int64_t node = row.node == kNone ? -1 : static_cast<std::int64_t>(row.node);
    const auto found = starts.find({row.thread, row.call, node});
    SEPTET_ASSERT(found != starts.end());
    const Pair pair{row.start, found->second + row.lead};
    const Pair& first = first_of_step.try_emplace(row.step, pair).first->second;
    const Duration error = (pair.replayed - first.replayed) - (pair.recorded - first.recorded);
    errors.push_back(std::max(error, -error));
  }
  StartError out;
  out.commands = errors.size();
  if (errors.empty()) return out;
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  out.median = *middle;
  out.max = *std::max_element(errors.begin(), errors.end());
  return out;
}

}  // namespace septet::replay
