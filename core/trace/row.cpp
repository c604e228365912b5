#include "core/trace/row.hpp"

#include <limits>
#include <queue>
#include <utility>

#include "core/base/error.hpp"

namespace septet::trace {
namespace {

// The next row of one buffer, as the merge sees it.
struct Head {
  const RowBuffer* buffer;
  std::size_t row;
  std::size_t rank;  // position of the buffer among those drained

  const RowBuffer::Row& get() const { return buffer->rows()[row]; }
};

bool before(const RowBuffer::Row& a, const RowBuffer::Row& b) {
  return a.at != b.at ? a.at < b.at : a.order < b.order;
}

// std::priority_queue hands out its largest element, so this is "a comes after b".
struct After {
  bool operator()(const Head& a, const Head& b) const {
    if (before(a.get(), b.get())) return false;
    if (before(b.get(), a.get())) return true;
    return a.rank > b.rank;
  }
};

using Heads = std::priority_queue<Head, std::vector<Head>, After>;

Heads first_rows(std::span<RowBuffer* const> buffers) {
  Heads heads;
  for (std::size_t rank = 0; rank < buffers.size(); ++rank) {
    if (!buffers[rank]->empty()) heads.push({buffers[rank], 0, rank});
  }
  return heads;
}

// Hands out the rows of `head` up to the first one that another buffer must precede. Rows of one
// buffer are sorted already, because a partition handles its events in order; this is checked.
void hand_out_run(Head& head, const Heads& others, RowSink& sink) {
  const auto& rows = head.buffer->rows();
  do {
    const RowBuffer::Row& row = rows[head.row];
    sink.consume(row.table, head.buffer->bytes(row));
    ++head.row;
    SEPTET_ASSERT(head.row == rows.size() || !before(rows[head.row], row));
  } while (head.row < rows.size() && (others.empty() || !After{}(head, others.top())));
}

}  // namespace

void RowBuffer::append(Instant at, std::uint64_t order, TableId table,
                       std::span<const std::byte> row) {
  const std::size_t first = bytes_.size() / kRowAlignment;
  const std::size_t length = row.size() / kRowAlignment;
  SEPTET_ASSERT(length <= std::numeric_limits<std::uint16_t>::max());
  SEPTET_ASSERT(first <= std::numeric_limits<std::uint32_t>::max());
  rows_.push_back(
      {at, order, static_cast<std::uint32_t>(first), table, static_cast<std::uint16_t>(length)});
  bytes_.insert(bytes_.end(), row.begin(), row.end());
}

void RowBuffer::clear() {
  rows_.clear();
  bytes_.clear();
}

void drain(std::span<RowBuffer* const> buffers, RowSink& sink) {
  Heads heads = first_rows(buffers);
  while (!heads.empty()) {
    Head head = heads.top();
    heads.pop();
    hand_out_run(head, heads, sink);
    if (head.row < head.buffer->rows().size()) heads.push(head);
  }
  for (RowBuffer* buffer : buffers) buffer->clear();
}

}  // namespace septet::trace
