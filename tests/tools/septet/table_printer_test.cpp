#include "tools/septet/table_printer.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

TEST(TablePrinter, AlignsNumbersRightAndTextLeft) {
  TablePrinter table({{"kernel"}, {"us", Align::kRight}});
  table.add_row({"gemm", "12.5"});
  table.add_row({"a", "3"});
  EXPECT_EQ(table.text(80),
            "kernel    us\n"
            "------  ----\n"
            "gemm    12.5\n"
            "a          3\n");
}

TEST(TablePrinter, ShortensOnlyColumnsThatMayShrink) {
  TablePrinter table({{"kernel", Align::kLeft, true}, {"picoseconds", Align::kRight}});
  table.add_row({"void a_kernel_with_a_rather_long_name<float, 4>()", "123456789012345"});
  // 30 columns: 15 for the number, 2 between, 13 for the name: 6, the ellipsis, 6.
  EXPECT_EQ(table.text(30),
            "kernel             picoseconds\n"
            "-------------  ---------------\n"
            "void a…, 4>()  123456789012345\n");
}

TEST(TablePrinter, KeepsEveryLineWithinTheTerminal) {
  TablePrinter table({{"kernel", Align::kLeft, true}, {"stream", Align::kLeft, true}, {"n"}});
  table.add_row({std::string(200, 'k'), "核心核心核心核心核心核心核心核心核心核心", "1"});
  table.add_row({"short\nname", "\xFF", "22"});
  std::istringstream lines(table.text(60));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), 60U) << line;
}

}  // namespace
}  // namespace septet::command
