#include "models/gpu/gpu_tables.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/host/host_tables.hpp"
#include "models/program/program.hpp"

namespace septet::test {
namespace {

std::vector<std::string> names(const TableSpec& table) {
  std::vector<std::string> out;
  for (const ColumnSpec& column : table.columns) out.push_back(column.name);
  return out;
}

template <class Column>
ColumnSpec column(const TableSpec& table, Column number) {
  return table.columns.at(static_cast<std::size_t>(number));
}

TEST(GpuTables, HaveTheColumnsOfTheirEnumerations) {
  EXPECT_EQ(names(kernels_table()),
            (std::vector<std::string>{"issued", "arrived", "ready", "start", "end", "name",
                                      "blocks", "stream", "device", "cause", "thread", "call",
                                      "node", "correlation", "waited"}));
  EXPECT_EQ(column(kernels_table(), KernelColumn::kWaited).name, "waited");
  EXPECT_EQ(column(kernels_table(), KernelColumn::kCause).name, "cause");
  EXPECT_EQ(column(kernels_table(), KernelColumn::kCorrelation).name, "correlation");
  EXPECT_EQ(column(copies_table(), CopyColumn::kKind).name, "kind");
  EXPECT_EQ(column(copies_table(), CopyColumn::kBytes).name, "bytes");
  EXPECT_EQ(column(copies_table(), CopyColumn::kCorrelation).name, "correlation");
  EXPECT_EQ(names(event_records_table()),
            (std::vector<std::string>{"time", "event", "stream", "device"}));
}

TEST(GpuTables, NameEveryCauseOfAWait) {
  const std::vector<std::string> flags = column(kernels_table(), KernelColumn::kCause).flags;
  ASSERT_EQ(flags.size(), kWaitCauses);
  EXPECT_EQ(flags[static_cast<std::size_t>(WaitCause::kSubmission)], "submission");
  EXPECT_EQ(flags[static_cast<std::size_t>(WaitCause::kConnection)], "connection");
  EXPECT_EQ(flags[static_cast<std::size_t>(WaitCause::kGraph)], "graph");
}

TEST(GpuTables, NameEveryKindOfCopyAndFills) {
  const std::vector<std::string> flags = column(copies_table(), CopyColumn::kKind).flags;
  EXPECT_EQ(flags[static_cast<std::size_t>(CopyDirection::kDeviceToHost)], "device_to_host");
  EXPECT_EQ(flags.back(), "fill");
}

TEST(ApiCallTable, HasTheColumnsOfItsEnumeration) {
  EXPECT_EQ(names(api_calls_table()),
            (std::vector<std::string>{"start", "end", "waited", "thread", "stream", "name",
                                      "correlation", "kind", "call", "object", "manner"}));
  EXPECT_EQ(column(api_calls_table(), ApiCallColumn::kName).name, "name");
}

TEST(ApiCallTable, CodesAreTheKindsAndThenTheProgramsStrings) {
  EXPECT_EQ(call_code(3, kNone), 3);
  EXPECT_EQ(call_code(3, 0), static_cast<std::int32_t>(kCallKinds));
  EXPECT_EQ(call_code(3, 5), static_cast<std::int32_t>(kCallKinds) + 5);
}

}  // namespace
}  // namespace septet::test
