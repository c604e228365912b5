// Merges recordings of several ranks of one run into one Program: a process and a device for each.
//
// Their clocks are assumed to be the same (profiler time stamps of one machine, or synchronised
// ones): a rank whose recording begins later begins later in the Program as well. A collective is
// found by its group and its place in the sequence of the group's calls, where all ranks have as
// many and the partners overlap and end within a quarter of the shortest; else kernels of the same
// name that end together on several ranks are one: within a hundredth of the shorter one, or 20 us.
// It lasts from the start of its last rank to its end, so without a change the recorded times come
// out, and a rank that is late in a what-if delays the others. A kernel that ends with none of
// another rank, because that rank's recording is not there, keeps its recorded duration, waiting
// included.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/recorded/import/importer.hpp"

namespace septet::recorded {

struct RankRecording {
  Import import;
  std::int64_t begin_ns = 0;  // absolute time of the import's beginning, see begin_of()
};

// When the window that `import` describes began, by the recording's absolute clock.
std::int64_t begin_of(const RecordedTrace& trace, const Import& import);

// At least one recording. The latencies are those of the first; import the others with them
// (ImportOptions::latencies). Counts what was matched in `anomalies`.
Import join_ranks(std::vector<RankRecording> ranks);

}  // namespace septet::recorded
