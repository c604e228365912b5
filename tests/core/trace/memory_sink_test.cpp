#include "core/trace/memory_sink.hpp"

#include <gtest/gtest.h>

#include "tests/core/trace/sample.hpp"

namespace septet {
namespace {

TEST(MemorySink, KeepsRowsByColumn) {
  MemorySink sink(sample::schema());
  sample::write_kernels(sink, 10, 13);
  EXPECT_EQ(sink.rows(sample::kKernels), 3U);
  EXPECT_EQ(sink.rows(sample::kLinks), 0U);
  EXPECT_EQ(sink.column(sample::kKernels, 0)[2].integer(), 12'000);
  EXPECT_EQ(sink.column(sample::kKernels, 1)[0].integer(), 1);  // 10 % 3
  EXPECT_EQ(sink.column(sample::kKernels, 4)[1].real(), 5.5);   // 11 / 2
}

TEST(TeeSink, HandsEveryRowToAll) {
  MemorySink first(sample::schema());
  MemorySink second(sample::schema());
  TeeSink tee({&first, &second});
  sample::write_kernels(tee, 0, 5);
  EXPECT_EQ(first.rows(sample::kKernels), 5U);
  EXPECT_EQ(second.rows(sample::kKernels), 5U);
}

TEST(MemorySinkDeathTest, RefusesRowsThatDoNotFitTheTable) {
  MemorySink sink(sample::schema());
  const Cell cells[] = {1, 2};
  EXPECT_DEATH(sink.consume(sample::kKernels, cells), "columns.size");
  EXPECT_DEATH(sink.consume(9, cells), "columns_.size");
}

}  // namespace
}  // namespace septet
