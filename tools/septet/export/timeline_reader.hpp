// A timeline out of a result file of Septet. Every table with the columns `start` and `end` becomes
// slices: on the track of its `device` and `stream`, else of its `thread`, else of the table. Names
// come from the column `name`; other columns of integers, codes and enumerations become arguments
// (of times only `waited`). A table with a column `time` instead becomes one counter for each of
// its columns of real numbers.
#pragma once

#include <string>

#include "tools/septet/export/timeline.hpp"

namespace septet {

// ConfigError where the file is missing, broken, or has nothing to show. The slices are sorted.
Timeline read_timeline(const std::string& path);

}  // namespace septet
