// The results of a sweep as one table, in the order of its description: CSV, and HDF5 as traces
// are (core/trace/hdf5_writer.hpp).
//
// Columns: point, status, the keys of the axes, the outputs, message. Keys whose values are all
// numbers are numbers; others are text as in the scenario. What is not known is empty in CSV, NaN
// in HDF5. Nothing in it depends on when, where or on how many threads it was made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/sweep/journal.hpp"

namespace septet::sweep {

struct ResultTable {
  std::vector<std::string> keys;
  std::vector<Output> outputs;
  struct Row {
    const Point* point = nullptr;
    PointResult result;
  };
  std::vector<Row> rows;  // of points that have a result
};

// `wanted`: names of outputs, in their order; empty: all. Throws ConfigError, located at `where`,
// for one that there isn't.
ResultTable table_of(const Points& points, const Results& results,
                     const std::vector<Output>& outputs, const std::vector<std::string>& wanted,
                     const Location& where);

std::string csv_of(const ResultTable& table);

// `tool_version` and `sweep` become attributes; `scenario_toml` lies in /meta.
void write_hdf5(const ResultTable& table, const std::filesystem::path& path,
                const std::string& tool_version, const std::string& sweep,
                const std::string& scenario_toml);

}  // namespace septet::sweep
