#include "core/engine/partitioning.hpp"

#include <algorithm>
#include <numeric>

namespace septet::engine {
namespace {

// Several partitions a thread, so that a thread that is done early finds more to do.
constexpr std::size_t kPartitionsPerThread = 8;

// What so many LPs and their events need stays in one core's second-level cache while their
// partition is handled (measured with PHOLD).
constexpr std::size_t kLpsPerPartition = 2048;

// Fewer LPs stay in the caches anyway, so that one thread is faster without windows.
constexpr std::size_t kManyLps = std::size_t{1} << 17;

// LPs of dynamic lookahead model large things, and their windows are long: a partition is handled
// for so long at a time that it pays to have all of it in the second-level cache.
constexpr std::size_t kDynamicLpsPerPartition = 8;
constexpr std::size_t kManyDynamicLps = 256;

constexpr std::size_t kMaxPartitions = 4096;

std::vector<LpId> by_group(const LpTable& lps) {
  std::vector<LpId> ids(lps.size());
  std::iota(ids.begin(), ids.end(), LpId{0});
  std::stable_sort(ids.begin(), ids.end(),
                   [&](LpId x, LpId y) { return lps.group(x) < lps.group(y); });
  return ids;
}

bool begins_group(const LpTable& lps, const std::vector<LpId>& ids, std::size_t index) {
  return index == 0 || lps.group(ids[index]) != lps.group(ids[index - 1]);
}

std::size_t groups_of(const LpTable& lps, const std::vector<LpId>& ids) {
  std::size_t groups = 0;
  for (std::size_t index = 0; index < ids.size(); ++index) {
    groups += begins_group(lps, ids, index) ? 1 : 0;
  }
  return groups;
}

}  // namespace

std::size_t wanted_partitions(const RunOptions& options, std::size_t lps, std::size_t dynamic_lps) {
  if (options.partitions > 0) return std::min<std::size_t>(options.partitions, kMaxPartitions);
  if (dynamic_lps >= kManyDynamicLps) {
    const std::size_t small = dynamic_lps / kDynamicLpsPerPartition;
    return std::min(std::max(options.threads * kPartitionsPerThread, small), kMaxPartitions);
  }
  if (options.threads == 1 && lps < kManyLps) return 1;
  const std::size_t wanted =
      std::max(options.threads * kPartitionsPerThread, lps / kLpsPerPartition);
  return std::min(wanted, kMaxPartitions);
}

// A group goes where its first LP falls when all are laid out in a row. Where there are hardly
// more groups than partitions, each has one of its own: a small group may have much to do, as what
// joins all others.
Partitioning split_groups(const LpTable& lps, std::size_t count) {
  Partitioning result;
  result.of_lp.resize(lps.size());
  std::size_t last_share = count;  // no share
  const std::vector<LpId> ids = by_group(lps);
  const bool one_each = groups_of(lps, ids) <= std::min(count + count / 8, kMaxPartitions);
  for (std::size_t index = 0; index < ids.size(); ++index) {
    const bool new_group = begins_group(lps, ids, index);
    const std::size_t share = one_each ? index : index * count / ids.size();
    if (new_group && share != last_share) {
      result.members.emplace_back();
      last_share = share;
    }
    result.members.back().push_back(ids[index]);
    result.of_lp[ids[index]] = static_cast<PartitionId>(result.members.size() - 1);
  }
  for (auto& members : result.members) std::sort(members.begin(), members.end());
  return result;
}

}  // namespace septet::engine
