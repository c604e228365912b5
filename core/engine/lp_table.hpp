// The LPs of a simulation, and the engine's data for each: 32 bytes, a name and the numbers of its
// group, its partition and its index there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/logical_process.hpp"
#include "core/engine/simulation.hpp"

namespace septet::engine {

// What changes with every event, two in a cache line.
struct alignas(32) LpRecord {
  std::unique_ptr<LogicalProcess> lp;
  std::uint64_t digest = 0;
  std::uint64_t sequence = 0;  // of the next event that this LP schedules
};

using PartitionId = std::uint16_t;

class LpTable {
 public:
  LpId add(std::unique_ptr<LogicalProcess> lp, GroupId group, std::string_view name);

  std::uint32_t size() const { return static_cast<std::uint32_t>(records_.size()); }
  LpRecord& operator[](LpId id) { return records_[id]; }
  const LpRecord& operator[](LpId id) const { return records_[id]; }
  GroupId group(LpId id) const { return groups_[id]; }

  // "LP 7 ('node0.gpu1')", for errors.
  std::string label(LpId id) const;

  // In which partition each LP runs. Empty: all run in partition 0.
  void set_partitions(std::vector<PartitionId> partitions);
  PartitionId partition(LpId id) const {
    return partitions_.empty() ? PartitionId{0} : partitions_[id];
  }
  // Which one of the LPs of its partition it is, in the order of their ids.
  std::uint32_t index_in_partition(LpId id) const { return indices_.empty() ? id : indices_[id]; }

  std::uint64_t digest() const;

 private:
  std::vector<LpRecord> records_;
  std::string names_;                    // all names, one after another
  std::vector<std::uint32_t> name_end_;  // where each ends
  // Kept apart from the records, which other threads write.
  std::vector<GroupId> groups_;
  std::vector<PartitionId> partitions_;
  std::vector<std::uint32_t> indices_;
};

}  // namespace septet::engine
