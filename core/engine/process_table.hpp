// The logical processes of a simulation, and what the engine keeps for each: 32 bytes, a name and
// the numbers of its group, its partition and its place there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/process.hpp"
#include "core/engine/simulation.hpp"

namespace septet {

// What changes with every event, two in a cache line.
struct alignas(32) ProcessRecord {
  std::unique_ptr<LogicalProcess> process;
  std::uint64_t digest = 0;
  std::uint64_t sequence = 0;  // of the next event that this process schedules
};

using PartitionId = std::uint16_t;

class ProcessTable {
 public:
  ProcessId add(std::unique_ptr<LogicalProcess> process, GroupId group, std::string_view name);

  std::uint32_t size() const { return static_cast<std::uint32_t>(records_.size()); }
  ProcessRecord& operator[](ProcessId id) { return records_[id]; }
  const ProcessRecord& operator[](ProcessId id) const { return records_[id]; }
  GroupId group(ProcessId id) const { return groups_[id]; }

  // "process 7 ('node0.gpu1')", for errors.
  std::string label(ProcessId id) const;

  // In which partition each process runs. Empty: all run in partition 0.
  void set_partitions(std::vector<PartitionId> partitions);
  PartitionId partition(ProcessId id) const {
    return partitions_.empty() ? PartitionId{0} : partitions_[id];
  }
  // Which one of the processes of its partition it is, in the order of their ids.
  std::uint32_t place(ProcessId id) const { return places_.empty() ? id : places_[id]; }

  std::uint64_t digest() const;

 private:
  std::vector<ProcessRecord> records_;
  std::string names_;                    // all names, one after another
  std::vector<std::uint32_t> name_end_;  // where each ends
  // Kept apart from the records, which other threads write.
  std::vector<GroupId> groups_;
  std::vector<PartitionId> partitions_;
  std::vector<std::uint32_t> places_;
};

}  // namespace septet
