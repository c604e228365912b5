// Keeps rows as plain numbers, in the order in which they came.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/logical_process.hpp"
#include "core/trace/row.hpp"

namespace septet::testing_support {

// Emits a row of `numbers`.
template <std::size_t N>
void emit_numbers(engine::Context& context, trace::TableId table,
                  const std::int64_t (&numbers)[N]) {
  std::array<std::int64_t, N> row{};
  std::copy(std::begin(numbers), std::end(numbers), row.begin());
  context.emit(table, row);
}

class RecordingSink : public trace::RowSink {
 public:
  using Row = std::vector<std::int64_t>;

  void consume(trace::TableId table, std::span<const std::byte> bytes) override {
    Row row(1 + bytes.size() / sizeof(std::int64_t), table);
    if (!bytes.empty()) std::memcpy(&row[1], bytes.data(), bytes.size());
    rows.push_back(std::move(row));
  }

  std::vector<Row> rows;
};

}  // namespace septet::testing_support
