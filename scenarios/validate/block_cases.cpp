#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/launch_cases.hpp"

namespace septet {
namespace {

// One kernel between two event records in the null stream.
Prediction timed_kernel(const MeasuredRow& row, const SystemSpec& system, double spin) {
  ProgramBuilder builder;
  Kernel kernel = row_kernel(row, spin);
  if (row.has("smem")) kernel.shape.dynamic_shared = Bytes(row.integer("smem"));
  kernel.shape.registers_per_thread = static_cast<std::uint32_t>(row.integer("registers"));
  const std::uint32_t index = builder.kernel(kernel);
  const std::uint32_t stream = builder.stream();
  const std::uint32_t begin = builder.event();
  const std::uint32_t end = builder.event();
  builder.thread();
  builder.record(begin, stream);
  builder.launch(index, stream);
  builder.record(end, stream);
  builder.synchronize_stream(stream);
  const CaseRun run(builder.take(), system);
  return {to_us(run.between_events()), run.limiter()};
}

Prediction waves(const MeasuredRow& row, const SystemSpec& system) {
  return timed_kernel(row, system, row.number("spin_us"));
}

Prediction dispatch(const MeasuredRow& row, const SystemSpec& system) {
  return timed_kernel(row, system, 0.0);
}

}  // namespace

std::vector<CaseKind> block_cases() {
  return {{"waves", "waves", waves}, {"dispatch", "dispatch", dispatch}};
}

}  // namespace septet
