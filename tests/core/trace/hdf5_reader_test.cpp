#include "core/trace/hdf5_reader.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/trace/sample.hpp"

namespace septet::trace {
namespace {

using sample::TemporaryDirectory;

class Hdf5ReaderTest : public testing::Test {
 protected:
  void SetUp() override { sample::write_file(directory_ / "run.h5"); }

  template <class Call>
  std::string error_of(Call call) {
    try {
      call();
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.where().file, (directory_ / "run.h5").string());
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }

  TemporaryDirectory directory_;
};

TEST_F(Hdf5ReaderTest, ReadsEveryValueBack) {
  const Hdf5Reader reader(directory_ / "run.h5");
  EXPECT_EQ(reader.rows("kernels"), 70'000U);
  EXPECT_EQ(reader.integers("links", "bytes"), (std::vector<std::int64_t>{4096, 8192}));
  const auto index = reader.integers("kernels", "kernel_run");
  const auto start = reader.integers("kernels", "start");
  const auto kernel = reader.integers("kernels", "kernel");
  const auto limiter = reader.integers("kernels", "limiter");
  const auto activity = reader.reals("kernels", "activity");
  const auto power = reader.reals("kernels", "power");
  ASSERT_EQ(power.size(), 70'000U);
  for (std::size_t i = 0; i < 70'000; ++i) {
    const auto row = static_cast<std::int64_t>(i);
    ASSERT_EQ(index[i], row);
    ASSERT_EQ(start[i], 1000 * row);
    ASSERT_EQ(kernel[i], row % 3);
    ASSERT_EQ(limiter[i], row % 4);
    ASSERT_EQ(activity[i], static_cast<double>(row) / 7);
    ASSERT_EQ(power[i], static_cast<double>(row) / 2);  // exact also in 32 bits
  }
}

TEST_F(Hdf5ReaderTest, ReadsTheSchemaBack) {
  const Hdf5Reader reader(directory_ / "run.h5");
  EXPECT_EQ(reader.tables(), (std::vector<std::string>{"kernels", "links"}));
  const TraceSchema schema = sample::schema();
  for (const TableSpec& wanted : schema.tables()) {
    const TableSpec table = reader.table(wanted.name);
    EXPECT_EQ(table.dimension, wanted.dimension);
    ASSERT_EQ(table.columns.size(), wanted.columns.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      EXPECT_EQ(table.columns[i].name, wanted.columns[i].name);
      EXPECT_EQ(table.columns[i].type, wanted.columns[i].type);
      EXPECT_EQ(table.columns[i].units, wanted.columns[i].units);
      EXPECT_EQ(table.columns[i].long_name, wanted.columns[i].long_name);
      EXPECT_EQ(table.columns[i].dictionary, wanted.columns[i].dictionary);
      EXPECT_EQ(table.columns[i].flags, wanted.columns[i].flags);
    }
  }
}

TEST_F(Hdf5ReaderTest, ReadsTextsAttributesAndSmallTablesBack) {
  const Hdf5Reader reader(directory_ / "run.h5");
  EXPECT_EQ(reader.dictionary("kernel"), (std::vector<std::string>{"gemm", "softmax", "größe"}));
  EXPECT_EQ(reader.meta("scenario_toml"), "name = \"µ-bench\"\n");
  EXPECT_EQ(reader.attribute("seed"), AttributeValue(std::uint64_t{18'446'744'073'709'551'615U}));
  EXPECT_EQ(reader.attribute("digest"), AttributeValue("0123456789abcdef"));
  EXPECT_EQ(reader.attribute("tool_version"), AttributeValue("0.0-test"));
  EXPECT_EQ(reader.summary(),
            (std::vector<SummaryRow>{{"kernels", 70'000, "1"}, {"step", 2.5, "us"}}));
  const auto bottlenecks = reader.compound("bottlenecks");
  ASSERT_EQ(bottlenecks.size(), 3U);
  EXPECT_EQ(bottlenecks[0].values, CompoundValues(std::vector<std::string>{"memory", "issue"}));
  EXPECT_EQ(bottlenecks[1].values, CompoundValues(std::vector<std::int64_t>{7, 3}));
  EXPECT_EQ(bottlenecks[2].values, CompoundValues(std::vector<double>{1.5, 0.25}));
  EXPECT_EQ(bottlenecks[2].units, "us");
}

TEST_F(Hdf5ReaderTest, NamesWhatIsThereWhereSomethingIsMissing) {
  const Hdf5Reader reader(directory_ / "run.h5");
  EXPECT_NE(error_of([&] {
              reader.reals("kernels", "energy");
            }).find("table kernels has no energy; it has kernel_run, start, kernel, limiter"),
            std::string::npos);
  EXPECT_NE(error_of([&] { reader.rows("requests"); }).find("the file has no requests"),
            std::string::npos);
  EXPECT_NE(error_of([&] { reader.dictionary("gpu"); }).find("/dict has no gpu; it has kernel"),
            std::string::npos);
  EXPECT_NE(error_of([&] { reader.attribute("wall_s"); }).find("no attribute wall_s"),
            std::string::npos);
  EXPECT_NE(error_of([&] { reader.meta("argv"); }).find("/meta has no argv"), std::string::npos);
}

TEST_F(Hdf5ReaderTest, DoesNotConvertBetweenIntegersAndReals) {
  const Hdf5Reader reader(directory_ / "run.h5");
  EXPECT_NE(error_of([&] {
              reader.reals("kernels", "start");
            }).find("column kernels/start does not hold floating-point numbers"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              reader.integers("kernels", "power");
            }).find("column kernels/power does not hold integers"),
            std::string::npos);
  EXPECT_NE(error_of([&] { reader.compound("kernels"); }).find("kernels"), std::string::npos);
}

}  // namespace
}  // namespace septet::trace
