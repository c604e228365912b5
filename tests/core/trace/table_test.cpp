#include "core/trace/table.hpp"

#include <gtest/gtest.h>

namespace septet::trace {
namespace {

// A table of which nothing matters but its columns.
TableSpec table(const std::string& name, const std::string& dimension,
                std::vector<ColumnSpec> columns) {
  return packed({name, dimension, std::move(columns)});
}

ColumnSpec column(const std::string& name, ColumnType type = ColumnType::kInt64) {
  return {name, type, "1", "a column"};
}

TEST(TraceSchema, NumbersTablesInTheOrderOfTheirAddition) {
  TraceSchema schema;
  EXPECT_EQ(schema.add(table("a", "row_of_a", {column("x")})), 0);
  EXPECT_EQ(schema.add(table("b", "row_of_b", {column("x")})), 1);
  EXPECT_EQ(schema.tables()[1].name, "b");
}

TEST(TraceSchemaDeathTest, RefusesTablesThatNoFileCouldHold) {
  TraceSchema schema;
  schema.add(table("a", "row", {column("x")}));
  EXPECT_DEATH(schema.add(table("a", "row", {column("x")})), "other.name");                 // twice
  EXPECT_DEATH(schema.add(table("b", "row", {})), "columns.empty");                         // none
  EXPECT_DEATH(schema.add(table("b", "row", {column("x"), column("x")})), "names.insert");  // twice
  EXPECT_DEATH(schema.add(table("b", "row", {column("row")})), "names.insert");  // as the dimension
}

TEST(TraceSchemaDeathTest, RefusesColumnsThatNoFileCouldHold) {
  TraceSchema schema;
  ColumnSpec flags = column("x");
  flags.flags = {"f"};
  EXPECT_DEATH(schema.add(table("b", "row", {flags})), "kUint8");
  ColumnSpec blank = column("x", ColumnType::kUint8);
  blank.flags = {"f g"};
  EXPECT_DEATH(schema.add(table("b", "row", {blank})), "flag.find");
  ColumnSpec code = column("x");
  code.dictionary = "kernel";
  EXPECT_DEATH(schema.add(table("b", "row", {code})), "kInt32");
}

TEST(PackedTable, PutsEachValueOnAMultipleOfItsSize) {
  const TableSpec spec = table(
      "a", "row", {column("x", ColumnType::kUint8), column("y", ColumnType::kInt32), column("z")});
  EXPECT_EQ(spec.columns[1].offset, 4U);
  EXPECT_EQ(spec.columns[2].offset, 8U);
  EXPECT_EQ(spec.row_size, 16U);
}

TEST(TraceSchemaDeathTest, RefusesColumnsOutsideTheRow) {
  TraceSchema schema;
  TableSpec spec = table("b", "row", {column("x")});
  spec.columns[0].offset = 4;
  EXPECT_DEATH(schema.add(spec), "row_size");
}

TEST(Dictionary, CodesCountFromZeroInOrderOfFirstUse) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.code("gemm"), 0);
  EXPECT_EQ(dictionary.code("softmax"), 1);
  EXPECT_EQ(dictionary.code("gemm"), 0);
  EXPECT_EQ(dictionary.code(""), 2);
  EXPECT_EQ(dictionary.texts(), (std::vector<std::string>{"gemm", "softmax", ""}));
}

}  // namespace
}  // namespace septet::trace
