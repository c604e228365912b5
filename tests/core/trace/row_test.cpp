#include "core/trace/row.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/random.hpp"

namespace septet {
namespace {

// Remembers what it was handed: table and first cell.
class Recorder : public RowSink {
 public:
  void consume(TableId table, std::span<const Cell> cells) override {
    rows.emplace_back(table, cells.empty() ? -1 : cells.front().integer());
  }
  std::vector<std::pair<TableId, std::int64_t>> rows;
};

using Rows = std::vector<std::pair<TableId, std::int64_t>>;

TEST(Cell, KeepsEveryTypeExactly) {
  EXPECT_EQ(Cell(std::int64_t{-5}).integer(), -5);
  EXPECT_EQ(Cell(0.1).real(), 0.1);
  EXPECT_EQ(Cell(Instant(7)).integer(), 7);
  EXPECT_EQ(Cell(Bytes(9)).integer(), 9);
  EXPECT_EQ(Cell(4'000'000'000U).integer(), 4'000'000'000);
}

TEST(RowBuffer, KeepsRowsOfDifferentLengths) {
  RowBuffer buffer;
  buffer.append(Instant(1), 10, 3, {1, 2, 3});
  buffer.append(Instant(2), 11, 4, {});
  buffer.append(Instant(2), 11, 5, {4});
  ASSERT_EQ(buffer.rows().size(), 3U);
  EXPECT_EQ(buffer.cells(buffer.rows()[0]).size(), 3U);
  EXPECT_EQ(buffer.cells(buffer.rows()[0])[2].integer(), 3);
  EXPECT_TRUE(buffer.cells(buffer.rows()[1]).empty());
  EXPECT_EQ(buffer.cells(buffer.rows()[2])[0].integer(), 4);
  buffer.clear();
  EXPECT_TRUE(buffer.empty());
}

TEST(Drain, OrdersByTimeThenEventThenEmission) {
  RowBuffer a;
  a.append(Instant(5), 2, 0, {1});  // of one event, two rows: emission order
  a.append(Instant(5), 2, 0, {2});
  a.append(Instant(9), 0, 0, {3});
  RowBuffer b;
  b.append(Instant(4), 9, 1, {4});  // earliest time, whatever its order
  b.append(Instant(5), 1, 1, {5});
  b.append(Instant(5), 3, 1, {6});
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
      buffers[e.order % partitions].append(e.at, e.order, 0, {e.value});
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
  buffer.append(Instant(5), 0, 0, {1});
  buffer.append(Instant(4), 0, 0, {2});
  RowBuffer* const buffers[] = {&buffer};
  Recorder recorder;
  EXPECT_DEATH(drain(buffers, recorder), "before");
}

}  // namespace
}  // namespace septet
