// Shares and means over the kernels of a report made up here.
#include "scenarios/claims/population.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "tests/scenarios/claims/testing.hpp"

namespace septet::claims {
namespace {

namespace fs = std::filesystem;

// Two kernels: of one block and of 4,096, which write nothing and load 4 bytes a thread. The
// profiler saw 10 and 50 % of warps active, and no issue slots.
constexpr const char* kReport =
    "ID,Kernel Name,launch__grid_size,launch__block_size,launch__registers_per_thread,"
    "launch__shared_mem_per_block,smsp__inst_executed.sum,sm__inst_executed_pipe_lsu.sum,"
    "l1tex__t_bytes.sum,l1tex__t_sector_hit_rate.pct,lts__t_bytes.sum,dram__bytes_read.sum,"
    "dram__bytes_write.sum,sm__warps_active.avg.pct_of_peak_sustained_active\n"
    ",,,,register/thread,byte/block,inst,inst,byte,%,byte,byte,byte,%\n"
    "0,small,1,256,32,0,800,8,1024,0,1024,1024,0,10\n"
    "1,large,4096,256,32,0,3276800,32768,4194304,0,4194304,4194304,0,50\n";

class Population : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("septet-population-" + std::to_string(::getpid()));
    fs::create_directories(root_ / "measurements");
    std::ofstream(root_ / "measurements" / "made.csv") << kReport;
  }
  void TearDown() override { fs::remove_all(root_); }

  ClaimResult of(const std::string& keys) {
    return evaluated(
        "[claim]\ntext = \"t\"\nkind = \"value\"\nfigure = 50\ngpus = [\"h200-sxm\"]\n"
        "verdict = \"holds\"\nreason = \"r\"\n[[situation]]\nname = \"s\"\n[[situation.after]]\n"
        "reports = [\"made.csv\"]\n" +
            keys,
        root_);
  }
  std::string mistake_of(const std::string& keys) {
    try {
      of(keys);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no mistake";
  }

  fs::path root_;
};

TEST_F(Population, CountsWhatMeetsAConditionAsModelledAndAsMeasured) {
  // One block of eight warps on an SM of 64 is an eighth; 4,096 blocks fill it, eight at a time.
  const SituationResult share = of("count = [\"achieved_occupancy_pct < 30\"]\n").situations[0];
  EXPECT_EQ(*share.simulated[0], 50);
  EXPECT_EQ(*share.measured, 50);  // 10 of 10 and 50
}

TEST_F(Population, TakesMeans) {
  const SituationResult mean = of("among = [\"achieved_occupancy_pct < 30\"]\n"
                                  "mean = \"achieved_occupancy_pct\"\n")
                                   .situations[0];
  EXPECT_DOUBLE_EQ(*mean.simulated[0], 12.5);
  EXPECT_DOUBLE_EQ(*mean.measured, 10);
}

TEST_F(Population, IsNotMeasuredWhereTheProfilerHasNoSuchMetric) {
  EXPECT_FALSE(of("count = [\"bound = memory\"]\n").situations[0].measured);
  EXPECT_FALSE(of("mean = \"dram_pct\"\n").situations[0].measured);
}

TEST_F(Population, WithoutAKernelThereIsNoAnswer) {
  const ClaimResult none = of("among = [\"waves > 1000\"]\nmean = \"dram_pct\"\n");
  EXPECT_EQ(none.verdict, Verdict::kNotSimulated);
  EXPECT_EQ(none.situations[0].missing, "h200-sxm: no kernel meets `among`");
}

TEST_F(Population, RefusesWhatIsNoCondition) {
  const std::string at = "c.toml:12:9: situation.s.after.0.count: got ";
  for (const char* text : {"dram_pct", "dram_pct = 3", "dram_pct < much", "dran_pct < 3",
                           "bound = nothing", "dram_pct < 3 4"}) {
    const std::string got = mistake_of("count = [\"" + std::string(text) + "\"]\n");
    EXPECT_EQ(got.substr(0, at.size()), at) << text << ": " << got;
  }
  EXPECT_EQ(mistake_of("mean = \"dram\"\n").substr(0, 60),
            "c.toml:12:8: situation.s.after.0.mean: got \"dram\", wanted on");
}

}  // namespace
}  // namespace septet::claims
