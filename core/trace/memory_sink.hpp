// Keeps the rows of a run in memory, column by column: for summaries, exports and tests.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/trace/table.hpp"

namespace septet {

class MemorySink : public RowSink {
 public:
  explicit MemorySink(const TraceSchema& schema);
  void consume(TableId table, std::span<const Cell> cells) override;

  std::size_t rows(TableId table) const;
  const std::vector<Cell>& column(TableId table, std::size_t column) const;

 private:
  std::vector<std::vector<std::vector<Cell>>> columns_;  // [table][column][row]
};

// Hands every row to several sinks.
class TeeSink : public RowSink {
 public:
  explicit TeeSink(std::vector<RowSink*> sinks) : sinks_(std::move(sinks)) {}
  void consume(TableId table, std::span<const Cell> cells) override {
    for (RowSink* sink : sinks_) sink->consume(table, cells);
  }

 private:
  std::vector<RowSink*> sinks_;
};

}  // namespace septet
