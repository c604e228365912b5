#include "models/workload/recorded/septet/trace_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet {

TraceTable::TraceTable(const Hdf5Reader& file, std::string path, std::string name)
    : file_(file), path_(std::move(path)), spec_(file.table(name)), rows_(file.rows(name)) {}

void TraceTable::refuse(const std::string& column, std::size_t row, const std::string& got,
                        const std::string& wanted) const {
  throw ConfigError::value({path_}, fmt::format("{}/{}, row {}", spec_.name, column, row), got,
                           wanted);
}

TraceTable::Values TraceTable::column(const std::string& name, std::int64_t low,
                                      std::int64_t high) const {
  // A run that ended before the first row of a table leaves it without columns.
  if (spec_.columns.empty() && rows_ == 0) return {};
  Values values = file_.integers(spec_.name, name);
  if (values.size() != rows_) {
    throw ConfigError::value({path_}, fmt::format("{}/{}", spec_.name, name),
                             fmt::format("{} values", values.size()),
                             fmt::format("{}, one for each row of the table", rows_));
  }
  const auto wrong = std::find_if(values.begin(), values.end(),
                                  [&](std::int64_t v) { return v < low || v > high; });
  if (wrong != values.end()) {
    refuse(name, static_cast<std::size_t>(wrong - values.begin()), std::to_string(*wrong),
           fmt::format("{} to {}", low, high));
  }
  return values;
}

TraceTable::Values TraceTable::choices(const std::string& name,
                                       std::span<const std::string_view> names) const {
  if (spec_.columns.empty() && rows_ == 0) return {};
  const auto spec = std::find_if(spec_.columns.begin(), spec_.columns.end(),
                                 [&name](const ColumnSpec& c) { return c.name == name; });
  const std::vector<std::string> flags =
      spec == spec_.columns.end() ? std::vector<std::string>{} : spec->flags;
  Values values = column(name, 0, 255);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto code = static_cast<std::size_t>(values[row]);
    const auto found =
        code < flags.size() ? std::find(names.begin(), names.end(), flags[code]) : names.end();
    if (found == names.end()) {
      refuse(name, row, code < flags.size() ? flags[code] : std::to_string(code),
             fmt::format("one of {}", fmt::join(names, ", ")));
    }
    values[row] = found - names.begin();
  }
  return values;
}

TraceTable::Values compound_column(const std::vector<CompoundColumn>& table,
                                   const std::string& path, const std::string& table_name,
                                   std::string_view column) {
  for (const CompoundColumn& each : table) {
    if (each.name != column) continue;
    if (const auto* values = std::get_if<TraceTable::Values>(&each.values)) return *values;
    throw ConfigError({path}, fmt::format("{}/{} does not hold integers", table_name, column));
  }
  throw ConfigError({path}, fmt::format("{} has no {}", table_name, column));
}

}  // namespace septet
