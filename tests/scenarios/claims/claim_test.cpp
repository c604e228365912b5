// Claim files: what matches a figure, and each class of mistake with its whole message.
#include "scenarios/claims/claim.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/scenarios/claims/testing.hpp"

namespace septet::claims {
namespace {

const std::string kNumber = "number = \"gpu.sm_count\"\n";
const std::string kSides = "[[situation]]\nname = \"s\"\n[[situation.before]]\n" + kNumber +
                           "[[situation.after]]\n" + kNumber;

Figure figure(FigureKind kind, double least, double most, double tolerance, FigureBound bound) {
  return {kind, bound, least, most, tolerance, ""};
}

TEST(Figure, ToleranceIsAShareOfItsEffect) {
  // The effect of a speedup of 1.15 is 0.15, a fifth of it 0.03.
  const Figure speedup = figure(FigureKind::kSpeedup, 1.15, 1.15, 0.2, FigureBound::kAbout);
  EXPECT_FALSE(speedup.matched_by(1.119));
  EXPECT_TRUE(speedup.matched_by(1.121));
  EXPECT_TRUE(speedup.matched_by(1.179));
  EXPECT_FALSE(speedup.matched_by(1.181));
  // Of a range each end has its own: 10 to 15 with 0.1 is 9 to 16.5.
  const Figure range = figure(FigureKind::kValue, 10, 15, 0.1, FigureBound::kAbout);
  EXPECT_FALSE(range.matched_by(8.99));
  EXPECT_TRUE(range.matched_by(9.01));
  EXPECT_TRUE(range.matched_by(16.49));
  EXPECT_FALSE(range.matched_by(16.51));
}

TEST(Figure, BoundsOpenOneSide) {
  const Figure least = figure(FigureKind::kSaving, 40, 40, 0, FigureBound::kAtLeast);
  EXPECT_FALSE(least.matched_by(39.9));
  EXPECT_TRUE(least.matched_by(99));
  const Figure most = figure(FigureKind::kValue, 40, 40, 0, FigureBound::kAtMost);
  EXPECT_TRUE(most.matched_by(-5));
  EXPECT_FALSE(most.matched_by(40.1));
}

TEST(Figure, ComesFromBothSides) {
  const auto of = [](FigureKind kind) {
    return figure(kind, 1, 1, 0, FigureBound::kAbout).of(8, 2, 10);
  };
  EXPECT_EQ(of(FigureKind::kValue), 2);
  EXPECT_EQ(of(FigureKind::kRatio), 0.25);
  EXPECT_EQ(of(FigureKind::kSpeedup), 4);
  EXPECT_EQ(of(FigureKind::kSaving), 75);
  EXPECT_EQ(of(FigureKind::kRate), 5);
}

TEST(ClaimFile, KnowsWhereItNamesAGpu) {
  std::string text = claim_text(kSides, "\"h100-sxm\", \"h200-sxm\"");
  text.replace(text.find("gpus"), 0, "premises = \"h100-article\"\n");
  const Claim claim = claim_of(text);
  EXPECT_EQ(claim.where_of_gpu("h100-article").text(), "c.toml:6:12");
  EXPECT_EQ(claim.where_of_gpu("h100-sxm").text(), "c.toml:7:9");
  EXPECT_EQ(claim.where_of_gpu("h200-sxm").text(), "c.toml:7:21");
}

TEST(ClaimFile, IsReadWhole) {
  const Claim claim = claim_of(claim_text(kSides, "\"h100-sxm\", \"h200-sxm\""));
  EXPECT_EQ(claim.name, "c");
  EXPECT_EQ(claim.figure.kind, FigureKind::kSpeedup);
  EXPECT_EQ(claim.figure.least, 2);
  EXPECT_EQ(claim.figure.most, 2);
  EXPECT_EQ(claim.written, Verdict::kHolds);
  EXPECT_EQ(claim.gpus(), (std::vector<std::string>{"h100-sxm", "h200-sxm"}));
  ASSERT_EQ(claim.text.situations.size(), 1U);
  EXPECT_EQ(claim.text.situations[0].after.size(), 1U);
}

TEST(ClaimMistake, OfAnUnknownKeyHasItsPlace) {
  EXPECT_EQ(claim_mistake(claim_text("[[situation]]\nname = \"s\"\nafterr = []\n")),
            "c.toml:11:1: situation.s.afterr: got an unknown key, wanted one of: name, amount, "
            "before, after (did you mean 'after'?)");
}

TEST(ClaimMistake, OfAWordThatIsNone) {
  std::string text = claim_text(kSides);
  text.replace(text.find("speedup"), 7, "speed-up");
  EXPECT_EQ(claim_mistake(text),
            "c.toml:3:8: claim.kind: got \"speed-up\", wanted one of: value, ratio, speedup, "
            "saving, rate (did you mean 'speedup'?)");
  text = claim_text(kSides);
  text.replace(text.find("\"holds\""), 7, "\"true\"");
  EXPECT_EQ(claim_mistake(text),
            "c.toml:7:11: claim.verdict: got \"true\", wanted one of: holds, holds when, does not "
            "hold, not simulated");
}

TEST(ClaimMistake, OfSidesThatDoNotGoWithTheFigure) {
  EXPECT_EQ(
      claim_mistake(claim_text("[[situation]]\nname = \"s\"\n[[situation.after]]\n" + kNumber)),
      "c.toml:9:1: situation.s: got no before, wanted what to compare with");
  EXPECT_EQ(claim_mistake(claim_text("[[situation]]\nname = \"s\"\namount = 3\n"
                                     "[[situation.before]]\n" +
                                     kNumber + "[[situation.after]]\n" + kNumber)),
            "c.toml:11:10: situation.s.amount: got an amount, wanted one with kind \"rate\" and "
            "only then");
}

TEST(ClaimMistake, OfAPartThatIsNothingOrTwoThings) {
  const std::string head =
      "[[situation]]\nname = \"s\"\n[[situation.before]]\n" + kNumber + "[[situation.after]]\n";
  EXPECT_EQ(claim_mistake(claim_text(head + "times = 2\n")),
            "c.toml:13:1: situation.s.after.0: got nothing to simulate, wanted exactly one of: "
            "rows, group, kernel, number, reports");
  EXPECT_EQ(claim_mistake(claim_text(head + kNumber + "rows = \"x\"\ncase = {}\n")),
            "c.toml:13:1: situation.s.after.0: got rows, number, wanted exactly one of: rows, "
            "group, kernel, number, reports");
  EXPECT_EQ(claim_mistake(claim_text(head + "rows = \"x\"\n")),
            "c.toml:13:1: situation.s.after.0: got no case, wanted rows or group, and a case");
  EXPECT_EQ(claim_mistake(claim_text(head + "group = \"x\"\ncase = {}\n")),
            "c.toml:13:1: situation.s.after.0: got no metric, wanted the metric of the case");
  EXPECT_EQ(claim_mistake(claim_text(head + "kernel = \"k\"\n")),
            "c.toml:14:10: situation.s.after.0.kernel: got \"k\", wanted a kernel of this file "
            "(none)");
  EXPECT_EQ(claim_mistake(claim_text(head + "reports = [\"x\"]\n")),
            "c.toml:14:11: situation.s.after.0.reports: got reports with both or neither of count "
            "and mean, wanted one of the two");
}

TEST(ClaimMistake, OfACaseOfAGroup) {
  const auto of_part = [](const std::string& group, const std::string& keys) {
    return claim_mistake(claim_text("[[situation]]\nname = \"s\"\n[[situation.before]]\n" +
                                    kNumber + "[[situation.after]]\ngroup = \"" + group +
                                    "\"\nmetric = \"device_time\"\ncase = { " + keys + " }\n"));
  };
  EXPECT_EQ(of_part("dispatch", "blocks = 1"), "no mistake");
  EXPECT_EQ(of_part("dispatch", "blocks = 1, causal = 8"),
            "c.toml:16:22: situation.s.after.0.case.causal: got a key that cases of dispatch don't "
            "have, wanted one of: blocks, registers, threads, what");
  EXPECT_EQ(of_part("dispach", "blocks = 1").substr(0, 60),
            "c.toml:14:9: situation.s.after.0.group: got \"dispach\", wante");
}

TEST(ClaimMistake, OfSituationsWithoutAFigure) {
  std::string text = claim_text(kSides);
  text.replace(text.find("figure = 2\n"), 11, "");
  EXPECT_EQ(claim_mistake(text),
            "c.toml:1:1: claim.figure: got nothing, wanted a key of claims that have a "
            "[[situation]]");
}

TEST(ClaimFile, FieldReferenceIsThatOfTheTables) {
  const std::filesystem::path file = kClaimsSource / "scenarios" / "claims" / "FORMAT.md";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string head = text.str().substr(0, text.str().find("### The file"));
  if (std::getenv("SEPTET_UPDATE_REFERENCE") != nullptr) {
    std::ofstream(file) << head << claim_reference();
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text.str(), head + claim_reference()) << "run this test with SEPTET_UPDATE_REFERENCE=1";
}

}  // namespace
}  // namespace septet::claims
