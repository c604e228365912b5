// Keeps rows as plain numbers, in the order in which they came.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/row.hpp"

namespace septet::testing_support {

class RecordingSink : public RowSink {
 public:
  using Row = std::vector<std::int64_t>;

  void consume(TableId table, std::span<const Cell> cells) override {
    Row row{table};
    for (const Cell& cell : cells) row.push_back(cell.integer());
    rows.push_back(std::move(row));
  }

  std::vector<Row> rows;
};

}  // namespace septet::testing_support
