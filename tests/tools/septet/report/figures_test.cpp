#include "tools/septet/report/charts/figures.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace septet::command {
namespace {

TEST(Figures, KeepTheirSignificantDigits) {
  EXPECT_EQ(rounded(1234567, 3), "1,234,567");
  EXPECT_EQ(rounded(12.3456), "12.3");
  EXPECT_EQ(rounded(12.3456, 4), "12.35");
  EXPECT_EQ(rounded(0.001234), "0.00123");
  EXPECT_EQ(rounded(-1500.4), "-1,500");
}

TEST(Figures, HaveNoZerosAtTheirEnd) {
  EXPECT_EQ(rounded(2.5, 6), "2.5");
  EXPECT_EQ(rounded(40, 4), "40");
  EXPECT_EQ(rounded(0), "0");
}

TEST(Figures, OfNoNumberAreADash) {
  EXPECT_EQ(rounded(std::nan("")), "-");
  EXPECT_EQ(rounded(std::numeric_limits<double>::infinity()), "-");
}

TEST(Figures, OfTimesHaveTheUnitThatSuits) {
  EXPECT_EQ(time_text(85), "85 us");
  EXPECT_EQ(time_text(1000), "1 ms");
  EXPECT_EQ(time_text(2.41e6), "2.41 s");
  EXPECT_EQ(percent_text(0.4152), "41.5 %");
}

}  // namespace
}  // namespace septet::command
