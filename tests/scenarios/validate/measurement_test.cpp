#include "scenarios/validate/measurement.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {
namespace {

const std::string kRow =
    R"({"group": "launch", "case": {"what": "chain", "kernels": 3}, "metric": "wall", )"
    R"("value": 5, "unit": "us"})";

// The first mistake in a file, or of a row of it; without the directory, which differs from run to
// run.
std::string mistake(const std::string& content) {
  const TemporaryDirectory directory;
  try {
    for (const validation::MeasuredRow& row :
         validation::read_measurements(directory.write("rows.jsonl", content))) {
      if (row.mistake) return fmt::format("rows.jsonl:{}: {}", row.line, *row.mistake);
    }
    return "no mistake";
  } catch (const ConfigError& error) {
    return std::string(error.what()).substr(directory.path().string().size() + 1);
  }
}

std::vector<validation::MeasuredRow> rows_of(const std::string& content) {
  const TemporaryDirectory directory;
  return validation::read_measurements(directory.write("rows.jsonl", content));
}

TEST(Measurements, ARowHasGroupCaseMetricAndValue) {
  const validation::MeasuredRow row = rows_of(kRow + "\n").at(0);
  EXPECT_EQ(row.group, "launch");
  EXPECT_EQ(row.metric, "wall");
  EXPECT_EQ(row.text("what"), "chain");
  EXPECT_EQ(row.integer("kernels"), 3);
  EXPECT_EQ(row.value, 5.0);
  EXPECT_EQ(row.hardware, "");
}

TEST(Measurements, BlankLinesAreCountedAndPassedOver) {
  const std::vector<validation::MeasuredRow> rows = rows_of("\n" + kRow + "\n  \t\r\n" + kRow);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].line, 2);
  EXPECT_EQ(rows[1].line, 4);
}

TEST(Measurements, AnAnswerMayBeMissingOrNull) {
  EXPECT_FALSE(rows_of(R"({"group": "g", "case": {}, "metric": "m"})").at(0).value.has_value());
  EXPECT_FALSE(rows_of(R"({"group": "g", "case": {}, "metric": "m", "value": null})")
                   .at(0)
                   .value.has_value());
}

TEST(Measurements, WhatIsNoRowIsRefusedByItsLine) {
  EXPECT_EQ(mistake(kRow + "\nnonsense\n"),
            "rows.jsonl:2: not a measured row: wanted one JSON object per line, got 'nonsense'");
  EXPECT_EQ(mistake("[1, 2]"),
            "rows.jsonl:1: not a measured row: wanted one JSON object per line, got '[1, 2]'");
  EXPECT_EQ(mistake(kRow + " " + kRow).rfind("rows.jsonl:1: not a measured row", 0), 0U);
}

TEST(Measurements, AMissingKeyIsNamed) {
  EXPECT_EQ(mistake(R"({"case": {}, "metric": "m"})"), "rows.jsonl:1: key 'group' is missing");
  EXPECT_EQ(mistake(R"({"group": "g", "metric": "m"})"), "rows.jsonl:1: key 'case' is missing");
  EXPECT_EQ(mistake(R"({"group": "g", "case": {}})"), "rows.jsonl:1: key 'metric' is missing");
}

TEST(Measurements, AValueOfTheWrongKindIsShown) {
  EXPECT_EQ(mistake(R"({"group": 3, "case": {}, "metric": "m"})"),
            "rows.jsonl:1: group: got 3, wanted a string");
  EXPECT_EQ(mistake(R"({"group": "g", "case": [], "metric": "m"})"),
            "rows.jsonl:1: case: got [], wanted an object");
  EXPECT_EQ(mistake(R"({"group": "g", "case": {}, "metric": "m", "value": "5"})"),
            "rows.jsonl:1: value: got \"5\", wanted a number");
  EXPECT_EQ(mistake(R"({"group": "g", "case": {}, "metric": "m", "unit": 1})"),
            "rows.jsonl:1: unit: got 1, wanted a string");
  EXPECT_EQ(mistake(R"({"group": "g", "case": {}, "metric": "m", "hardware": 1})"),
            "rows.jsonl:1: hardware: got 1, wanted a string");
}

TEST(Measurements, AKeyThatIsThereTwiceIsNamed) {
  EXPECT_EQ(mistake(R"({"group": "g", "case": {}, "metric": "m", "value": 5, "value": 6})"),
            "rows.jsonl:1: key 'value' occurs twice in one object");
  EXPECT_EQ(mistake("\n"
                    R"({"group": "g", "case": {"n": 1, "m": 2, "n": 1}, "metric": "m"})"),
            "rows.jsonl:2: key 'n' occurs twice in one object");
  // In two objects it is another one.
  EXPECT_EQ(mistake(R"({"group": "g", "case": {"group": "h"}, "metric": "m"})"), "no mistake");
}

TEST(Measurements, AValueIsNotNegativeAndHasItsUnit) {
  const std::string head = R"({"group": "waves", "case": {}, "metric": "device_time", )";
  EXPECT_EQ(mistake(head + R"("value": 0, "unit": "us"})"), "no mistake");
  EXPECT_EQ(mistake(head + R"("value": -0.5, "unit": "us"})"),
            "rows.jsonl:1: value: got -0.5, wanted a non-negative number");
  EXPECT_EQ(mistake(head + R"("value": 5})"),
            "rows.jsonl:1: unit: got nothing, wanted \"us\" for device_time");
  EXPECT_EQ(mistake(head + R"("n": 3})"), "no mistake");  // no value, no unit
}

TEST(Measurements, SizesAreThoseOfKernels) {
  const auto mistake_with = [](const std::string& key_and_value) {
    return mistake(R"({"group": "memory", "metric": "device_time", "case": {)" + key_and_value +
                   "}}");
  };
  for (const char* good : {R"("vec": 16)", R"("unroll": 8)", R"("l2": "warm")"}) {
    EXPECT_EQ(mistake_with(good), "no mistake");
  }
  EXPECT_EQ(mistake_with(R"("vec": 3)"),
            "rows.jsonl:1: case.vec: got 3, wanted 1, 2, 4, 8 or 16 bytes");
  EXPECT_EQ(mistake_with(R"("unroll": 0)"), "rows.jsonl:1: case.unroll: got 0, wanted at least 1");
  EXPECT_EQ(mistake_with(R"("unroll": 1.5)"),
            "rows.jsonl:1: case.unroll: got 1.5, wanted a non-negative whole number");
  EXPECT_EQ(mistake_with(R"("l2": "lukewarm")"),
            "rows.jsonl:1: case.l2: got \"lukewarm\", wanted one of: cold, warm, warm where six "
            "weights fit");
}

TEST(Measurements, AWrongRowDoesNotHideTheOthers) {
  const auto rows = rows_of(kRow + "\n" + R"({"group": "g", "metric": "m"})" + "\n" + kRow);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].mistake, "key 'case' is missing");
  EXPECT_EQ(rows[1].line, 2);
  EXPECT_EQ(rows[2].mistake, std::nullopt);
  EXPECT_EQ(rows[2].text("what"), "chain");
}

// Gives `text`, then fails as a disk does.
class FailingBuffer : public std::streambuf {
 public:
  explicit FailingBuffer(std::string text) : text_(std::move(text)) {
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }

 protected:
  int_type underflow() override { throw std::ios_base::failure("input error"); }

 private:
  std::string text_;
};

TEST(Measurements, AnInputErrorIsNotTheEndOfTheFile) {
  FailingBuffer buffer(kRow + "\n" + kRow + "\n" + kRow.substr(0, 20));
  std::istream in(&buffer);
  try {
    validation::read_rows(in, "rows.jsonl");
    ADD_FAILURE() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "rows.jsonl:3: cannot be read: input error");
  }
}

TEST(Measurements, AFileHoldsRows) {
  EXPECT_EQ(mistake("\n\n"), "rows.jsonl: has no measured rows");
  const TemporaryDirectory directory;
  const std::string folder = directory.path().string();
  EXPECT_THROW(validation::read_measurements(folder), ConfigError);
  EXPECT_THROW(validation::read_measurements(folder + "/none.jsonl"), ConfigError);
}

TEST(Measurements, AReportHoldsKernelsWithTimes) {
  const TemporaryDirectory directory;
  const std::string header = "ID,Kernel Name,gpu__time_duration.sum\n,,ns\n";
  const auto mistake_of = [&](const std::string& rows) {
    try {
      const auto found =
          validation::read_measurements(directory.write("report.csv", header + rows));
      return found.front().mistake.value_or("no mistake");
    } catch (const ConfigError& error) {
      return std::string(error.what()).substr(directory.path().string().size() + 1);
    }
  };
  EXPECT_EQ(mistake_of("0,f,5\n"), "no mistake");
  EXPECT_EQ(mistake_of("0,f,-5\n"), "gpu__time_duration.sum: got -5, wanted a time of at least 0");
  EXPECT_EQ(mistake_of(""), "report.csv: has no measured rows");
}

TEST(Measurements, AFolderStandsForItsFilesOfRows) {
  namespace fs = std::filesystem;
  const TemporaryDirectory directory;
  const fs::path folder = directory.path();
  fs::create_directories(folder / "kernels");
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
  };
  write("b.jsonl", "");
  write("a.jsonl", "");
  write("kernels/report.csv", "\"ID\",\"Kernel Name\"\n");
  write("requests.csv", "arrival_s,prompt_tokens\n");
  write("README.md", "Kernel Name");
  const auto path = [&](const char* name) { return (folder / name).string(); };
  EXPECT_EQ(validation::measurement_files(folder.string()),
            (std::vector{path("a.jsonl"), path("b.jsonl"), path("kernels/report.csv")}));
  EXPECT_EQ(validation::measurement_files(path("a.jsonl")), std::vector{path("a.jsonl")});
  fs::remove_all(folder / "kernels");
  fs::remove(folder / "a.jsonl");
  fs::remove(folder / "b.jsonl");
  EXPECT_THROW(validation::measurement_files(folder.string()), ConfigError);
}

// What asking a row for one of its numbers gives, or what it says.
template <class Ask>
std::string asked(const std::string& value, Ask ask) {
  validation::MeasuredRow row;
  row.file = "rows.jsonl";
  row.line = 7;
  row.case_ = validation::case_of(nlohmann::ordered_json::parse("{\"n\": " + value + "}"));
  try {
    ask(row);
    return "no mistake";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(Measurements, ANumberOfACaseIsOne) {
  const auto number = [](const validation::MeasuredRow& row) { row.number("n"); };
  EXPECT_EQ(asked("2.5", number), "no mistake");
  EXPECT_EQ(asked("1e18", number), "no mistake");
  const std::string wanted = ", wanted a number from 0 to 1e18";
  EXPECT_EQ(asked("1.1e18", number), "rows.jsonl:7: case.n: got 1.1e+18" + wanted);
  EXPECT_EQ(asked("-1", number), "rows.jsonl:7: case.n: got -1" + wanted);
  EXPECT_EQ(asked("\"2\"", number), "rows.jsonl:7: case.n: got \"2\"" + wanted);
  EXPECT_EQ(asked("true", number), "rows.jsonl:7: case.n: got true" + wanted);
}

TEST(Measurements, ATimeOfACaseFitsIntoADuration) {
  validation::MeasuredRow row;
  row.case_ = validation::case_of({{"spin_us", 1e12}});
  EXPECT_EQ(row.number("spin_us"), 1e12);
  row.case_ = validation::case_of({{"spin_us", 1.1e12}});
  EXPECT_THROW(row.number("spin_us"), ConfigError);
}

TEST(Measurements, ACountOfACaseIsWhole) {
  const auto integer = [](const validation::MeasuredRow& row) { row.integer("n"); };
  EXPECT_EQ(asked("3", integer), "no mistake");
  EXPECT_EQ(asked("3.0", integer), "no mistake");
  const std::string wanted = ", wanted a non-negative whole number";
  EXPECT_EQ(asked("2.5", integer), "rows.jsonl:7: case.n: got 2.5" + wanted);
  EXPECT_EQ(asked("-1", integer), "rows.jsonl:7: case.n: got -1, wanted a number from 0 to 1e18");
  EXPECT_EQ(asked("1e15", integer), "rows.jsonl:7: case.n: got 1e+15" + wanted);
}

TEST(Measurements, AKeyThatACaseLacksIsNamed) {
  EXPECT_EQ(asked("1", [](const validation::MeasuredRow& row) { row.number("m"); }),
            "rows.jsonl:7: key 'm' is missing");
  EXPECT_EQ(asked("1", [](const validation::MeasuredRow& row) { row.text("n"); }),
            "rows.jsonl:7: n: got 1, wanted a string");
}

}  // namespace
}  // namespace septet::test
