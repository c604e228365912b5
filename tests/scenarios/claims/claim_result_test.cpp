// Verdicts of made-up claims.
#include "scenarios/claims/claim_result.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "tests/scenarios/claims/testing.hpp"

namespace septet::claims {
namespace {

namespace fs = std::filesystem;

// A situation that compares SMs, counted `before` and `after` times: a speedup of before / after.
std::string compared(const std::string& name, int before, int after) {
  const auto part = [](const char* side, int times) {
    return std::string("[[situation.") + side +
           "]]\nnumber = \"gpu.sm_count\"\ntimes = " + std::to_string(times) + "\n";
  };
  return "[[situation]]\nname = \"" + name + "\"\n" + part("before", before) + part("after", after);
}

TEST(Verdict, FollowsFromTheSituations) {
  const std::string met = compared("met", 2, 1);        // 2 where 2 is claimed
  const std::string missed = compared("missed", 3, 1);  // 3
  EXPECT_EQ(evaluated(claim_text(met)).verdict, Verdict::kHolds);
  EXPECT_EQ(evaluated(claim_text(missed)).verdict, Verdict::kDoesNotHold);
  const ClaimResult some = evaluated(claim_text(met + missed));
  EXPECT_EQ(some.verdict, Verdict::kHoldsWhen);
  EXPECT_EQ(some.matched_situations(), std::vector<std::string>{"met"});
}

TEST(Verdict, OfAClaimWithoutSituationsIsNone) {
  EXPECT_EQ(evaluated(claim_text("")).verdict, Verdict::kNotSimulated);
}

// L2 of an H100 is 50 MiB, of an H200 60 MiB: within 10 % of 52 MB is only the first.
TEST(Verdict, HoldsWhenOnlyOneGpuMeetsTheFigure) {
  const std::string text =
      "[claim]\ntext = \"t\"\nkind = \"value\"\nfigure = 52\ntolerance = 0.1\n"
      "gpus = [\"h100-sxm\", \"h200-sxm\"]\nverdict = \"holds\"\nreason = \"r\"\n"
      "[[situation]]\nname = \"s\"\n[[situation.after]]\nnumber = \"gpu.l2\"\nunit = \"MB\"\n";
  const ClaimResult result = evaluated(text);
  EXPECT_EQ(result.verdict, Verdict::kHoldsWhen);
  EXPECT_EQ(result.matched_situations(), std::vector<std::string>{"s on h100-sxm"});
  EXPECT_DOUBLE_EQ(*result.situations[0].simulated[0], 50 * 1.048576);
  EXPECT_DOUBLE_EQ(*result.situations[0].simulated[1], 60 * 1.048576);
}

TEST(Verdict, IsNotJudgedOnPremises) {
  std::string text = claim_text(compared("met", 2, 1));
  text.replace(text.find("gpus ="), 0, "premises = \"h100-sxm\"\n");
  const ClaimResult result = evaluated(text);
  ASSERT_EQ(result.situations[0].simulated.size(), 2U);
  EXPECT_EQ(result.claim.gpus().front(), "h100-sxm");
}

TEST(Verdict, PartsAddUp) {
  const std::string text = claim_text(
      "[[situation]]\nname = \"s\"\n[[situation.before]]\nnumber = \"gpu.sm_count\"\ntimes = 3\n"
      "[[situation.before]]\nnumber = \"gpu.sm_count\"\ntimes = -1\n"
      "[[situation.after]]\nnumber = \"gpu.sm_count\"\n");
  EXPECT_DOUBLE_EQ(*evaluated(text).situations[0].simulated[0], 2);  // (3 - 1) / 1
}

TEST(Verdict, OfAKernelIsThatOfTheKernelModel) {
  // Twice the turns of a long chain take twice the time, the ramp of 0.3 us in 1,000 us apart.
  const auto kernel = [](const char* name, int turns) {
    return std::string("[[kernel]]\nname = \"") + name + "\"\ngrid = 132\nblock = 32\n" +
           "[[kernel.segment]]\nchain = 100\nrepeat = " + std::to_string(turns) + "\n";
  };
  const ClaimResult result =
      evaluated(claim_text(kernel("long", 40000) + kernel("short", 20000) +
                           "[[situation]]\nname = \"s\"\n[[situation.before]]\nkernel = \"long\"\n"
                           "[[situation.after]]\nkernel = \"short\"\ntake = \"kernel_time_us\"\n"));
  EXPECT_NEAR(*result.situations[0].simulated[0], 2, 0.001);
}

TEST(Verdict, WithoutAnAnswerIsNone) {
  const ClaimResult result = evaluated(claim_text(
      "[[situation]]\nname = \"s\"\n[[situation.before]]\ngroup = \"memory\"\nmetric = \"m\"\n"
      "case = { what = \"nothing\" }\n[[situation.after]]\nnumber = \"gpu.sm_count\"\n"));
  EXPECT_EQ(result.verdict, Verdict::kNotSimulated);
  EXPECT_EQ(result.situations[0].missing, "h200-sxm: no Program for this kind of case");
}

TEST(Verdict, OfASideThatIsNothingIsNone) {
  const ClaimResult result = evaluated(claim_text(compared("s", 2, 0)));
  EXPECT_EQ(result.verdict, Verdict::kNotSimulated);
  EXPECT_EQ(result.situations[0].missing, "h200-sxm: a side is 0, so that there is no figure");
}

std::string row_claim(const std::string& keys) {
  return claim_text(
      "[[situation]]\nname = \"s\"\n[[situation.before]]\n"
      "rows = \"h200/waves.jsonl\"\ncase = { " +
      keys + " }\n[[situation.after]]\nnumber = \"gpu.sm_count\"\n");
}

std::string row_mistake(const std::string& text) {
  try {
    evaluated(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

TEST(ClaimMistake, OfKeysThatSelectNoRowOrSeveral) {
  EXPECT_EQ(row_mistake(row_claim("what = \"waves\", blocks = 1234567")),
            "c.toml:13:8: situation.s.before.0.case: got 0 rows of h200/waves.jsonl with these "
            "keys, wanted exactly one");
  EXPECT_EQ(
      row_mistake(row_claim("what = \"waves\", spin_us = 50, threads = 1024, occ_blocks = 9")),
      "c.toml:13:8: situation.s.before.0.case: got 0 rows of h200/waves.jsonl with these "
      "keys, wanted exactly one");
  std::string text = row_claim("what = \"waves\"");
  text.replace(text.find("waves.jsonl"), 11, "wives.jsonl");
  EXPECT_EQ(row_mistake(text),
            "c.toml:12:8: situation.s.before.0.rows: got \"h200/wives.jsonl\", wanted a file in "
            "measurements/ of the data directories");
}

TEST(ClaimMistake, OfRowsOutsideOfTheMeasurements) {
  const fs::path elsewhere = kClaimsSource / "data" / "measurements" / "h200" / "waves.jsonl";
  for (const std::string& file :
       {std::string("h200/../../measurements/h200/waves.jsonl"),
        std::string("../measurements/h200/waves.jsonl"), elsewhere.string()}) {
    std::string text = row_claim("what = \"waves\"");
    text.replace(text.find("h200/waves.jsonl"), 16, file);
    EXPECT_EQ(row_mistake(text), "c.toml:12:8: situation.s.before.0.rows: got \"" + file +
                                     "\", wanted a file in measurements/ of the data "
                                     "directories");
  }
}

TEST(ClaimMistake, OfAMetricOrANumberThatIsNone) {
  const auto part = [](const std::string& text) {
    return claim_text("[[kernel]]\nname = \"k\"\ngrid = 1\nblock = 32\n[[kernel.segment]]\n" +
                      std::string("[[situation]]\nname = \"s\"\n[[situation.before]]\n") + text +
                      "[[situation.after]]\nnumber = \"gpu.sm_count\"\n");
  };
  EXPECT_EQ(row_mistake(part("number = \"gpu.l3\"\n")),
            "c.toml:17:10: situation.s.before.0.number: got \"gpu.l3\", wanted the path of a "
            "hardware parameter, such as \"gpu.l2\"");
  EXPECT_EQ(row_mistake(part("number = \"gpu.l2\"\nunit = \"us\"\n")),
            "c.toml:18:8: situation.s.before.0.unit: got \"us\", wanted a unit of \"60 MiB\"");
  EXPECT_NE(
      row_mistake(part("kernel = \"k\"\ntake = \"kernel_time\"\n"))
          .find("c.toml:18:8: situation.s.before.0.take: got \"kernel_time\", wanted one of: "),
      std::string::npos);
}

// A folder of data with one measured row, gone after the test.
class MeasuredClaim : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("septet-claims-" + std::to_string(::getpid()));
    fs::create_directories(root_ / "measurements");
  }
  void TearDown() override { fs::remove_all(root_); }

  ClaimResult with_value(const std::string& value) {
    std::ofstream(root_ / "measurements" / "rows.jsonl")
        << "{\"group\": \"launch\", \"case\": {\"what\": \"spin_chain\", \"kernels\": 10, "
           "\"spin_us\": 20, \"blocks\": 1, \"threads\": 32}, \"metric\": \"wall_per_kernel\", "
        << value << "\"unit\": \"us\", \"n\": 1}\n";
    return evaluated(
        "[claim]\ntext = \"t\"\nkind = \"value\"\nfigure = 20\ngpus = [\"h200-sxm\"]\n"
        "verdict = \"holds\"\nreason = \"r\"\n[[situation]]\nname = \"s\"\n[[situation.after]]\n"
        "rows = \"rows.jsonl\"\ncase = { spin_us = 20 }\n",
        root_);
  }

  fs::path root_;
};

TEST_F(MeasuredClaim, ShowsTheMeasuredValueAndNeverUsesIt) {
  const ClaimResult base = with_value("\"value\": 21.5, ");
  const double simulated = *base.situations[0].simulated[0];
  EXPECT_EQ(*base.situations[0].measured, 21.5);
  EXPECT_GT(simulated, 20);  // the spin, and what lies between two
  EXPECT_LT(simulated, 24);
  const ClaimResult scrambled = with_value("\"value\": 1e6, ");
  EXPECT_EQ(*scrambled.situations[0].simulated[0], simulated);
  EXPECT_EQ(scrambled.verdict, base.verdict);
  const ClaimResult absent = with_value("");
  EXPECT_EQ(*absent.situations[0].simulated[0], simulated);
  EXPECT_FALSE(absent.situations[0].measured);
}

}  // namespace
}  // namespace septet::claims
