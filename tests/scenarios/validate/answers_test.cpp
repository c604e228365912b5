// Every kind of case answers measured rows, from the case alone.
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/validate.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"
#include "tests/scenarios/validate/h200.hpp"

namespace septet::test {
namespace {

using Json = nlohmann::ordered_json;

// Group, what (or which load) and metric of a row.
std::string kind_of(const Json& row) {
  const char* key = row["case"].contains("load") ? "load" : "what";
  const Json what = row["case"].value(key, Json(""));
  return row["group"].get<std::string>() + " " + what.get<std::string>() + " " +
         row["metric"].get<std::string>();
}

bool has_model(const Json& row) {
  const auto& kinds = validation::case_kinds();
  const auto group = row["group"].get<std::string>();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&group](const validation::CaseKind& kind) { return kind.group == group; });
}

// Few rows of each kind: the first, one from the middle and the last.
std::vector<Json> sample() {
  std::map<std::string, std::vector<Json>> by_kind;
  for (const auto& file : std::filesystem::directory_iterator(measurements_folder())) {
    if (file.path().extension() != ".jsonl") continue;
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line);) {
      Json row = Json::parse(line);
      if (!has_model(row)) continue;
      // The rows are read from another folder.
      Json& recording = row["case"];
      if (recording.contains("trace")) {
        recording["trace"] = measurements_folder() + recording["trace"].get<std::string>();
      }
      if (recording.contains("requests_csv")) {
        recording["requests_csv"] =
            measurements_folder() + recording["requests_csv"].get<std::string>();
      }
      by_kind[kind_of(row)].push_back(std::move(row));
    }
  }
  std::vector<Json> out;
  for (const auto& [kind, rows] : by_kind) {
    out.push_back(rows.front());
    if (rows.size() > 2) out.push_back(rows[rows.size() / 2]);
    if (rows.size() > 1 && rows.front()["group"] != "model") out.push_back(rows.back());
  }
  return out;
}

std::vector<std::optional<double>> answers(const std::vector<Json>& rows) {
  const TemporaryDirectory directory;
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  const system::SystemSpec system = h200();
  std::vector<std::optional<double>> out;
  for (const validation::MeasuredRow& row :
       validation::read_measurements(directory.write("rows.jsonl", text))) {
    out.push_back(predict(row, system).value);
  }
  return out;
}

TEST(Answers, ComeFromEveryKindOfCaseThatWasMeasured) {
  std::map<std::string, int> answered;  // kinds with rows
  const std::vector<Json> rows = sample();
  const std::vector<std::optional<double>> values = answers(rows);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Json what = rows[r]["case"].contains("what") ? rows[r]["case"]["what"] : Json("");
    int& count = answered[rows[r]["group"].get<std::string>() + " " + what.get<std::string>()];
    if (!values[r]) continue;
    EXPECT_GE(*values[r], 0.0) << rows[r].dump();
    ++count;
  }
  for (const validation::CaseKind& kind : validation::case_kinds()) {
    const auto found = answered.find(kind.group + " " + kind.what);
    // The measured rows of host_threads do not say how many threads there were.
    if (found == answered.end() || kind.what == "host_threads") continue;
    EXPECT_GT(found->second, 0) << found->first;
  }
  EXPECT_GE(answered.size(), 20U) << "of " << validation::case_kinds().size() << " kinds";
}

TEST(Answers, DoNotDependOnWhatWasMeasured) {
  const std::vector<Json> rows = sample();
  const std::vector<std::optional<double>> before = answers(rows);
  std::vector<Json> scrambled = rows;
  std::vector<Json> without = rows;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const char* key : {"value", "second_run", "n"}) {
      if (rows[r].contains(key)) scrambled[r][key] = 1e6 - 17.0 * static_cast<double>(r);
      without[r].erase(key);
    }
  }
  EXPECT_EQ(answers(scrambled), before);
  EXPECT_EQ(answers(without), before);
}

}  // namespace
}  // namespace septet::test
