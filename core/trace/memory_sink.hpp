// Keeps the rows of a run in memory: for summaries, timelines and tests.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/trace/table_rows.hpp"

namespace septet::trace {

class MemorySink : public RowSink {
 public:
  explicit MemorySink(const TraceSchema& schema);
  void consume(TableId table, std::span<const std::byte> row) override;

  const std::vector<TableRows>& tables() const { return tables_; }  // by id

  // In the order in which they came; none where the run has no such table.
  template <class Record>
  std::span<const Record> records() const {
    for (const TableRows& table : tables_) {
      if (table.spec.name == table_of<Record>().name) return table.as<Record>();
    }
    return {};
  }

 private:
  std::vector<TableRows> tables_;
};

// Hands every row to several sinks.
class TeeSink : public RowSink {
 public:
  explicit TeeSink(std::vector<RowSink*> sinks) : sinks_(std::move(sinks)) {}
  void consume(TableId table, std::span<const std::byte> row) override {
    for (RowSink* sink : sinks_) sink->consume(table, row);
  }

 private:
  std::vector<RowSink*> sinks_;
};

}  // namespace septet::trace
