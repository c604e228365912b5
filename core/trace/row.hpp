// Trace rows as models emit them. A model appends rows while it handles an event; each row carries
// the key of that event, so that rows of many partitions merge into one order that does not depend
// on threads or partitioning.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet {

using TableId = std::uint16_t;

// One value of a row, 64 bits wide; the column's type says how to read it.
class Cell {
 public:
  constexpr Cell() = default;
  constexpr Cell(std::int64_t value) : bits_(static_cast<std::uint64_t>(value)) {}
  constexpr Cell(std::int32_t value) : Cell(static_cast<std::int64_t>(value)) {}
  constexpr Cell(std::uint32_t value) : Cell(static_cast<std::int64_t>(value)) {}
  constexpr Cell(double value) : bits_(std::bit_cast<std::uint64_t>(value)) {}
  constexpr Cell(Instant value) : Cell(value.count()) {}
  constexpr Cell(Duration value) : Cell(value.count()) {}
  constexpr Cell(Bytes value) : Cell(value.count()) {}

  constexpr std::int64_t integer() const { return static_cast<std::int64_t>(bits_); }
  constexpr double real() const { return std::bit_cast<double>(bits_); }

 private:
  std::uint64_t bits_ = 0;
};

// Receives the rows of a run in their final order. Called from one thread at a time.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void consume(TableId table, std::span<const Cell> cells) = 0;
};

// Rows that one partition emitted and nobody has taken yet, in emission order.
class RowBuffer {
 public:
  struct Row {
    Instant at;
    std::uint64_t order;  // Event::order of the event whose handler emitted the row
    std::uint32_t first;  // index of the first cell
    TableId table;
    std::uint16_t cells;
  };

  void append(Instant at, std::uint64_t order, TableId table, std::initializer_list<Cell> cells);
  const std::vector<Row>& rows() const { return rows_; }
  std::span<const Cell> cells(const Row& row) const {
    return {cells_.data() + row.first, row.cells};
  }
  bool empty() const { return rows_.empty(); }
  void clear();

 private:
  std::vector<Row> rows_;
  std::vector<Cell> cells_;
};

// Hands all rows of `buffers` to `sink` in (at, order, emission) order and clears the buffers.
void drain(std::span<RowBuffer* const> buffers, RowSink& sink);

}  // namespace septet
