#include "core/trace/table.hpp"

#include <limits>
#include <set>
#include <utility>

#include "core/base/error.hpp"

namespace septet {
namespace {

void check_columns(const TableSpec& spec) {
  SEPTET_ASSERT(!spec.columns.empty());
  std::set<std::string_view> names = {spec.dimension};  // the scale is a dataset of the group too
  for (const ColumnSpec& column : spec.columns) {
    SEPTET_ASSERT(!column.name.empty() && names.insert(column.name).second);
    SEPTET_ASSERT(column.flags.empty() || column.type == ColumnType::kUint8);
    SEPTET_ASSERT(column.flags.size() <= 256);
    for (const std::string& flag : column.flags) {  // files list them with blanks between
      SEPTET_ASSERT(!flag.empty() && flag.find(' ') == std::string::npos);
    }
    SEPTET_ASSERT(column.dictionary.empty() || column.type == ColumnType::kInt32);
  }
}

}  // namespace

TableId TraceSchema::add(TableSpec spec) {
  SEPTET_ASSERT(!spec.name.empty() && !spec.dimension.empty());
  SEPTET_ASSERT(tables_.size() < std::numeric_limits<TableId>::max());
  for (const TableSpec& other : tables_) SEPTET_ASSERT(other.name != spec.name);
  check_columns(spec);
  tables_.push_back(std::move(spec));
  return static_cast<TableId>(tables_.size() - 1);
}

std::int32_t Dictionary::code(std::string_view text) {
  const auto [entry, added] =
      codes_.try_emplace(std::string(text), static_cast<std::int32_t>(texts_.size()));
  if (added) texts_.emplace_back(text);
  return entry->second;
}

}  // namespace septet
