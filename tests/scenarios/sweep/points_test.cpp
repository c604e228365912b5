// What the description of a sweep expands to.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/scenarios/sweep/sample_sweep.hpp"

namespace septet::sweep {
namespace {

std::string mistake_of(const std::string& sweep) {
  try {
    const Case of(sweep);
    check_points(*of.experiment, points_with_new_values(of.points));
    of.table({});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

std::vector<std::string> texts_of(const Points& points, const std::string& key) {
  std::vector<std::string> out;
  for (const Point& point : points.all) {
    for (const auto& [name, value] : point.settings) {
      if (name == key) out.push_back(described(value));
    }
  }
  return out;
}

TEST(Points, AxesMultiplyWithTheLastOneFastest) {
  const Case grid(kGrid);
  EXPECT_EQ(grid.points.keys,
            (std::vector<std::string>{"kernel.work.block_time", "kernel.work.grid"}));
  EXPECT_EQ(texts_of(grid.points, "kernel.work.grid"),
            (std::vector<std::string>{"the integer 1", "the integer 16", "the integer 1",
                                      "the integer 16", "the integer 1", "the integer 16"}));
}

TEST(Points, KeysOfOneAxisVaryTogether) {
  const Case zip(R"(
[sweep]
[[sweep.axis]]
keys = ["kernel.work.grid", "kernel.work.block"]
values = [[1, 32], [2, 64]]
)");
  ASSERT_EQ(zip.points.all.size(), 2U);
  EXPECT_EQ(texts_of(zip.points, "kernel.work.block"),
            (std::vector<std::string>{"the integer 32", "the integer 64"}));
}

TEST(Points, SpacedValuesIncludeBothEnds) {
  const Case spaced(R"(
[sweep]
[[sweep.axis]]
key = "kernel.work.block_time"
from = 1
to = 100
count = 3
scale = "log"
unit = "us"
)");
  EXPECT_EQ(texts_of(spaced.points, "kernel.work.block_time"),
            (std::vector<std::string>{"\"1 us\"", "\"10 us\"", "\"100 us\""}));
}

TEST(Points, BlocksFollowEachOther) {
  const Case blocks(R"(
[sweep]
[[sweep.axis]]
key = "kernel.work.grid"
values = [1, 2, 3]
block = "grids"
[[sweep.axis]]
key = "kernel.work.block"
values = [32, 64]
block = "blocks"
)");
  EXPECT_EQ(blocks.points.all.size(), 3U + 2U);
}

TEST(Points, RepeatsHaveSeedsOfTheirOwn) {
  const Case repeated(
      "[sweep]\nrepeats = 3\n[[sweep.axis]]\nkey = \"kernel.work.grid\"\n"
      "values = [1, 2]\n");
  EXPECT_EQ(texts_of(repeated.points, "run.seed"),
            (std::vector<std::string>{"the integer 1", "the integer 2", "the integer 3",
                                      "the integer 1", "the integer 2", "the integer 3"}));
}

TEST(Points, WhereKeepsWhatItHoldsFor) {
  const Case some(kGrid.substr(0, 9) +
                  "where = \"kernel.work.block_time < '4.1 us' and not "
                  "kernel.work.grid == 1\"\n" +
                  kGrid.substr(9));
  EXPECT_EQ(texts_of(some.points, "kernel.work.block_time"),
            (std::vector<std::string>{"\"2 us\"", "\"4 us\""}));
}

TEST(Points, WhereKnowsValuesOfTheFileToo) {
  // No axis sets the block time, which is that of an element of a list.
  const auto points_where = [](const std::string& condition) {
    return Case("[sweep]\nwhere = \"" + condition +
                "\"\n[[sweep.axis]]\nkey = \"kernel.work.grid\"\nvalues = [1, 16]\n")
        .points.all.size();
  };
  EXPECT_EQ(points_where("kernel.work.block_time == '0.005 ms'"), 2U);
  EXPECT_EQ(points_where("kernel.0.grid == 16 and kernel.work.grid == 1"), 1U);
  EXPECT_THROW(points_where("kernel.other.grid == 16"), ConfigError);
}

TEST(Points, NamesAreOfTheContent) {
  const Case grid(kGrid);
  const Case swapped(R"(
[sweep]
[[sweep.axis]]
key = "kernel.work.grid"
values = [16]
[[sweep.axis]]
key = "kernel.work.block_time"
values = ["2 us"]
)");
  EXPECT_EQ(swapped.points.all[0].name, grid.points.all[1].name);
  EXPECT_NE(grid.points.all[0].name, grid.points.all[1].name);
}

TEST(Points, MistakesNameWhatIsWrong) {
  const auto axis = [](const std::string& text) { return "[sweep]\n[[sweep.axis]]\n" + text; };
  EXPECT_NE(mistake_of(axis("key = \"kernel.work.grid\"\nvalues = [4, 4]\n"))
                .find("two points that are the same scenario"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("key = \"kernel.work.grit\"\nvalues = [4, 5]\n")).find("grit"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("key = \"kernel.work.grid\"\n")).find("one of values, points"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("values = [4, 5]\n")).find("key, or keys"), std::string::npos);
  EXPECT_NE(mistake_of("[sweep]\nwhere = \"kernel.work.grid > 99\"\n" +
                       axis("key = \"kernel.work.grid\"\nvalues = [4]\n").substr(8))
                .find("got no point"),
            std::string::npos);
  EXPECT_NE(mistake_of("[sweep]\noutputs = [\"simulated\"]\n" +
                       axis("key = \"kernel.work.grid\"\nvalues = [4]\n").substr(8))
                .find("did you mean 'simulated_us'"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("keys = [\"kernel.work.grid\", \"kernel.work.block\"]\n"
                            "values = [[1, 2, 3]]\n"))
                .find("a list of 2 values"),
            std::string::npos);
}

}  // namespace
}  // namespace septet::sweep
