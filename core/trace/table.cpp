#include "core/trace/table.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::trace {
namespace {

void check_columns(const TableSpec& spec) {
  SEPTET_ASSERT(!spec.columns.empty());
  SEPTET_ASSERT(spec.row_size > 0 && spec.row_size % kRowAlignment == 0);
  std::set<std::string_view> names = {spec.dimension};  // the scale is a dataset of the group too
  for (const ColumnSpec& column : spec.columns) {
    SEPTET_ASSERT(!column.name.empty() && names.insert(column.name).second);
    SEPTET_ASSERT(column.offset + size_of(column.type) <= spec.row_size);
    SEPTET_ASSERT(column.flags.empty() || column.type == ColumnType::kUint8);
    SEPTET_ASSERT(column.flags.size() <= 256);
    for (const std::string& flag : column.flags) {  // files list them with blanks between
      SEPTET_ASSERT(!flag.empty() && flag.find(' ') == std::string::npos);
    }
    SEPTET_ASSERT(column.dictionary.empty() || column.type == ColumnType::kInt32);
  }
}

}  // namespace

std::size_t size_of(ColumnType type) {
  switch (type) {
    case ColumnType::kInt64:
    case ColumnType::kFloat64:
      return 8;
    case ColumnType::kInt32:
    case ColumnType::kFloat32:
      return 4;
    case ColumnType::kUint8:
      break;
  }
  return 1;
}

ColumnSpec ColumnSpec::code_of(std::string name_of_dictionary) && {
  dictionary = std::move(name_of_dictionary);
  return std::move(*this);
}

ColumnSpec ColumnSpec::in(std::string symbol) && {
  units = std::move(symbol);
  return std::move(*this);
}

ColumnSpec ColumnSpec::range(std::int64_t from, std::int64_t to) && {
  least = from;
  most = to;
  return std::move(*this);
}

ColumnSpec ColumnSpec::absent_as(std::int64_t value, const std::string& where) && {
  absent = value;
  least = std::min(least, value);
  long_name += fmt::format(", {} {}", value, where);
  return std::move(*this);
}

ColumnSpec ColumnSpec::formerly(std::string older_name) && {
  former_name = std::move(older_name);
  return std::move(*this);
}

ColumnSpec ColumnSpec::formerly(std::string older_flag, std::string flag) && {
  former_flags.emplace_back(std::move(older_flag), std::move(flag));
  return std::move(*this);
}

TableSpec packed(TableSpec spec) {
  const auto up_to = [](std::size_t offset, std::size_t unit) {
    return (offset + unit - 1) / unit * unit;
  };
  std::size_t end = 0;
  for (ColumnSpec& column : spec.columns) {
    const std::size_t size = size_of(column.type);
    column.offset = up_to(end, size);
    end = column.offset + size;
  }
  spec.row_size = up_to(end, kRowAlignment);
  return spec;
}

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

}  // namespace septet::trace
