// Tables are read back as they were written, and refused where files name things another way.
#include "core/trace/table_rows.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/core/trace/sample.hpp"

namespace septet::trace {
namespace {

using sample::KernelRow;
using sample::TemporaryDirectory;

ColumnSpec& column_of(TableSpec& table, const std::string& name) {
  return *std::ranges::find(table.columns, name, &ColumnSpec::name);
}

// A file of four kernels in a table as `stored` describes it.
void write_file(const std::filesystem::path& path, const TableSpec& stored, bool dictionary) {
  TraceSchema schema;
  schema.add(stored);
  Hdf5Writer writer(path, schema);
  if (dictionary) writer.set_dictionary("kernel", {"gemm", "softmax", "größe"});
  sample::write_kernels(writer, 0, 4);
  writer.finish();
}

// What is said when a table of the file is read as `wanted`.
std::string refusal(const TableSpec& stored, const TableSpec& wanted) {
  const TemporaryDirectory directory;
  write_file(directory / "run.h5", stored, true);
  try {
    read_rows(Hdf5Reader(directory / "run.h5"), wanted);
  } catch (const ConfigError& error) {
    return std::string(error.what()).substr((directory / "run.h5").string().size());
  }
  return "accepted";
}

TEST(TableRows, AreReadAsRecords) {
  const TemporaryDirectory directory;
  write_file(directory / "run.h5", table_of<KernelRow>(), true);
  const std::vector<KernelRow> rows = read_records<KernelRow>(Hdf5Reader(directory / "run.h5"));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[3].start, Instant(3000));
  EXPECT_EQ(rows[2].kernel, 2);
  EXPECT_EQ(rows[3].limiter, sample::Limiter::kLaunch);
  EXPECT_EQ(rows[3].activity, 3.0 / 7);
  EXPECT_EQ(rows[3].power, 1.5F);
}

TEST(TableRows, UnderAFormerNameOfAColumnAreRefused) {
  TableSpec stored = table_of<KernelRow>();
  column_of(stored, "limiter").name = "bound";
  TableSpec wanted = table_of<KernelRow>();
  column_of(wanted, "limiter").former_name = "bound";
  EXPECT_EQ(refusal(stored, wanted),
            ": kernels/bound: now called limiter; the file is from an older version");
}

TEST(TableRows, WithAFormerNameOfAValueAreRefused) {
  TableSpec stored = table_of<KernelRow>();
  column_of(stored, "limiter").flags.back() = "submission";
  TableSpec wanted = table_of<KernelRow>();
  column_of(wanted, "limiter").former_flags = {{"submission", "launch"}};
  EXPECT_EQ(refusal(stored, wanted),
            ": kernels/limiter, row 3: got submission, wanted launch, as it is now called");
}

TEST(TableRows, KeepTheirCodesWhereTheRunEndedBeforeItsDictionariesWereWritten) {
  const TemporaryDirectory directory;
  write_file(directory / "run.h5", table_of<KernelRow>(), false);
  const std::vector<KernelRow> rows = read_records<KernelRow>(Hdf5Reader(directory / "run.h5"));
  EXPECT_EQ(rows.at(2).kernel, 2);
}

}  // namespace
}  // namespace septet::trace
