// The utilization of links over time as counters: table /links of a result file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/records/link_records.hpp"
#include "tools/septet/export/run_tables.hpp"
#include "tools/septet/export/timeline.hpp"

namespace septet::command {

// Of the links that were busy most, at most 16, busiest first; their values are shares of what a
// link can carry. A note says where there are more. Throws ConfigError where a link has no name.
std::vector<TimelineCounter> link_counters(std::span<const records::LinkRecord> rows,
                                           const RunTables& run, std::vector<std::string>& notes);

// Adds them to a timeline whose groups are complete, in a group of their own.
void add_link_counters(std::vector<TimelineCounter> counters, Timeline& timeline);

}  // namespace septet::command
