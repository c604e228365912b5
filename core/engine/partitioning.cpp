#include "core/engine/partitioning.hpp"

#include <algorithm>
#include <numeric>

namespace septet {
namespace {

// Several partitions a thread, so that a thread that is done early finds more to do.
constexpr std::size_t kPartitionsPerThread = 8;

// What so many processes and their events need stays in one core's second-level cache while their
// partition is handled (measured with PHOLD).
constexpr std::size_t kProcessesPerPartition = 2048;

// Fewer processes stay in the caches anyway, so that one thread is faster without windows.
constexpr std::size_t kManyProcesses = std::size_t{1} << 17;

// Processes that foresee are models of large things, and their windows are long: a partition is
// handled for so long at a time that it pays to have all of it in the second-level cache.
constexpr std::size_t kForeseeingPerPartition = 8;
constexpr std::size_t kManyForeseeing = 256;

constexpr std::size_t kMaxPartitions = 4096;

std::vector<ProcessId> by_group(const ProcessTable& processes) {
  std::vector<ProcessId> ids(processes.size());
  std::iota(ids.begin(), ids.end(), ProcessId{0});
  std::stable_sort(ids.begin(), ids.end(), [&](ProcessId x, ProcessId y) {
    return processes.group(x) < processes.group(y);
  });
  return ids;
}

bool begins_group(const ProcessTable& processes, const std::vector<ProcessId>& ids,
                  std::size_t place) {
  return place == 0 || processes.group(ids[place]) != processes.group(ids[place - 1]);
}

std::size_t groups_of(const ProcessTable& processes, const std::vector<ProcessId>& ids) {
  std::size_t groups = 0;
  for (std::size_t place = 0; place < ids.size(); ++place) {
    groups += begins_group(processes, ids, place) ? 1 : 0;
  }
  return groups;
}

}  // namespace

std::size_t wanted_partitions(const RunOptions& options, std::size_t processes,
                              std::size_t foreseeing) {
  if (options.partitions > 0) return std::min<std::size_t>(options.partitions, kMaxPartitions);
  if (foreseeing >= kManyForeseeing) {
    const std::size_t small = foreseeing / kForeseeingPerPartition;
    return std::min(std::max(options.threads * kPartitionsPerThread, small), kMaxPartitions);
  }
  if (options.threads == 1 && processes < kManyProcesses) return 1;
  const std::size_t wanted =
      std::max(options.threads * kPartitionsPerThread, processes / kProcessesPerPartition);
  return std::min(wanted, kMaxPartitions);
}

// A group goes where its first process falls when all are laid out in a row. Where there are hardly
// more groups than partitions, each has one of its own: a small group may have much to do, as what
// joins all others.
Partitioning split_groups(const ProcessTable& processes, std::size_t count) {
  Partitioning result;
  result.of_process.resize(processes.size());
  std::size_t last_share = count;  // no share
  const std::vector<ProcessId> ids = by_group(processes);
  const bool one_each = groups_of(processes, ids) <= std::min(count + count / 8, kMaxPartitions);
  for (std::size_t place = 0; place < ids.size(); ++place) {
    const bool new_group = begins_group(processes, ids, place);
    const std::size_t share = one_each ? place : place * count / ids.size();
    if (new_group && share != last_share) {
      result.members.emplace_back();
      last_share = share;
    }
    result.members.back().push_back(ids[place]);
    result.of_process[ids[place]] = static_cast<PartitionId>(result.members.size() - 1);
  }
  for (auto& members : result.members) std::sort(members.begin(), members.end());
  return result;
}

}  // namespace septet
