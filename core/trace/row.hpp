// Trace rows as models emit them. A model appends rows while it handles an event; each row carries
// the key of that event, so that rows of many partitions merge into one order that does not depend
// on threads or partitioning. A row is the bytes of a plain struct; its table says which values
// stand where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::trace {

using TableId = std::uint16_t;

// Rows are this long, or a multiple of it.
constexpr std::size_t kRowAlignment = 8;

template <class Record>
std::span<const std::byte> row_of(const Record& record) {
  static_assert(std::is_trivially_copyable_v<Record>);
  static_assert(sizeof(Record) % kRowAlignment == 0 && alignof(Record) <= kRowAlignment);
  return std::as_bytes(std::span(&record, 1));
}

// Receives the rows of a run in their final order. Called from one thread at a time.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void consume(TableId table, std::span<const std::byte> row) = 0;
};

// Rows emitted by one partition and not yet drained, in emission order.
class RowBuffer {
 public:
  struct Row {
    Instant at;
    std::uint64_t order;  // Event::order of the event whose handler emitted the row
    std::uint32_t first;  // where its bytes begin, and how many there are, in kRowAlignment
    TableId table;
    std::uint16_t length;
  };

  void append(Instant at, std::uint64_t order, TableId table, std::span<const std::byte> row);
  const std::vector<Row>& rows() const { return rows_; }
  std::span<const std::byte> bytes(const Row& row) const {
    return {bytes_.data() + row.first * kRowAlignment, row.length * kRowAlignment};
  }
  bool empty() const { return rows_.empty(); }
  void clear();

 private:
  std::vector<Row> rows_;
  std::vector<std::byte> bytes_;
};

// Hands all rows of `buffers` to `sink` in (at, order, emission) order and clears the buffers.
void drain(std::span<RowBuffer* const> buffers, RowSink& sink);

}  // namespace septet::trace
