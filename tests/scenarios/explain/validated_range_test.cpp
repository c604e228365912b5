#include "scenarios/explain/validated_range.hpp"

#include <algorithm>
#include <fstream>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "models/program/operators/operator_kinds.hpp"
#include "tests/scenarios/explain/described_kernels.hpp"

namespace septet::testing {
namespace {

struct Extremes {
  double least = 1e300;
  double most = 0;
};

// What a row says of a field: elements are those of rows x columns, and the other way round.
std::optional<double> said(const nlohmann::json& row, const program::ShapeField& field) {
  const std::string& key = field.row_key.empty() ? field.key : field.row_key;
  if (row.contains(key)) return row.at(key).get<double>();
  if (key == "elements" && row.contains("rows")) {
    return row.at("rows").get<double>() * row.at("cols").get<double>();
  }
  if (key == "rows" && row.contains("elements")) {
    return row.at("elements").get<double>() / row.at("cols").get<double>();
  }
  return std::nullopt;
}

Extremes measured_ops(const program::OperatorKind& kind, const program::ShapeField& field) {
  Extremes out;
  for (const char* name : {"op.jsonl", "op_more.jsonl"}) {
    std::ifstream file(std::string(SEPTET_SOURCE_DIRECTORY) + "/data/measurements/h200/" + name);
    for (std::string line; std::getline(file, line);) {
      const auto row = nlohmann::json::parse(line).at("case");
      const auto op = row.at("op").get<std::string>();
      if (std::ranges::find(kind.measured.names, op) == kind.measured.names.end()) continue;
      const std::optional<double> value = said(row, field);
      if (!value) continue;
      out.least = std::min(out.least, *value);
      out.most = std::max(out.most, *value);
    }
  }
  return out;
}

// Of `key` in the rows of the groups that the kernel model is validated on, for cases `what`.
Extremes measured(const std::string& group, const std::string& what, const std::string& key) {
  Extremes out;
  std::ifstream file(std::string(SEPTET_SOURCE_DIRECTORY) + "/data/measurements/h200/" + group +
                     ".jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto row = nlohmann::json::parse(line).at("case");
    if (row.value("what", "") != what || !row.contains(key)) continue;
    out.least = std::min(out.least, row.at(key).get<double>());
    out.most = std::max(out.most, row.at(key).get<double>());
  }
  return out;
}

TEST(ValidatedRange, IsThatOfTheMeasurements) {
  const Extremes threads = measured("memory", "read_occ", "threads");
  EXPECT_EQ(validated_range(explain::Validated::kThreads).least, threads.least);
  EXPECT_EQ(validated_range(explain::Validated::kThreads).most, threads.most);
  EXPECT_EQ(validated_range(explain::Validated::kBlocks).most,
            measured("claim", "one_element_copy", "blocks").most);
  EXPECT_EQ(validated_range(explain::Validated::kLoads).most,
            measured("memory", "read_occ", "unroll").most);
  EXPECT_EQ(validated_range(explain::Validated::kCode).most,
            16 * measured("compute", "icache", "body_instr").most);
  EXPECT_EQ(validated_range(explain::Validated::kFootprint).most,
            1024 * measured("memory", "chase", "kbytes").most);
  EXPECT_EQ(validated_range(explain::Validated::kConflicts).most,
            measured("memory", "bank", "way").most);
  EXPECT_EQ(validated_range(explain::Validated::kBytes).most,
            2 * measured("memory", "copy", "bytes_read").most);
  EXPECT_EQ(validated_range(explain::Validated::kIndependent).most,
            measured("compute", "op", "ilp").most);
}

TEST(ValidatedRange, OfOperatorsIsThatOfTheirRows) {
  int ranges = 0;
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    for (const auto& [key, least, most] : kind.measured.extents) {
      const program::ShapeField* field = kind.field(key);
      ASSERT_NE(field, nullptr) << kind.name << ' ' << key;
      if (field->flag) continue;
      const Extremes rows = measured_ops(kind, *field);
      EXPECT_EQ(least, rows.least) << kind.name << ' ' << key;
      EXPECT_EQ(most, rows.most) << kind.name << ' ' << key;
      ++ranges;
    }
  }
  EXPECT_GT(ranges, 70);
}

TEST(RangeWarnings, SayWhichAndByHowMuch) {
  explain::KernelDescription kernel = kernel_of(shape_of(10, 256), 10, 8, 100, {dense(4, 16)});
  const std::vector<std::string> warnings = range_warnings(round_gpu(), kernel);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "loads of a warp in flight: 16 is above the validated range of 0 to 8 (group memory) "
            "by a factor of 2");
  kernel.segments[0].accesses[0].batch.requests = 8;
  EXPECT_TRUE(range_warnings(round_gpu(), kernel).empty());
}

TEST(RangeWarnings, CountTheWaysOfBankConflicts) {
  // 4 requests to shared memory, 28 wavefronts more: 8 ways; the 2 loads are no part of it.
  explain::KernelDescription kernel = kernel_of(shape_of(10, 256), 10, 8, 100, {dense(4, 2)});
  kernel.segments[0].segment[program::Pipe::kLsu] += 4;
  kernel.segments[0].segment.shared_wavefronts = 28;
  EXPECT_TRUE(range_warnings(round_gpu(), kernel).empty());
  kernel.segments[0].segment.shared_wavefronts = 124;
  ASSERT_EQ(range_warnings(round_gpu(), kernel).size(), 1U);
  EXPECT_NE(range_warnings(round_gpu(), kernel)[0].find("mean ways of bank conflicts: 32 is above"),
            std::string::npos);
}

TEST(RangeWarnings, KnowTheGpusThatWereCompared) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.name = "h200-sxm";
  EXPECT_TRUE(explain::gpu_warnings(gpu).empty());
  gpu.name = "b200-sxm";
  ASSERT_EQ(explain::gpu_warnings(gpu).size(), 1U);
  EXPECT_TRUE(explain::gpu_warnings(gpu)[0].starts_with("b200-sxm: never compared"));
}

}  // namespace
}  // namespace septet::testing
