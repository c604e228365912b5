// Every table of a trace: written from records, read back, refused where a file says nonsense.
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/trace/hdf5_writer.hpp"
#include "core/trace/table_rows.hpp"
#include "models/records/api_call_record.hpp"
#include "models/records/bottleneck_record.hpp"
#include "models/records/collective_record.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/graph_records.hpp"
#include "models/records/link_records.hpp"
#include "models/records/run_tables.hpp"
#include "tests/core/trace/sample.hpp"

namespace septet::test {
namespace {

using sample::TemporaryDirectory;

constexpr std::size_t kTexts = 7;  // of each dictionary

template <class Value>
void put(std::vector<std::byte>& bytes, std::size_t place, Value value) {
  std::memcpy(bytes.data() + place, &value, sizeof value);
}

// A valid value of a column of whole numbers: its ends, what stands for none, and others.
std::int64_t valid_value(const trace::ColumnSpec& column, RandomStream& random) {
  const std::int64_t most =
      column.dictionary.empty() ? column.most : static_cast<std::int64_t>(kTexts) - 1;
  switch (random.below(4)) {
    case 0:
      return column.least;
    case 1:
      return most;
    case 2:
      return column.absent.value_or(most);
    default:
      break;
  }
  const std::int64_t first = std::max<std::int64_t>(0, column.least);
  const auto span = static_cast<std::uint64_t>(std::min<std::int64_t>(most - first, 1'000'000));
  return first + static_cast<std::int64_t>(random.below(span + 1));
}

void put_valid(std::vector<std::byte>& bytes, std::size_t place, const trace::ColumnSpec& column,
               RandomStream& random) {
  switch (column.type) {
    case trace::ColumnType::kFloat64:
      return put(bytes, place, random.uniform());
    case trace::ColumnType::kFloat32:
      return put(bytes, place, static_cast<float>(random.uniform()));
    case trace::ColumnType::kInt64:
      return put(bytes, place, valid_value(column, random));
    case trace::ColumnType::kInt32:
      return put(bytes, place, static_cast<std::int32_t>(valid_value(column, random)));
    case trace::ColumnType::kUint8:
      return put(bytes, place, static_cast<std::uint8_t>(valid_value(column, random)));
  }
}

trace::TableRows random_rows(const trace::TableSpec& spec, std::size_t rows, RandomStream& random) {
  trace::TableRows out{spec, std::vector<std::byte>(rows * spec.row_size)};
  for (std::size_t row = 0; row < rows; ++row) {
    for (const trace::ColumnSpec& column : spec.columns) {
      put_valid(out.bytes, row * spec.row_size + column.offset, column, random);
    }
  }
  return out;
}

void write(const std::filesystem::path& path, const std::vector<trace::TableRows>& tables) {
  trace::TraceSchema schema;
  std::set<std::string> dictionaries;
  for (const trace::TableRows& table : tables) {
    schema.add(table.spec);
    for (const trace::ColumnSpec& column : table.spec.columns)
      dictionaries.insert(column.dictionary);
  }
  dictionaries.erase("");
  trace::Hdf5Writer writer(path, schema);
  for (const std::string& name : dictionaries) {
    writer.set_dictionary(name, std::vector<std::string>(kTexts, "a text"));
  }
  for (trace::TableId id = 0; id < tables.size(); ++id) {
    const trace::TableRows& table = tables[id];
    const std::span<const std::byte> bytes(table.bytes);
    for (std::size_t row = 0; row < table.size(); ++row) {
      writer.consume(id, bytes.subspan(row * table.spec.row_size, table.spec.row_size));
    }
  }
  writer.finish();
}

TEST(Records, OfEveryTableSurviveTheWayThroughAFile) {
  const TemporaryDirectory directory;
  RandomStream random({11, 0, 0});
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{300}}) {
    std::vector<trace::TableRows> tables;
    for (const trace::TableSpec& spec : records::run_tables())
      tables.push_back(random_rows(spec, rows, random));
    write(directory / "run.h5", tables);
    const trace::Hdf5Reader file(directory / "run.h5");
    for (const trace::TableRows& table : tables) {
      EXPECT_EQ(read_rows(file, table.spec).bytes, table.bytes) << table.spec.name;
    }
  }
}

TEST(Records, AreReadAsStructs) {
  const TemporaryDirectory directory;
  records::KernelRecord kernel;
  kernel.start = Instant(5);
  kernel.end = Instant(9);
  kernel.cause = records::WaitCause::kSmResources;
  kernel.name = 3;
  kernel.blocks = 132;
  trace::TableRows table{trace::table_of<records::KernelRecord>(), {}};
  const std::span<const std::byte> row = trace::row_of(kernel);
  table.bytes.assign(row.begin(), row.end());
  write(directory / "run.h5", {table});
  const std::vector<records::KernelRecord> read =
      trace::read_records<records::KernelRecord>(trace::Hdf5Reader(directory / "run.h5"));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].start, Instant(5));
  EXPECT_EQ(read[0].end, Instant(9));
  EXPECT_EQ(read[0].cause, records::WaitCause::kSmResources);
  EXPECT_EQ(read[0].name, 3);
  EXPECT_EQ(read[0].blocks, 132);
  EXPECT_EQ(read[0].node, -1);
  EXPECT_EQ(read[0].waited, Duration(-1));
}

// What is said when a file of `stored` is read as `wanted`.
std::string refusal(const trace::TableRows& stored, const trace::TableSpec& wanted) {
  const TemporaryDirectory directory;
  write(directory / "run.h5", {stored});
  try {
    read_rows(trace::Hdf5Reader(directory / "run.h5"), wanted);
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.where().file, (directory / "run.h5").string());
    return error.what();
  }
  return "accepted";
}

TEST(Records, OutOfTheRangeOfAColumnAreRefusedWithTheirRow) {
  RandomStream random({12, 0, 0});
  for (const trace::TableSpec& spec : records::run_tables()) {
    for (const trace::ColumnSpec& column : spec.columns) {
      const bool whole =
          column.type == trace::ColumnType::kInt64 || column.type == trace::ColumnType::kInt32;
      if (!whole || column.least == -std::numeric_limits<std::int64_t>::max()) continue;
      trace::TableRows rows = random_rows(spec, 3, random);
      const std::size_t place = 2 * spec.row_size + column.offset;
      if (column.type == trace::ColumnType::kInt64) put(rows.bytes, place, column.least - 1);
      if (column.type == trace::ColumnType::kInt32) {
        put(rows.bytes, place, static_cast<std::int32_t>(column.least - 1));
      }
      const std::string said = refusal(rows, spec);
      EXPECT_NE(
          said.find(fmt::format("{}/{}, row 2: got {}", spec.name, column.name, column.least - 1)),
          std::string::npos)
          << said;
    }
  }
}

TEST(Records, WithACodeThatTheDictionaryLacksAreRefused) {
  RandomStream random({13, 0, 0});
  trace::TableRows rows = random_rows(trace::table_of<records::KernelRecord>(), 1, random);
  const auto name = std::ranges::find(rows.spec.columns, "name", &trace::ColumnSpec::name);
  put(rows.bytes, name->offset, std::int32_t{kTexts});
  EXPECT_NE(refusal(rows, rows.spec).find("kernels/name, row 0: got 7, wanted 0 to 6"),
            std::string::npos);
}

TEST(Records, AreReadByTheNamesOfTheirEnumerations) {
  RandomStream random({14, 0, 0});
  trace::TableRows rows = random_rows(trace::table_of<records::CopyRecord>(), 1, random);
  trace::ColumnSpec& kind = *std::ranges::find(rows.spec.columns, "kind", &trace::ColumnSpec::name);
  kind.flags = {"memset", "peer_to_peer"};  // of a file that numbers its kinds another way
  put(rows.bytes, kind.offset, std::uint8_t{0});
  const TemporaryDirectory directory;
  write(directory / "run.h5", {rows});
  const auto copies =
      trace::read_records<records::CopyRecord>(trace::Hdf5Reader(directory / "run.h5"));
  EXPECT_EQ(copies.at(0).kind, records::CopyKind::kMemset);
  put(rows.bytes, kind.offset, std::uint8_t{1});
  const std::string said = refusal(rows, trace::table_of<records::CopyRecord>());
  EXPECT_NE(said.find("copies/kind, row 0: got peer_to_peer, wanted one of host_to_device,"),
            std::string::npos)
      << said;
}

TEST(Records, UnderAFormerNameAreRefusedWithTheNameNow) {
  RandomStream random({15, 0, 0});
  std::size_t renamed = 0;
  for (const trace::TableSpec& spec : records::run_tables()) {
    for (std::size_t c = 0; c < spec.columns.size(); ++c) {
      const trace::ColumnSpec& column = spec.columns[c];
      if (column.former_name.empty()) continue;
      ++renamed;
      trace::TableRows rows = random_rows(spec, 1, random);
      rows.spec.columns[c].name = column.former_name;
      const std::string said = refusal(rows, spec);
      EXPECT_NE(said.find(fmt::format("{}/{}: now called {}", spec.name, column.former_name,
                                      column.name)),
                std::string::npos)
          << said;
    }
  }
  EXPECT_EQ(renamed, 2U);
}

template <class Record>
std::vector<Record> through_a_file(const std::vector<Record>& rows) {
  const TemporaryDirectory directory;
  trace::Hdf5Writer writer(directory / "run.h5", trace::TraceSchema());
  trace::write_small_table<Record>(writer, rows);
  writer.finish();
  return trace::read_small_table<Record>(trace::Hdf5Reader(directory / "run.h5"));
}

TEST(SmallTables, SurviveTheWayThroughAFile) {
  const auto edges = through_a_file<records::GraphEdgeRecord>({{1, 2, 3}, {4, 5, 6}});
  ASSERT_EQ(edges.size(), 2U);
  EXPECT_EQ(edges[1].shape, 4);
  EXPECT_EQ(edges[1].from, 5);
  EXPECT_EQ(edges[1].to, 6);
  EXPECT_EQ(through_a_file<records::GraphRecord>({{0, 7}}).at(0).shape, 7);
  const records::LinkEndsRecord link =
      through_a_file<records::LinkEndsRecord>({{3, "gpu0", "nic0", 5e10}}).at(0);
  EXPECT_EQ(link.link, 3);
  EXPECT_EQ(link.from, "gpu0");
  EXPECT_EQ(link.to, "nic0");
  EXPECT_EQ(link.rate, 5e10);
  const records::BottleneckRecord kernel =
      through_a_file<records::BottleneckRecord>({{"größe", 2.5, 9}}).at(0);
  EXPECT_EQ(kernel.kernel, "größe");
  EXPECT_EQ(kernel.time, 2.5);
  EXPECT_EQ(kernel.count, 9);
  EXPECT_TRUE(through_a_file<records::GraphRecord>({}).empty());
}

TEST(SmallTables, NameTheFieldThatIsMissingOrOfAnotherKind) {
  const auto said = [](std::vector<trace::CompoundColumn> columns) -> std::string {
    try {
      trace::from_compound<records::GraphRecord>(columns, "run.h5");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said({{"graph", "1", std::vector<std::int64_t>{1}}}), "run.h5: graphs has no shape");
  EXPECT_EQ(said({{"graph", "1", std::vector<double>{1}}}),
            "run.h5: graphs/graph does not hold integers");
}

TEST(CallCodes, AreTheKindsAndThenTheProgramsStrings) {
  EXPECT_EQ(records::call_code(program::CallKind::kLaunchGraph, kNone), 3);
  EXPECT_EQ(records::call_code(program::CallKind::kLaunchGraph, 0),
            static_cast<std::int32_t>(kEnumSize<program::CallKind>));
  EXPECT_EQ(records::call_code(program::CallKind::kLaunchGraph, 5),
            static_cast<std::int32_t>(kEnumSize<program::CallKind>) + 5);
}

// With SEPTET_UPDATE_REFERENCE set in the environment the page is written anew instead.
TEST(Records, AreAllInTheFormatPage) {
  const std::filesystem::path page =
      std::filesystem::path(SEPTET_SOURCE_DIRECTORY) / "models" / "records" / "FORMAT.md";
  const std::string text = sample::contents(page);
  const std::string begin = "<!-- tables: begin -->\n";
  const std::size_t first = text.find(begin);
  const std::size_t last = text.find("<!-- tables: end -->");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(last, std::string::npos);
  const std::size_t from = first + begin.size();
  if (std::getenv("SEPTET_UPDATE_REFERENCE") != nullptr) {
    std::ofstream(page) << text.substr(0, from) + records::tables_reference() + text.substr(last);
    GTEST_SKIP() << "wrote " << page;
  }
  EXPECT_EQ(text.substr(from, last - from), records::tables_reference())
      << "run this test with SEPTET_UPDATE_REFERENCE=1";
}

}  // namespace
}  // namespace septet::test
