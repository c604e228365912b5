#include "core/trace/memory_sink.hpp"

#include "core/base/error.hpp"

namespace septet {

MemorySink::MemorySink(const TraceSchema& schema) {
  for (const TableSpec& table : schema.tables()) columns_.emplace_back(table.columns.size());
}

void MemorySink::consume(TableId table, std::span<const Cell> cells) {
  SEPTET_ASSERT(table < columns_.size());
  auto& columns = columns_[table];
  SEPTET_ASSERT(cells.size() == columns.size());
  for (std::size_t i = 0; i < cells.size(); ++i) columns[i].push_back(cells[i]);
}

std::size_t MemorySink::rows(TableId table) const {
  SEPTET_ASSERT(table < columns_.size());
  return columns_[table].front().size();
}

const std::vector<Cell>& MemorySink::column(TableId table, std::size_t column) const {
  SEPTET_ASSERT(table < columns_.size() && column < columns_[table].size());
  return columns_[table][column];
}

}  // namespace septet
