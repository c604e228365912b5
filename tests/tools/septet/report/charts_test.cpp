#include "tools/septet/report/charts/charts.hpp"

#include <gtest/gtest.h>

namespace septet::command {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++out;
  }
  return out;
}

TEST(Axis, GoesFromZeroToARoundNumber) {
  const Axis axis = axis_over("ms", {3, 17});
  EXPECT_EQ(axis.least, 0);
  EXPECT_EQ(axis.most, 20);  // marks every 5, and the last of them at or above 17
}

TEST(Axis, OfLogarithmsHoldsAllValues) {
  const Axis axis = axis_over("ms", {3, 1700}, true);
  EXPECT_LE(axis.least, 3);
  EXPECT_GE(axis.most, 1700);
  EXPECT_GT(axis.least, 0);
}

TEST(Plot, PlacesTheEndsOfAxesAtTheFrame) {
  const Plot plot({"x", 0, 10}, {"y", 1, 100, true}, "");
  EXPECT_DOUBLE_EQ(plot.x(0), plot.left());
  EXPECT_DOUBLE_EQ(plot.x(10), plot.right());
  EXPECT_DOUBLE_EQ(plot.y(1), plot.bottom());
  EXPECT_DOUBLE_EQ(plot.y(100), plot.top());
  // The geometric mean of the ends lies in the middle.
  EXPECT_DOUBLE_EQ(plot.y(10), (plot.top() + plot.bottom()) / 2);
}

TEST(LineChart, HasADotForEachPointAndALineForEachSeries) {
  LineChart chart;
  chart.x = {"rate", 0, 10};
  chart.y = {"share", 0, 100};
  chart.series = {{"a", {{1, 10, 0, "first", true}, {2, 20, 5, "second"}}}, {"b", {{1, 5}}, false}};
  chart.vertical = {{5, "knee"}};
  chart.description = "a < b";
  const std::string svg = line_chart(chart);
  EXPECT_EQ(count(svg, "<circle"), 2U);
  EXPECT_EQ(count(svg, "<circle class=\"dot s1 hollow\""), 1U);
  EXPECT_EQ(count(svg, "<path"), 2U);
  EXPECT_EQ(count(svg, ">knee<"), 1U);
  EXPECT_EQ(count(svg, "aria-label=\"a &lt; b\""), 1U);
}

TEST(ScatterChart, OnePointOfASeriesHasItsNameBesideIt) {
  LineChart chart;
  chart.x = {"x", 0, 10};
  chart.y = {"y", 0, 10};
  chart.series = {{"one", {{1, 1}}}, {"other", {{9, 9}}}};
  const std::string svg = scatter_chart(chart);
  EXPECT_EQ(count(svg, "class=\"end\">other<"), 1U) << svg;  // to the left: there is no room
  EXPECT_EQ(count(svg, "<path"), 0U);
}

TEST(BarChart, PartsLieBehindOneAnother) {
  BarChart chart{"us", {"a", "b"}, {{"run", {30, 10}, "40 us"}}, ""};
  const std::string svg = bar_chart(chart);
  // From 220 to 645, of which the first part takes three quarters.
  EXPECT_EQ(count(svg, "x=\"220.0\" y=\"28.0\" width=\"318.8\""), 1U) << svg;
  EXPECT_EQ(count(svg, "x=\"538.8\" y=\"28.0\" width=\"106.2\""), 1U) << svg;
  EXPECT_EQ(count(svg, ">40 us<"), 1U);
}

TEST(ParallelChart, DrawsALineAcrossAllAxesForEachResult) {
  ParallelChart chart;
  chart.axes = {{"size", {{0, "1"}, {1, "9"}}}, {"time", {{0, "2 us"}}}, {"rate", {}}};
  chart.series = {"low", "high"};
  chart.lines = {{{0, 0.5, 1}, 0}, {{1, 0.5, 0}, 1}};
  const std::string svg = parallel_chart(chart);
  EXPECT_EQ(count(svg, "<path"), 2U);
  EXPECT_EQ(count(svg, "class=\"axis\""), 3U);
  // Each line has a corner on each axis; the two cross on the middle one.
  EXPECT_EQ(count(svg, "L"), 2U * 2U);
  EXPECT_EQ(count(svg, "L380.0 "), 2U);
  EXPECT_NE(svg.find("2 us"), std::string::npos);
}

TEST(TornadoChart, DrawsBothSidesOfTheBase) {
  TornadoChart chart{"headroom", 1.0, {{"steps", "15 % slower", "15 % faster", 0.8, 1.3}}, ""};
  const std::string svg = tornado_chart(chart);
  EXPECT_EQ(count(svg, "class=\"s1\""), 1U);
  EXPECT_EQ(count(svg, "class=\"s2\""), 1U);
  EXPECT_EQ(count(svg, ">0.8<"), 2U) << svg;  // a mark of the axis, and the bar's end
}

}  // namespace
}  // namespace septet::command
