// Reads the tables of an Nsight Systems export that Septet uses, in whatever version of the schema:
// columns and tables that are missing read as absent.
#pragma once

#include "models/workload/recorded/nsys/nsys_builder.hpp"
#include "models/workload/recorded/nsys/sqlite_file.hpp"

namespace septet::recorded {

// Throws ConfigError when the file has none of the tables of GPU work.
RecordedTrace read_nsys_tables(const SqliteFile& file, NsysBuilder& builder);

}  // namespace septet::recorded
