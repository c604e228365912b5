#include "scenarios/validate/validate_rows.hpp"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/hardware/profile.hpp"

namespace septet::validation {
namespace {

const std::filesystem::path kSource = SEPTET_SOURCE_DIR;

std::vector<MeasuredRow> rows_of(const std::string& text) {
  std::istringstream in(text);
  return read_rows(in, "rows.jsonl");
}

RowSystems systems(const std::string& name = "h200-sxm") {
  return RowSystems({name, "--hardware", {}}, {kSource / "data"});
}

std::vector<ValidatedRow> validated(const std::string& text, unsigned threads) {
  RowSystems of = systems();
  return validate_rows(rows_of(text), of, threads, [](double) {});
}

// Copies of 1 MB to 40 MB, the GPU named in some of them.
std::string many_rows() {
  std::string out;
  for (int megabytes = 1; megabytes <= 40; ++megabytes) {
    out += R"({"group": "copy", "case": {"what": "memcpy", "bytes": )" + std::to_string(megabytes) +
           R"(000000}, "metric": "d2d_wall", "value": 10, "unit": "us")" +
           (megabytes % 3 == 0 ? R"(, "hardware": "a100-sxm-80gb"})" : "}") + "\n";
  }
  return out;
}

TEST(ValidateRows, GivesTheSameOnAnyNumberOfThreads) {
  const std::vector<ValidatedRow> one = validated(many_rows(), 1);
  const std::vector<ValidatedRow> four = validated(many_rows(), 4);
  ASSERT_EQ(one.size(), 40U);
  ASSERT_EQ(four.size(), 40U);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_TRUE(one[i].prediction.value) << one[i].prediction.limiter;
    EXPECT_EQ(one[i].prediction.value, four[i].prediction.value) << i;
    EXPECT_EQ(one[i].row.line, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(four[i].row.line, static_cast<std::int64_t>(i) + 1);
  }
}

TEST(ValidateRows, TellsTheShareThatIsDone) {
  RowSystems of = systems();
  std::vector<double> told;
  validate_rows(rows_of(many_rows()), of, 2, [&](double share) { told.push_back(share); });
  ASSERT_EQ(told.size(), 40U);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_DOUBLE_EQ(told[i], static_cast<double>(i + 1) / 40);
  }
}

TEST(ValidateRows, AGpuThatNobodyKnowsIsTheMistakeOfTheRowThatNamesIt) {
  const std::vector<ValidatedRow> rows =
      validated(R"({"group": "copy", "case": {"what": "memcpy", "bytes": 1000000}, )"
                R"("metric": "d2d_wall", "value": 10, "unit": "us", "hardware": "h2000"})",
                1);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_FALSE(rows[0].prediction.value);
  EXPECT_NE(rows[0].prediction.limiter.find("h2000"), std::string::npos);
  RowSystems unknown = systems("h2000");
  EXPECT_THROW(validate_rows(rows_of(many_rows()), unknown, 1, [](double) {}), ConfigError);
}

TEST(ValidateRows, ListsEachConfigurationOnce) {
  RowSystems of = systems();
  validate_rows(rows_of(many_rows()), of, 2, [](double) {});
  ASSERT_EQ(of.configurations().size(), 2U);
  EXPECT_EQ(of.configurations()[0].gpu.name, "h200-sxm");
  EXPECT_EQ(of.configurations()[1].gpu.name, "a100-sxm-80gb");
}

}  // namespace
}  // namespace septet::validation
