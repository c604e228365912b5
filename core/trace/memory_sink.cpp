#include "core/trace/memory_sink.hpp"

#include "core/base/error.hpp"

namespace septet::trace {

MemorySink::MemorySink(const TraceSchema& schema) {
  for (const TableSpec& table : schema.tables()) tables_.push_back({table, {}});
}

void MemorySink::consume(TableId table, std::span<const std::byte> row) {
  SEPTET_ASSERT(table < tables_.size());
  TableRows& rows = tables_[table];
  SEPTET_ASSERT(row.size() == rows.spec.row_size);
  rows.bytes.insert(rows.bytes.end(), row.begin(), row.end());
}

}  // namespace septet::trace
