#include "scenarios/explain/profiled_rows.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/scenarios/explain/shipped_kernels.hpp"

namespace septet::testing {
namespace {

const gpu::GpuSpec& h200() {
  static const gpu::GpuSpec gpu =
      gpu_spec(shipped_profiles().find(config::ProfileKind::kGpu, "h200-sxm", {}, "test"));
  return gpu;
}

// 528 blocks of 256 threads that read and write 16 MB each.
nsight::ProfiledKernel copy_row() {
  nsight::ProfiledKernel row;
  row.where = {"report.csv", 7};
  row.id = "4";
  row.name = "void at::native::vectorized_elementwise_kernel<4, Copy>(int)";
  row.metrics = {{"launch__grid_size", 528},
                 {"launch__block_size", 256},
                 {"launch__registers_per_thread", 32},
                 {"smsp__inst_executed.sum", 528.0 * 8 * 2000},
                 {"sm__inst_executed_pipe_lsu.sum", 528.0 * 8 * 16},
                 {"l1tex__t_bytes.sum", 32e6},
                 {"lts__t_bytes.sum", 32e6},
                 {"dram__bytes_read.sum", 16e6},
                 {"gpu__time_duration.sum", 10'000}};
  return row;
}

std::string mistake(const std::function<void()>& act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

TEST(ProfiledRows, AreTimedAsTheProfilerDoes) {
  const explain::Explanation e = explain::explain_row(h200(), {}, copy_row());
  ASSERT_TRUE(e.profiled);
  EXPECT_EQ(e.profiled->id, "4");
  EXPECT_EQ(*e.profiled->measured, Duration(10'000'000));
  EXPECT_EQ(e.profiled->predicted,
            e.time.total - h200().kernel.block.ramp + h200().kernel.cold.profiler_time);
  // 16 MB at 4.8 TB/s are 3.3 us.
  EXPECT_GT(e.profiled->predicted, from_us(3.3));
}

TEST(ProfiledRows, NeverReadTheDuration) {
  nsight::ProfiledKernel row = copy_row();
  const Duration before = explain::explain_row(h200(), {}, row).time.total;
  row.metrics["gpu__time_duration.sum"] = 1e9;
  EXPECT_EQ(explain::explain_row(h200(), {}, row).time.total, before);
  row.metrics.erase("gpu__time_duration.sum");
  EXPECT_FALSE(explain::explain_row(h200(), {}, row).profiled->measured);
}

TEST(ProfiledRows, AreComparedOnTheirOwnGpuAlone) {
  nsight::ProfiledKernel row = copy_row();
  row.device = "nvidia h200";  // an alias
  EXPECT_TRUE(explain::explain_row(h200(), {}, row).profiled->measured);
  row.device = "NVIDIA H100 80GB HBM3";
  EXPECT_FALSE(explain::explain_row(h200(), {}, row).profiled->measured);
}

TEST(ProfiledRows, WithIdleLanesGetAdviceAboutPaths) {
  nsight::ProfiledKernel row = copy_row();
  const auto advises = [&] {
    for (const explain::Advice& one : explain::explain_row(h200(), {}, row).advice) {
      if (one.change.text.find("8 of 32 threads") != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_FALSE(advises());
  row.metrics["smsp__thread_inst_executed_per_inst_executed.ratio"] = 8;
  EXPECT_TRUE(advises());
}

TEST(ProfiledRows, AreChosenByIdOrPartOfTheName) {
  nsight::ProfiledKernel other = copy_row();
  other.id = "5";
  other.name = "softmax";
  const std::vector<nsight::ProfiledKernel> rows = {copy_row(), other};
  EXPECT_EQ(explain::chosen_rows(rows, {}).size(), 2U);
  EXPECT_EQ(explain::chosen_rows(rows, {"5", {}}).at(0).name, "softmax");
  EXPECT_EQ(explain::chosen_rows(rows, {{}, "vectorized"}).at(0).id, "4");
  EXPECT_EQ(mistake([&] {
              explain::chosen_rows(rows, {"6", {}});
            }),
            "report.csv: --id: got '6', wanted a row ID from 4 to 5");
  EXPECT_NE(mistake([&] {
              explain::chosen_rows(rows, {{}, "gemm"});
            }).find("softmax"),
            std::string::npos);
}

TEST(ProfiledRows, ThatCannotRunNameTheLimit) {
  nsight::ProfiledKernel row = copy_row();
  row.metrics["launch__shared_mem_per_block_dynamic"] = 300e3;
  row.metrics["launch__shared_mem_per_block_static"] = 0;
  EXPECT_NE(mistake([&] { explain::explain_row(h200(), {}, row); }).find("shared memory"),
            std::string::npos);
  row = copy_row();
  row.metrics.erase("launch__grid_size");
  EXPECT_NE(mistake([&] {
              explain::explain_row(h200(), {}, row);
            }).find("report.csv:7: kernel 4: metric launch__grid_size is missing"),
            std::string::npos);
}

}  // namespace
}  // namespace septet::testing
