#include "scenarios/validate/case_run.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "models/gpu/gpu_tables.hpp"
#include "models/host/host_tables.hpp"
#include "scenarios/analysis/attribution.hpp"

namespace septet {
namespace {

// Measured: 50.38 us a wave where 50 were asked for, 20.05 where 20 were (groups waves, priority).
constexpr double kSpinOvershoot = 1.0025;

bool is_submission(std::int64_t code) {
  const auto kind = static_cast<CallKind>(code);
  return kind == CallKind::kLaunchKernel || kind == CallKind::kLaunchGraph ||
         kind == CallKind::kCopy || kind == CallKind::kFill;
}

}  // namespace

CaseRun::CaseRun(const Program& program, const SystemSpec& system)
    : run_(run_program(program, system, {})) {}

// From the first begin of the calls that `begins` accepts to the last end of those of `ends`.
template <class Begins, class Ends>
Duration CaseRun::between(Begins begins, Ends ends) const {
  const TableId table = run_.trace.api_calls;
  const auto at = [&](ApiCallColumn c, std::size_t row) {
    return run_.rows.column(table, static_cast<std::size_t>(c))[row].integer();
  };
  Instant first = Instant::max();
  Instant last;
  for (std::size_t r = 0; r < run_.rows.rows(table); ++r) {
    const CaseCall call{at(ApiCallColumn::kThread, r), at(ApiCallColumn::kName, r), r};
    if (begins(call)) first = std::min(first, Instant(at(ApiCallColumn::kStart, r)));
    if (ends(call)) last = std::max(last, Instant(at(ApiCallColumn::kEnd, r)));
  }
  return last - first;
}

Duration CaseRun::wall() const {
  const auto any = [](const CaseCall&) { return true; };
  return between(any, any);
}

Duration CaseRun::thread_wall(std::uint32_t thread) const {
  const auto own = [thread](const CaseCall& call) { return call.thread == thread; };
  return between(own, own);
}

Duration CaseRun::calls_wall(std::size_t first, std::size_t last) const {
  SEPTET_ASSERT(last < run_.rows.rows(run_.trace.api_calls));
  return between([first](const CaseCall& call) { return call.row == first; },
                 [last](const CaseCall& call) { return call.row == last; });
}

Duration CaseRun::issue() const {
  return between([](const CaseCall&) { return true; },
                 [](const CaseCall& call) { return is_submission(call.name); });
}

Duration CaseRun::between_events() const {
  const TableId table = run_.trace.event_records;
  SEPTET_ASSERT(run_.rows.rows(table) == 2);
  const std::vector<Cell>& times = run_.rows.column(table, 0);
  return Duration(times[1].integer() - times[0].integer());
}

Duration CaseRun::kernel_time(std::size_t index) const {
  SEPTET_ASSERT(index < run_.rows.rows(run_.trace.kernels));
  const auto at = [&](KernelColumn column) {
    const auto c = static_cast<std::size_t>(column);
    return Instant(run_.rows.column(run_.trace.kernels, c)[index].integer());
  };
  return at(KernelColumn::kEnd) - at(KernelColumn::kStart);
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

CaseRun run_between_events(const Kernel& kernel, const SystemSpec& system, std::int64_t launches) {
  ProgramBuilder builder;
  const std::uint32_t index = builder.kernel(kernel);
  const std::uint32_t stream = builder.stream();
  const std::uint32_t begin = builder.event();
  const std::uint32_t end = builder.event();
  builder.thread();
  builder.record(begin, stream);
  for (std::int64_t l = 0; l < launches; ++l) builder.launch(index, stream);
  builder.record(end, stream);
  builder.synchronize_stream(stream);
  return CaseRun(builder.take(), system);
}

double us_per(Duration time, std::int64_t count) {
  return to_us(time) / static_cast<double>(count);
}

Prediction predict_wall(const Program& program, const SystemSpec& system) {
  const CaseRun run(program, system);
  return {to_us(run.wall()), run.limiter()};
}

Prediction predict_wall_per(const Program& program, const SystemSpec& system, std::int64_t count) {
  const CaseRun run(program, system);
  return {us_per(run.wall(), count), run.limiter()};
}

}  // namespace septet
