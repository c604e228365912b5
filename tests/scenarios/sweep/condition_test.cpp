// Conditions and designs of sweeps, and the reference of their format.
#include "scenarios/sweep/condition.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "core/files/input.hpp"
#include "scenarios/sweep/design.hpp"

namespace septet::sweep {
namespace {

namespace fs = std::filesystem;

TEST(SweepFormat, FieldReferenceIsThatOfTheTables) {
  const fs::path path = fs::path(SEPTET_SOURCE_DIR) / "scenarios/sweep/FORMAT.md";
  const std::string text = files::read_text(path);
  const std::string head = text.substr(0, text.find("### "));
  if (std::getenv("SEPTET_UPDATE_REFERENCE") != nullptr) {
    std::ofstream(path) << head << sweep_reference();
    GTEST_SKIP() << "wrote " << path;
  }
  EXPECT_EQ(text, head + sweep_reference()) << "run this test with SEPTET_UPDATE_REFERENCE=1";
}

TEST(Condition, ComparesNumbersQuantitiesAndTexts) {
  const auto holds = [](const std::string& text) {
    return Condition(text, {}).holds([](const std::string&) { return nullptr; });
  };
  EXPECT_TRUE(holds("1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2 and 1 != 2"));
  EXPECT_TRUE(holds("'0.01 ms' == '10 us'"));
  EXPECT_TRUE(holds("'1 GB/s' > '900 MB/s'"));
  EXPECT_FALSE(holds("not (1 == 1 or 1 == 2)"));
  EXPECT_TRUE(holds("'ring' != 'tree'"));
  EXPECT_THROW(holds("'ring' < 'tree'"), ConfigError);
  EXPECT_THROW(holds("a.key == 1"), ConfigError);
  for (const char* wrong : {"1 <", "1 2", "(1 == 1", "1 == 'x", "== 1", "1 == 1 1 == 1"}) {
    EXPECT_THROW(Condition(wrong, {}), ConfigError) << wrong;
  }
}

TEST(Design, ALatinHypercubeHasOnePointInEachInterval) {
  constexpr std::size_t kCount = 40;
  const auto points = design_points(Design::kLatinHypercube, kCount, 3, 7);
  for (std::size_t d = 0; d < 3; ++d) {
    std::set<int> intervals;
    for (const auto& point : points) intervals.insert(static_cast<int>(point[d] * kCount));
    EXPECT_EQ(intervals.size(), kCount);
  }
  EXPECT_EQ(points, design_points(Design::kLatinHypercube, kCount, 3, 7));
  EXPECT_NE(points, design_points(Design::kLatinHypercube, kCount, 3, 8));
}

TEST(Design, TheFirstSevenPointsOfSobolAreEighths) {
  std::set<double> seen;
  for (const auto& point : design_points(Design::kSobol, 7, 2, 1)) {
    EXPECT_EQ(point[0] * 8, std::floor(point[0] * 8));
    seen.insert(point[0]);
  }
  EXPECT_EQ(seen.size(), 7U);
}

}  // namespace
}  // namespace septet::sweep
