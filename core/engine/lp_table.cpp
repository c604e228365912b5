#include "core/engine/lp_table.hpp"

#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/digest.hpp"

namespace septet::engine {

LpId LpTable::add(std::unique_ptr<LogicalProcess> lp, GroupId group, std::string_view name) {
  SEPTET_ASSERT(lp != nullptr);
  SEPTET_ASSERT(size() < kMaxLps);
  names_ += name;
  SEPTET_ASSERT(names_.size() <= std::numeric_limits<std::uint32_t>::max());
  name_end_.push_back(static_cast<std::uint32_t>(names_.size()));
  records_.push_back({std::move(lp), 0, 0});
  groups_.push_back(group);
  return size() - 1;
}

void LpTable::set_partitions(std::vector<PartitionId> partitions) {
  partitions_ = std::move(partitions);
  indices_.clear();
  indices_.reserve(partitions_.size());
  std::vector<std::uint32_t> sizes;
  for (const PartitionId partition : partitions_) {
    if (partition >= sizes.size()) sizes.resize(partition + std::size_t{1});
    indices_.push_back(sizes[partition]++);
  }
}

std::string LpTable::label(LpId id) const {
  const std::size_t begin = id == 0 ? 0 : name_end_[id - 1];
  const std::string name = names_.substr(begin, name_end_[id] - begin);
  const std::string number = "LP " + std::to_string(id);
  return name.empty() ? number : number + " ('" + name + "')";
}

std::uint64_t LpTable::digest() const {
  std::uint64_t combined = size();
  for (const LpRecord& record : records_) combined = combine_digests(combined, record.digest);
  return combined;
}

}  // namespace septet::engine
