// Every answer of the CUDA occupancy calculator on an H200 that we recorded, exactly.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "models/gpu/occupancy/occupancy.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::testing {
namespace {

// Calls check(row, line) for each row of a group; returns how many there were.
template <class Check>
int for_each_row(const std::string& group, Check check) {
  std::ifstream file(SEPTET_MEASUREMENTS "/h200/" + group + ".jsonl");
  EXPECT_TRUE(file.is_open());
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) check(nlohmann::json::parse(line), line);
  return rows;
}

TEST(MeasuredOccupancy, AgreesWithTheCalculatorInEveryRow) {
  const gpu::SmSpec sm = h200_sm();
  const int rows = for_each_row("occupancy", [&sm](const auto& row, const std::string& line) {
    ASSERT_EQ(row.at("metric"), "blocks_per_sm");
    const auto& launch = row.at("case");
    const auto answer =
        occupancy_of(sm, shape(launch.at("regs"), launch.at("threads"),
                               Bytes(launch.at("smem").template get<std::int64_t>())));
    EXPECT_EQ(answer.blocks_per_sm, row.at("value").template get<double>()) << line;
  });
  EXPECT_EQ(rows, 824);  // a shortened file must not pass for agreement
}

// The program that measured waves asked the calculator too, for a kernel of 12 registers.
TEST(MeasuredOccupancy, AgreesWithTheCalculatorWhereWavesWereMeasured) {
  const gpu::SmSpec sm = h200_sm();
  const int rows = for_each_row("waves", [&sm](const auto& row, const std::string& line) {
    const auto& launch = row.at("case");
    const auto answer =
        occupancy_of(sm, shape(launch.at("registers"), launch.at("threads"),
                               Bytes(launch.at("smem").template get<std::int64_t>())));
    EXPECT_EQ(answer.blocks_per_sm, launch.at("occ_blocks").template get<std::uint32_t>()) << line;
  });
  EXPECT_EQ(rows, 151);
}

}  // namespace
}  // namespace septet::testing
