#include <algorithm>

#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/launch_cases.hpp"

namespace septet::validation {
namespace {

// The measuring program creates this many streams once and uses the first ones.
constexpr std::uint32_t kStreamsCreated = 200;

system::SystemSpec with_connections(const MeasuredRow& row, const system::SystemSpec& system) {
  system::SystemSpec spec = system;
  spec.connections = static_cast<std::uint32_t>(row.integer("connections"));
  return spec;
}

program::ProgramBuilder with_streams(std::int64_t used) {
  program::ProgramBuilder builder;
  const std::int64_t count = std::max<std::int64_t>(used, kStreamsCreated);
  for (std::int64_t s = 0; s < count; ++s) builder.stream();
  builder.thread();
  return builder;
}

CaseRun kernels_on_streams(const MeasuredRow& row, const system::SystemSpec& system,
                           std::int64_t streams, std::int64_t kernels, bool breadth) {
  program::ProgramBuilder builder = with_streams(streams);
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("spin_us")));
  for (std::int64_t i = 0; i < streams * kernels; ++i) {
    const std::int64_t stream = breadth ? i % streams : i / kernels;
    builder.launch(kernel, static_cast<std::uint32_t>(stream));
  }
  builder.synchronize_device();
  return CaseRun(builder.take(), system);
}

// Makespan of `streams` x `kernels_each` kernels over the wall time of one such kernel alone.
Prediction streams(const MeasuredRow& row, const system::SystemSpec& system) {
  const system::SystemSpec spec = with_connections(row, system);
  const bool breadth = row.text("order") == "breadth";
  if (!breadth && row.text("order") != "depth")
    return unsupported("order must be depth or breadth");
  const CaseRun all =
      kernels_on_streams(row, spec, row.integer("streams"), row.integer("kernels_each"), breadth);
  const CaseRun one = kernels_on_streams(row, spec, 1, 1, false);
  return {ratio(all.wall(), one.wall()), all.limiter()};
}

Prediction share_sms(const MeasuredRow& row, const system::SystemSpec& system) {
  const system::SystemSpec spec = with_connections(row, system);
  const CaseRun run = kernels_on_streams(row, spec, row.integer("streams"), 1, true);
  return {to_us(run.wall()), run.limiter()};
}

}  // namespace

std::vector<CaseKind> stream_cases() {
  return {{"streams", "streams", streams}, {"streams", "share_sms", share_sms}};
}

}  // namespace septet::validation
