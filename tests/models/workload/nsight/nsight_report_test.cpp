#include "models/workload/nsight/nsight_report.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/workload/nsight/csv.hpp"

namespace septet::testing {
namespace {

class NsightReport : public ::testing::Test {
 protected:
  std::vector<nsight::ProfiledKernel> read(const std::string& text) {
    std::ofstream(path_) << text;
    return nsight::read_nsight_report(path_);
  }
  // The message of the ConfigError that reading `text` throws.
  std::string mistake(const std::string& text) {
    try {
      read(text);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no mistake";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string path_ = ::testing::TempDir() + "septet_nsight_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

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

TEST(Csv, AnInputErrorIsNotTheEndOfTheFile) {
  FailingBuffer buffer("a,b\n1,2\n3,");
  std::istream in(&buffer);
  nsight::CsvReader csv(in);
  EXPECT_EQ(csv.next()->fields, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(csv.next()->fields, (std::vector<std::string>{"1", "2"}));
  try {
    csv.next();
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "cannot be read: input error");
    EXPECT_EQ(error.where().line, 3);
  }
}

constexpr const char* kHeader = "ID,Kernel Name,launch__grid_size,dram__bytes_read.sum\n";

TEST_F(NsightReport, ReadsTheRawPageInBaseUnits) {
  const auto kernels =
      read(std::string(kHeader) + ",,,Kbyte\n7,\"void f(int, \"\"x\"\")\",\"1,234\",\"2.5\"\n");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].id, "7");
  EXPECT_EQ(kernels[0].name, "void f(int, \"x\")");
  EXPECT_EQ(kernels[0].metric("launch__grid_size"), 1234.0);
  EXPECT_EQ(kernels[0].metric("dram__bytes_read.sum"), 2500.0);
  EXPECT_EQ(kernels[0].where.line, 3);
}

TEST_F(NsightReport, ReadsTheLongForm) {
  const auto kernels = read(
      "==PROF== Connected to process 1\n"
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"f\",\"launch__grid_size\",\"\",\"8\"\n"
      "\"0\",\"f\",\"gpu__time_duration.sum\",\"usecond\",\"1.5\"\n"
      "\"1\",\"g\",\"launch__grid_size\",\"\",\"9\"\n");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].metric("gpu__time_duration.sum"), 1500.0);
  EXPECT_EQ(kernels[1].name, "g");
}

TEST_F(NsightReport, KnowsTheDeviceWhereTheReportNamesIt) {
  const auto kernels =
      read("ID,Kernel Name,device__attribute_display_name\n,,\n0,f,NVIDIA H100 80GB HBM3\n1,g,\n");
  EXPECT_EQ(kernels[0].device, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(kernels[1].device, "");
}

TEST_F(NsightReport, MetricsThatAreNotAvailableAreMissing) {
  const auto kernels = read(std::string(kHeader) + ",,,byte\n0,f,n/a,\n");
  EXPECT_EQ(kernels[0].metric("launch__grid_size"), std::nullopt);
  EXPECT_EQ(kernels[0].metric_or("dram__bytes_read.sum", 5), 5);
}

TEST_F(NsightReport, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_NE(mistake(std::string(kHeader) + ",,,byte\n0,f,1\n").find(".csv:3: 3 fields"),
            std::string::npos);
  EXPECT_NE(mistake(std::string(kHeader) + ",,,byte\n0,f,1,many\n").find(".csv:3: dram__bytes"),
            std::string::npos);
  EXPECT_NE(mistake(std::string(kHeader) + ",,,parsec\n0,f,1,2\n")
                .find(".csv:3: dram__bytes_read.sum: got the unit 'parsec'"),
            std::string::npos);
  EXPECT_NE(mistake("arrival,length\n1,2\n").find("not an Nsight Compute report"),
            std::string::npos);
  EXPECT_NE(mistake("").find("not an Nsight Compute report"), std::string::npos);
  EXPECT_NE(mistake("ID,Name\n,\n0,f\n").find("\"Kernel Name\" is missing"), std::string::npos);
  EXPECT_NE(mistake(std::string(kHeader) + ",,,byte\n0,\"f,1,2\n").find("does not end"),
            std::string::npos);
}

// A hit rate is at most all accesses, and no counter counts backwards; percentages of a peak may
// exceed 100.
TEST_F(NsightReport, RefusesWhatNoCounterCanRead) {
  const auto read_one = [&](const std::string& metric, const std::string& value) {
    return mistake("ID,Kernel Name," + metric + "\n,,%\n0,f," + value + "\n");
  };
  const std::string rate = "lts__t_sector_hit_rate.pct";
  EXPECT_EQ(read_one(rate, "100"), "no mistake");
  EXPECT_EQ(read_one(rate, "300"),
            path_ + ":3: " + rate + ": got '300', wanted at most 100 percent");
  EXPECT_EQ(read_one("sm__warps_active.max.pct_of_peak_sustained_active", "800"), "no mistake");
  EXPECT_EQ(read_one("smsp__inst_executed.sum", "-1"),
            path_ + ":3: smsp__inst_executed.sum: got '-1', wanted a non-negative number");
}

}  // namespace
}  // namespace septet::testing
