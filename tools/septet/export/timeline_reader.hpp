// A timeline from the rows of a run. Every table with the columns `start` and `end` becomes slices:
// on the track of its `device` and `stream`, else of its `thread`, else of the table. Names come
// from the column `name`; other columns of whole numbers, codes and enumerations become arguments
// (of times only `waited`). A table with a column `time` instead becomes one counter for each of
// its columns of real numbers.
#pragma once

#include <string>

#include "tools/septet/export/run_tables.hpp"
#include "tools/septet/export/timeline.hpp"

namespace septet::command {

// The slices are sorted. ConfigError where a row ends before it starts or a code has no text.
Timeline timeline_of(const RunTables& run);

// Of a result file. ConfigError where it is missing, broken, or has nothing to show.
Timeline read_timeline(const std::string& path);

}  // namespace septet::command
