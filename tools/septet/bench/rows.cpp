#include "tools/septet/bench/rows.hpp"

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "core/base/random.hpp"
#include "core/trace/hdf5_writer.hpp"
#include "tools/septet/bench/option_error.hpp"

namespace septet {
namespace {

constexpr std::size_t kKinds = 6;
constexpr std::size_t kMaxColumns = 64;
constexpr std::size_t kTableRows = 50'021;  // prime, and more rows than deflate looks back

const std::array<ColumnSpec, kKinds> kColumns = {{
    {"start", ColumnType::kInt64, "ps", "start of the kernel"},
    {"end", ColumnType::kInt64, "ps", "end of the kernel"},
    {"kernel", ColumnType::kInt32, "1", "kernel", "kernel"},
    {"stream", ColumnType::kInt32, "1", "stream"},
    {"limiter", ColumnType::kUint8, "1", "limiter", "", {"issue", "memory", "launch"}},
    {"activity", ColumnType::kFloat64, "1", "share of SMs that were active"},
}};

// One row's random parts.
struct Draw {
  std::int64_t gap;
  std::int64_t duration;
  std::int32_t kernel;
  std::int32_t stream;
  std::int32_t limiter;
  double activity;
};

std::vector<Draw> draw_table() {
  RandomStream random({1, 0, 0});
  std::vector<Draw> table(kTableRows);
  for (Draw& draw : table) {
    draw.gap = static_cast<std::int64_t>(random.exponential(2e6));       // 2 us
    draw.duration = static_cast<std::int64_t>(random.exponential(1e7));  // 10 us
    draw.kernel = static_cast<std::int32_t>(random.below(200));
    draw.stream = static_cast<std::int32_t>(random.below(8));
    draw.limiter = static_cast<std::int32_t>(random.below(3));
    draw.activity = random.uniform();
  }
  return table;
}

TraceSchema schema_of(std::size_t columns) {
  TableSpec table{"kernels", "kernel_run", {}};
  for (std::size_t i = 0; i < columns; ++i) {
    table.columns.push_back(kColumns[i % kKinds]);
    if (i >= kKinds) table.columns.back().name += std::to_string(i / kKinds);
  }
  TraceSchema schema;
  schema.add(std::move(table));
  return schema;
}

void write_rows(const RowsOptions& options, const std::vector<Draw>& table, Hdf5Writer& writer) {
  std::vector<Cell> cells(options.columns + kKinds);
  std::int64_t now = 0;
  std::size_t next = 0;
  for (std::uint64_t row = 0; row < options.rows; ++row) {
    const Draw& draw = table[next];
    next = next + 1 == table.size() ? 0 : next + 1;
    now += draw.gap;
    for (std::size_t i = 0; i < options.columns; i += kKinds) {
      cells[i] = now;
      cells[i + 1] = now + draw.duration;
      cells[i + 2] = draw.kernel;
      cells[i + 3] = draw.stream;
      cells[i + 4] = draw.limiter;
      cells[i + 5] = draw.activity;
    }
    writer.consume(0, std::span(cells).first(options.columns));
  }
}

}  // namespace

RowsReport run_rows(const RowsOptions& options) {
  require_option(options.columns >= 1 && options.columns <= kMaxColumns, "columns",
                 std::to_string(options.columns), "1 to " + std::to_string(kMaxColumns));
  const TraceSchema schema = schema_of(options.columns);
  const std::vector<Draw> table = draw_table();
  const auto begin = std::chrono::steady_clock::now();
  Hdf5Writer writer(options.path, schema);
  write_rows(options, table, writer);
  writer.finish();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  RowsReport report;
  report.rows = options.rows;
  report.seconds = elapsed.count();
  report.rows_per_s = static_cast<double>(options.rows) / report.seconds;
  report.bytes = std::filesystem::file_size(options.path);
  return report;
}

}  // namespace septet
