#include "scenarios/validate/case_run.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "models/host/host_tables.hpp"
#include "scenarios/analysis/attribution.hpp"

namespace septet {
namespace {

// Measured: 50.38 us a wave where 50 were asked for, 20.05 where 20 were (groups waves, priority).
constexpr double kSpinOvershoot = 1.0025;

enum ApiColumn : std::size_t { kStart, kEnd, kWaited, kThread, kStream, kName };

bool is_submission(std::int64_t code) {
  const auto kind = static_cast<CallKind>(code);
  return kind == CallKind::kLaunchKernel || kind == CallKind::kLaunchGraph ||
         kind == CallKind::kCopy || kind == CallKind::kFill;
}

}  // namespace

CaseRun::CaseRun(const Program& program, const SystemSpec& system)
    : run_(run_program(program, system, {})) {}

Duration CaseRun::wall() const {
  const TableId table = run_.trace.api_calls;
  Instant first = Instant::max();
  Instant last;
  for (std::size_t r = 0; r < run_.rows.rows(table); ++r) {
    first = std::min(first, Instant(run_.rows.column(table, kStart)[r].integer()));
    last = std::max(last, Instant(run_.rows.column(table, kEnd)[r].integer()));
  }
  return last - first;
}

Duration CaseRun::thread_wall(std::uint32_t thread) const {
  const TableId table = run_.trace.api_calls;
  Instant first = Instant::max();
  Instant last;
  for (std::size_t r = 0; r < run_.rows.rows(table); ++r) {
    if (run_.rows.column(table, kThread)[r].integer() != thread) continue;
    first = std::min(first, Instant(run_.rows.column(table, kStart)[r].integer()));
    last = std::max(last, Instant(run_.rows.column(table, kEnd)[r].integer()));
  }
  return last - first;
}

Duration CaseRun::issue() const {
  const TableId table = run_.trace.api_calls;
  Instant first = Instant::max();
  Instant last;
  for (std::size_t r = 0; r < run_.rows.rows(table); ++r) {
    first = std::min(first, Instant(run_.rows.column(table, kStart)[r].integer()));
    if (!is_submission(run_.rows.column(table, kName)[r].integer())) continue;
    last = std::max(last, Instant(run_.rows.column(table, kEnd)[r].integer()));
  }
  return last - first;
}

Duration CaseRun::between_events() const {
  const TableId table = run_.trace.event_records;
  SEPTET_ASSERT(run_.rows.rows(table) == 2);
  const std::vector<Cell>& times = run_.rows.column(table, 0);
  return Duration(times[1].integer() - times[0].integer());
}

std::string CaseRun::limiter() const {
  const Attribution time = attribute(collect_rows(run_.rows, run_.trace));
  const auto largest = std::max_element(time.time.begin(), time.time.end());
  return name_of(static_cast<TimeCategory>(largest - time.time.begin()));
}

Kernel measured_spin(const MeasuredRow& row, double microseconds, std::int64_t blocks,
                     std::int64_t threads) {
  const bool sensible = blocks > 0 && blocks <= 0x7FFFFFFF && threads > 0 && threads <= 1024;
  if (!sensible || microseconds < 0) {
    throw ConfigError(row.where(), "a kernel of no or impossible size");
  }
  return spin_kernel(static_cast<std::uint64_t>(blocks), static_cast<std::uint32_t>(threads),
                     from_us(microseconds * kSpinOvershoot));
}

Kernel row_kernel(const MeasuredRow& row, double microseconds) {
  constexpr std::int64_t kWarp = 32;
  const std::int64_t blocks = row.has("blocks") ? row.integer("blocks") : 1;
  const std::int64_t threads = row.has("threads") ? row.integer("threads") : kWarp;
  return measured_spin(row, microseconds, blocks, threads);
}

}  // namespace septet
