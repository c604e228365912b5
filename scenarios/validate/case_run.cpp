#include "scenarios/validate/case_run.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "models/records/gpu_records.hpp"
#include "scenarios/analysis/attribution.hpp"

namespace septet::validation {
namespace {

// Measured: 50.38 us a wave where 50 were requested, 20.05 where 20 were (groups waves, priority).
constexpr double kSpinOvershoot = 1.0025;

bool is_submission(program::CallKind kind) {
  return is_launch(kind) && kind != program::CallKind::kCollective;
}

}  // namespace

CaseRun::CaseRun(const program::Program& program, const system::SystemSpec& system)
    : run_(run_program(program, system, {})) {}

// From the first begin of the calls that `begins` accepts to the last end of those of `ends`.
template <class Begins, class Ends>
Duration CaseRun::between(Begins begins, Ends ends) const {
  Instant first = Instant::max();
  Instant last;
  for (const records::ApiCallRecord& call : calls()) {
    if (begins(call)) first = std::min(first, call.start);
    if (ends(call)) last = std::max(last, call.end);
  }
  return last - first;
}

Duration CaseRun::wall() const {
  const auto any = [](const records::ApiCallRecord&) { return true; };
  return between(any, any);
}

Duration CaseRun::thread_wall(std::uint32_t thread) const {
  const auto number = static_cast<std::int32_t>(thread);
  const auto own = [number](const records::ApiCallRecord& call) { return call.thread == number; };
  return between(own, own);
}

Duration CaseRun::calls_wall(std::size_t first, std::size_t last) const {
  SEPTET_ASSERT(first <= last && last < calls().size());
  return calls()[last].end - calls()[first].start;
}

Duration CaseRun::issue() const {
  return between([](const records::ApiCallRecord&) { return true; },
                 [](const records::ApiCallRecord& call) { return is_submission(call.kind); });
}

Duration CaseRun::between_events() const {
  const std::span<const records::EventRecord> records = run_.rows.records<records::EventRecord>();
  SEPTET_ASSERT(records.size() == 2);
  return records[1].time - records[0].time;
}

Duration CaseRun::kernel_time(std::size_t index) const {
  const std::span<const records::KernelRecord> kernels = run_.rows.records<records::KernelRecord>();
  SEPTET_ASSERT(index < kernels.size());
  return kernels[index].end - kernels[index].start;
}

std::string CaseRun::limiter() const {
  const analysis::Attribution time = analysis::attribute(analysis::collect_rows(run_.rows));
  const auto largest = std::max_element(time.time.begin(), time.time.end());
  return std::string(text_of(static_cast<analysis::TimeCategory>(largest - time.time.begin())));
}

program::Kernel measured_spin(const MeasuredRow& row, double microseconds, std::int64_t blocks,
                              std::int64_t threads) {
  const bool sensible = blocks > 0 && blocks <= 0x7FFFFFFF && threads > 0 && threads <= 1024;
  if (!sensible || microseconds < 0) {
    throw ConfigError(row.where(), "a kernel without a size or with an impossible one");
  }
  return program::spin_kernel(static_cast<std::uint64_t>(blocks),
                              static_cast<std::uint32_t>(threads),
                              from_us(microseconds * kSpinOvershoot));
}

program::Kernel row_kernel(const MeasuredRow& row, double microseconds) {
  constexpr std::int64_t kWarp = 32;
  const std::int64_t blocks = row.has("blocks") ? row.integer("blocks") : 1;
  const std::int64_t threads = row.has("threads") ? row.integer("threads") : kWarp;
  return measured_spin(row, microseconds, blocks, threads);
}

CaseRun run_between_events(const program::Kernel& kernel, const system::SystemSpec& system,
                           std::int64_t launches) {
  program::ProgramBuilder builder;
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

Prediction predict_wall(const program::Program& program, const system::SystemSpec& system) {
  const CaseRun run(program, system);
  return {to_us(run.wall()), run.limiter()};
}

Prediction predict_wall_per(const program::Program& program, const system::SystemSpec& system,
                            std::int64_t count) {
  const CaseRun run(program, system);
  return {us_per(run.wall(), count), run.limiter()};
}

}  // namespace septet::validation
