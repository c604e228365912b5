// All tables of a trace file, for what goes through them.
#pragma once

#include <string>
#include <vector>

#include "core/trace/table.hpp"

namespace septet::records {

// The large tables, in the order of a file.
const std::vector<trace::TableSpec>& run_tables();

// The reference of all tables, as FORMAT.md shows it: Markdown generated from their declarations.
std::string tables_reference();

}  // namespace septet::records
