#include "core/trace/memory_sink.hpp"

#include <gtest/gtest.h>

#include "tests/core/trace/sample.hpp"

namespace septet::trace {
namespace {

using sample::KernelRow;

TEST(MemorySink, KeepsRowsAsRecords) {
  MemorySink sink(sample::schema());
  sample::write_kernels(sink, 10, 13);
  const std::span<const KernelRow> rows = sink.records<KernelRow>();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].start, Instant(12'000));
  EXPECT_EQ(rows[0].kernel, 1);    // 10 % 3
  EXPECT_EQ(rows[1].power, 5.5F);  // 11 / 2
  EXPECT_TRUE(sink.records<sample::LinkRow>().empty());
}

TEST(MemorySink, HasNoRowsOfTablesThatTheRunDoesNotHave) {
  TraceSchema schema;
  schema.add(table_of<sample::LinkRow>());
  EXPECT_TRUE(MemorySink(schema).records<KernelRow>().empty());
}

TEST(MemorySink, GivesSingleValues) {
  MemorySink sink(sample::schema());
  sample::write_kernels(sink, 10, 13);
  const TableRows& table = sink.tables()[sample::kKernels];
  const std::vector<ColumnSpec>& columns = table.spec.columns;
  EXPECT_EQ(table.integer(columns[0], 1), 11'000);
  EXPECT_EQ(table.integer(columns[2], 1), 3);  // 11 % 4
  EXPECT_EQ(table.real(columns[3], 2), 12.0 / 7);
  EXPECT_EQ(table.real(columns[4], 1), 5.5);
}

TEST(TeeSink, HandsEveryRowToAll) {
  MemorySink first(sample::schema());
  MemorySink second(sample::schema());
  TeeSink tee({&first, &second});
  sample::write_kernels(tee, 0, 5);
  EXPECT_EQ(first.records<KernelRow>().size(), 5U);
  EXPECT_EQ(second.records<KernelRow>().size(), 5U);
}

TEST(MemorySinkDeathTest, RefusesRowsThatDoNotFitTheTable) {
  MemorySink sink(sample::schema());
  const sample::LinkRow link;
  EXPECT_DEATH(sink.consume(sample::kKernels, row_of(link)), "row_size");
  EXPECT_DEATH(sink.consume(9, row_of(link)), "tables_.size");
}

}  // namespace
}  // namespace septet::trace
