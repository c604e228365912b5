#include "tools/septet/bench/rows.hpp"

#include <chrono>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/random.hpp"
#include "core/trace/hdf5_writer.hpp"
#include "core/trace/record.hpp"
#include "tools/septet/bench/option_error.hpp"

namespace septet::command {

enum class BenchLimiter : std::uint8_t { kIssue, kMemory, kLaunch };
constexpr auto enum_table(std::type_identity<BenchLimiter>) {
  return enum_texts<BenchLimiter>("issue", "memory", "launch");
}

namespace {

constexpr std::size_t kKinds = 6;
constexpr std::size_t kMaxColumns = 64;
constexpr std::size_t kTableRows = 50'021;  // prime, and more rows than deflate looks back

// Six columns; a row has as many of these as it takes.
struct SixColumns {
  Instant start, end;
  double activity = 0;
  std::int32_t kernel = 0;
  std::int32_t stream = 0;
  BenchLimiter limiter = BenchLimiter::kIssue;
};

std::vector<trace::ColumnSpec> six_columns() {
  using Record = SixColumns;
  return {trace::column<Record>(&Record::start, "start", "start of the kernel"),
          trace::column<Record>(&Record::end, "end", "end of the kernel"),
          trace::column<Record>(&Record::kernel, "kernel", "kernel").code_of("kernel"),
          trace::column<Record>(&Record::stream, "stream", "stream"),
          trace::column<Record>(&Record::limiter, "limiter", "limiter"),
          trace::column<Record>(&Record::activity, "activity", "share of SMs that were active")};
}

// One row's random parts.
struct Draw {
  Duration gap;
  Duration duration;
  std::int32_t kernel;
  std::int32_t stream;
  BenchLimiter limiter;
  double activity;
};

std::vector<Draw> draw_table() {
  RandomStream random({1, 0, 0});
  std::vector<Draw> table(kTableRows);
  for (Draw& draw : table) {
    draw.gap = Duration(static_cast<std::int64_t>(random.exponential(2e6)));       // 2 us
    draw.duration = Duration(static_cast<std::int64_t>(random.exponential(1e7)));  // 10 us
    draw.kernel = static_cast<std::int32_t>(random.below(200));
    draw.stream = static_cast<std::int32_t>(random.below(8));
    draw.limiter = static_cast<BenchLimiter>(random.below(3));
    draw.activity = random.uniform();
  }
  return table;
}

trace::TraceSchema schema_of(std::size_t columns) {
  const std::vector<trace::ColumnSpec> six = six_columns();
  trace::TableSpec table{"kernels", "kernel_run", {}};
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t turn = i / kKinds;
    trace::ColumnSpec one = six[i % kKinds];
    one.offset += turn * sizeof(SixColumns);
    if (turn > 0) one.name += std::to_string(turn);
    table.columns.push_back(std::move(one));
    table.row_size = (turn + 1) * sizeof(SixColumns);
  }
  trace::TraceSchema schema;
  schema.add(std::move(table));
  return schema;
}

void write_rows(const RowsOptions& options, const std::vector<Draw>& table,
                trace::Hdf5Writer& writer) {
  std::vector<SixColumns> row((options.columns + kKinds - 1) / kKinds);
  Instant now;
  std::size_t next = 0;
  for (std::uint64_t n = 0; n < options.rows; ++n) {
    const Draw& draw = table[next];
    next = next + 1 == table.size() ? 0 : next + 1;
    now += draw.gap;
    for (SixColumns& six : row) {
      six = {now, now + draw.duration, draw.activity, draw.kernel, draw.stream, draw.limiter};
    }
    writer.consume(0, std::as_bytes(std::span(row)));
  }
}

}  // namespace

RowsReport run_rows(const RowsOptions& options) {
  require_option(options.columns >= 1 && options.columns <= kMaxColumns, "columns",
                 std::to_string(options.columns), "1 to " + std::to_string(kMaxColumns));
  const trace::TraceSchema schema = schema_of(options.columns);
  const std::vector<Draw> table = draw_table();
  const auto begin = std::chrono::steady_clock::now();
  trace::Hdf5Writer writer(options.path, schema);
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

}  // namespace septet::command
