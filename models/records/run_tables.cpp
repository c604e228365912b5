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
#include "models/records/input_record.hpp"
#include "models/records/link_records.hpp"
#include "models/records/request_record.hpp"
#include "models/records/serving_step_record.hpp"

namespace septet::records {
namespace {

std::string stored_as(const trace::ColumnSpec& column) {
  if (!column.dictionary.empty()) return "code of `" + column.dictionary + "`";
  switch (column.type) {
    case trace::ColumnType::kInt64:
      return "int64";
    case trace::ColumnType::kInt32:
      return "int32";
    case trace::ColumnType::kUint8:
      return "enumeration";
    case trace::ColumnType::kFloat64:
      return "float64";
    case trace::ColumnType::kFloat32:
      break;
  }
  return "float32";
}

std::string row_of_reference(const trace::ColumnSpec& column) {
  std::string meaning = column.long_name;
  if (!column.flags.empty()) meaning += fmt::format(": `{}`", fmt::join(column.flags, "`, `"));
  return fmt::format("| `{}` | {} | {} | {} |\n", column.name, stored_as(column), column.units,
                     meaning);
}

std::string reference_of(const trace::TableSpec& table) {
  std::string out = fmt::format(
      "### /{}\n\nHolds {}; dimension `{}`.\n\n| column | stored as | unit | meaning "
      "|\n|---|---|---|---|\n",
      table.name, table.long_name, table.dimension);
  for (const trace::ColumnSpec& column : table.columns) out += row_of_reference(column);
  return out;
}

template <class Record>
std::string reference_of() {
  const trace::SmallTable<Record>& table = trace::small_table_of<Record>();
  std::string out = fmt::format(
      "### /{}\n\nCompound: {}.\n\n| field | stored as | unit | meaning |\n|---|---|---|---|\n",
      table.name, table.long_name);
  for (const trace::SmallColumn<Record>& field : table.fields) {
    constexpr const char* kKinds[] = {"text", "int64", "float64"};
    const std::size_t kind = field.member.index();
    out += fmt::format("| `{}` | {} | {} | {} |\n", field.name, kKinds[kind],
                       kind == 0 ? "" : field.units, field.long_name);
  }
  return out;
}

}  // namespace

const std::vector<trace::TableSpec>& run_tables() {
  static const std::vector<trace::TableSpec> kTables = {
      trace::table_of<ApiCallRecord>(),    trace::table_of<KernelRecord>(),
      trace::table_of<CopyRecord>(),       trace::table_of<EventRecord>(),
      trace::table_of<CollectiveRecord>(), trace::table_of<LinkRecord>(),
      trace::table_of<RequestRecord>(),    trace::table_of<ServingStepRecord>()};
  return kTables;
}

std::string tables_reference() {
  std::string out;
  for (const trace::TableSpec& table : run_tables()) out += reference_of(table) + "\n";
  out += reference_of<GraphRecord>() + "\n" + reference_of<GraphEdgeRecord>() + "\n" +
         reference_of<LinkEndsRecord>() + "\n" + reference_of<trace::SummaryRow>() + "\n" +
         reference_of<BottleneckRecord>() + "\n" + reference_of<InputRecord>();
  return out;
}

}  // namespace septet::records
