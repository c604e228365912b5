#include "core/trace/row.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/random.hpp"

namespace septet::trace {
namespace {

// Remembers what it was handed: table and first number.
class Recorder : public RowSink {
 public:
  void consume(TableId table, std::span<const std::byte> row) override {
    std::int64_t first = -1;
    if (!row.empty()) std::memcpy(&first, row.data(), sizeof first);
    rows.emplace_back(table, first);
  }
  std::vector<std::pair<TableId, std::int64_t>> rows;
};

using Rows = std::vector<std::pair<TableId, std::int64_t>>;

using Numbers = std::vector<std::int64_t>;

void append(RowBuffer& buffer, Instant at, std::uint64_t order, TableId table, const Numbers& row) {
  buffer.append(at, order, table, std::as_bytes(std::span(row)));
}

Numbers numbers_of(const RowBuffer& buffer, std::size_t row) {
  const std::span<const std::byte> bytes = buffer.bytes(buffer.rows()[row]);
  Numbers out(bytes.size() / sizeof(std::int64_t));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

TEST(RowBuffer, KeepsRowsOfDifferentLengths) {
  RowBuffer buffer;
  append(buffer, Instant(1), 10, 3, {1, 2, 3});
  append(buffer, Instant(2), 11, 4, {});
  append(buffer, Instant(2), 11, 5, {4});
  ASSERT_EQ(buffer.rows().size(), 3U);
  EXPECT_EQ(numbers_of(buffer, 0), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers_of(buffer, 1), Numbers());
  EXPECT_EQ(numbers_of(buffer, 2), Numbers{4});
  buffer.clear();
  EXPECT_TRUE(buffer.empty());
}

TEST(Row, IsTheBytesOfAStruct) {
  struct Record {
    Instant at;
    double share = 0;
  };
  const Record record{Instant(7), 0.1};
  Record copy;
  const std::span<const std::byte> row = row_of(record);
  ASSERT_EQ(row.size(), sizeof copy);
  std::memcpy(&copy, row.data(), sizeof copy);
  EXPECT_EQ(copy.at, Instant(7));
  EXPECT_EQ(copy.share, 0.1);
}

TEST(Drain, OrdersByTimeThenEventThenEmission) {
  RowBuffer a;
  append(a, Instant(5), 2, 0, {1});  // of one event, two rows: emission order
  append(a, Instant(5), 2, 0, {2});
  append(a, Instant(9), 0, 0, {3});
  RowBuffer b;
  append(b, Instant(4), 9, 1, {4});  // earliest time, whatever its order
  append(b, Instant(5), 1, 1, {5});
  append(b, Instant(5), 3, 1, {6});
  Recorder recorder;
  RowBuffer* const buffers[] = {&a, &b};
  drain(buffers, recorder);
  EXPECT_EQ(recorder.rows, (Rows{{1, 4}, {1, 5}, {0, 1}, {0, 2}, {1, 6}, {0, 3}}));
  EXPECT_TRUE(a.empty());
  EXPECT_TRUE(b.empty());
}

TEST(Drain, DoesNotDependOnHowRowsArePartitioned) {
  // Events with unique orders and repeated times, one to three rows each, dealt to partitions.
  struct Emitted {
    Instant at;
    std::uint64_t order;
    std::int64_t value;
  };
  RandomStream random({4, 0, 0});
  std::vector<Emitted> emitted;
  std::int64_t value = 0;
  for (std::uint64_t order = 0; order < 3000; ++order) {
    const Instant at(static_cast<std::int64_t>(random.below(200)));
    for (std::uint64_t rows = 1 + random.below(3); rows > 0; --rows) {
      emitted.push_back({at, order, value++});
    }
  }
  std::ranges::sort(emitted, {},
                    [](const Emitted& e) { return std::tuple(e.at, e.order, e.value); });
  Rows expected;
  for (const Emitted& e : emitted) expected.emplace_back(TableId{0}, e.value);

  for (const std::size_t partitions : {1U, 2U, 7U, 64U}) {
    std::vector<RowBuffer> buffers(partitions);
    for (const Emitted& e : emitted) {
      append(buffers[e.order % partitions], e.at, e.order, 0, {e.value});
    }
    std::vector<RowBuffer*> pointers;
    for (RowBuffer& buffer : buffers) pointers.push_back(&buffer);
    Recorder recorder;
    drain(pointers, recorder);
    EXPECT_EQ(recorder.rows, expected) << partitions << " partitions";
  }
}

TEST(Drain, OfNothingHandsOutNothing) {
  RowBuffer empty;
  RowBuffer* const buffers[] = {&empty};
  Recorder recorder;
  drain(buffers, recorder);
  drain({}, recorder);
  EXPECT_TRUE(recorder.rows.empty());
}

TEST(DrainDeathTest, NoticesAPartitionThatWentBackInTime) {
  RowBuffer buffer;
  append(buffer, Instant(5), 0, 0, {1});
  append(buffer, Instant(4), 0, 0, {2});
  RowBuffer* const buffers[] = {&buffer};
  Recorder recorder;
  EXPECT_DEATH(drain(buffers, recorder), "before");
}

}  // namespace
}  // namespace septet::trace
