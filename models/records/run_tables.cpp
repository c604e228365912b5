#include "models/records/run_tables.hpp"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/trace/summary.hpp"
#include "models/records/api_call_record.hpp"
#include "models/records/bottleneck_record.hpp"
#include "models/records/collective_record.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/graph_records.hpp"
#include "models/records/link_records.hpp"

namespace septet {
namespace {

std::string stored_as(const ColumnSpec& column) {
  if (!column.dictionary.empty()) return "code of `" + column.dictionary + "`";
  switch (column.type) {
    case ColumnType::kInt64:
      return "int64";
    case ColumnType::kInt32:
      return "int32";
    case ColumnType::kUint8:
      return "enumeration";
    case ColumnType::kFloat64:
      return "float64";
    case ColumnType::kFloat32:
      break;
  }
  return "float32";
}

std::string row_of_reference(const ColumnSpec& column) {
  std::string meaning = column.long_name;
  if (!column.flags.empty()) meaning += fmt::format(": `{}`", fmt::join(column.flags, "`, `"));
  return fmt::format("| `{}` | {} | {} | {} |\n", column.name, stored_as(column), column.units,
                     meaning);
}

std::string reference_of(const TableSpec& table) {
  std::string out = fmt::format(
      "### /{}\n\nHolds {}; dimension `{}`.\n\n| column | stored as | unit | meaning "
      "|\n|---|---|---|---|\n",
      table.name, table.long_name, table.dimension);
  for (const ColumnSpec& column : table.columns) out += row_of_reference(column);
  return out;
}

template <class Record>
std::string reference_of() {
  const SmallTable<Record>& table = small_table_of<Record>();
  std::string out = fmt::format(
      "### /{}\n\nCompound: {}.\n\n| field | stored as | unit | meaning |\n|---|---|---|---|\n",
      table.name, table.long_name);
  for (const SmallColumn<Record>& field : table.fields) {
    constexpr const char* kKinds[] = {"text", "int64", "float64"};
    const std::size_t kind = field.member.index();
    out += fmt::format("| `{}` | {} | {} | {} |\n", field.name, kKinds[kind],
                       kind == 0 ? "" : field.units, field.long_name);
  }
  return out;
}

}  // namespace

const std::vector<TableSpec>& run_tables() {
  static const std::vector<TableSpec> kTables = {
      table_of<ApiCallRecord>(), table_of<KernelRecord>(),     table_of<CopyRecord>(),
      table_of<EventRecord>(),   table_of<CollectiveRecord>(), table_of<LinkRecord>()};
  return kTables;
}

std::string tables_reference() {
  std::string out;
  for (const TableSpec& table : run_tables()) out += reference_of(table) + "\n";
  out += reference_of<GraphRecord>() + "\n" + reference_of<GraphEdgeRecord>() + "\n" +
         reference_of<LinkEndsRecord>() + "\n" + reference_of<SummaryRow>() + "\n" +
         reference_of<BottleneckRecord>();
  return out;
}

}  // namespace septet
