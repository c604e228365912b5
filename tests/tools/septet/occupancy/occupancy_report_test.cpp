#include "tools/septet/occupancy/occupancy_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"
#include "tools/septet/occupancy/occupancy_output.hpp"

namespace septet::testing {
namespace {

command::OccupancyQuestion question(std::uint32_t registers, std::uint32_t threads,
                                    Bytes shared = {}) {
  command::OccupancyQuestion out;
  out.gpu_name = "h200-sxm";
  out.gpu.sm_count = 132;
  out.gpu.sm = h200_sm();
  out.shape = shape(registers, threads, {}, shared);
  return out;
}

TEST(OccupancyReport, CutsTheGridIntoWavesOnlyWhenItIsGiven) {
  command::OccupancyQuestion q = question(40, 256);
  EXPECT_FALSE(answer(q).waves);
  q.shape.grid = {100, 10, 1};
  q.grid_given = true;
  const command::OccupancyReport report = answer(q);
  EXPECT_EQ(report.waves->slots, 792U);  // six blocks on each of 132 SMs
  EXPECT_EQ(report.waves->tail_blocks, 208U);
}

TEST(OccupancyReport, SaysWhatLaunchBoundsWouldSqueeze) {
  command::OccupancyQuestion q = question(96, 256);
  q.bounds = command::LaunchBounds{256, 4};
  const command::OccupancyReport report = answer(q);
  EXPECT_EQ(report.bounds->registers, 64U);  // 32 warps, eight a sub-core: 2,048 a warp
  EXPECT_TRUE(report.bounds->squeezes);
  EXPECT_EQ(report.bounds->after->blocks_per_sm, 4U);
  q.shape.registers_per_thread = 64;
  EXPECT_FALSE(answer(q).bounds->squeezes);
}

TEST(OccupancyReport, RefusesLaunchBoundsThatNoRegisterCountMeets) {
  command::OccupancyQuestion q = question(32, 256);
  q.bounds = command::LaunchBounds{1024, 3};
  EXPECT_THROW(static_cast<void>(answer(q)), ModelError);
}

TEST(OccupancyReport, AnswersEachKernelOrSaysWhyNot) {
  gpu::PtxasFunction small;
  small.registers = 32;
  small.barriers = 1;
  gpu::PtxasFunction large = small;
  large.registers = 128;  // 512 threads at most
  const auto lines = answer_each(question(1, 1024), {small, large});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].occupancy->blocks_per_sm, 2U);
  EXPECT_FALSE(lines[1].occupancy);
  EXPECT_EQ(lines[1].refusal,
            "a block of 1024 threads with 128 registers each takes 131072 registers, an SM has "
            "65536");
}

TEST(OccupancyReport, JsonHasTheNumbersOfTheModel) {
  command::OccupancyQuestion q = question(40, 256, 48_KiB);
  q.options.barriers = 0;
  const auto json = occupancy_json(answer(q));
  EXPECT_EQ(json.at("blocks_per_sm"), 4);  // 228 KiB / 49 KiB
  EXPECT_EQ(json.at("limiter"), "shared memory");
  EXPECT_EQ(json.at("limiters"), nlohmann::json({"shared memory"}));
  EXPECT_EQ(json.at("limits").at("registers"), 6);
  EXPECT_TRUE(json.at("limits").at("barriers").is_null());  // it uses none
  EXPECT_EQ(json.at("allocated").at("shared_bytes_per_block"), 49 * 1024);
  EXPECT_EQ(json.at("launch").at("static_shared_bytes"), 48 * 1024);
  EXPECT_TRUE(json.at("launch").at("grid").is_null());
  EXPECT_TRUE(json.at("waves").is_null());
  EXPECT_EQ(json.at("curve").size(), 32U);
  // Five blocks: 46,592 bytes each, less the reserved KiB.
  EXPECT_EQ(json.at("more_blocks").at(0).at("shared_bytes_at_most"), 45'568);
}

TEST(OccupancyReport, TextNamesTheLimiterAndTheWayOut) {
  const std::string text = occupancy_text(answer(question(40, 256, 48_KiB)), 100);
  EXPECT_NE(text.find("occupancy 50.0 %: 4 blocks on an SM, 32 of 64 warps; limited by shared "
                      "memory\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("5 blocks (62.5 %) with at most 44.5 KiB of shared memory\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace septet::testing
