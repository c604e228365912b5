#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/launch_cases.hpp"

namespace septet::validation {
namespace {

// One kernel between two event records in the null stream.
Prediction timed_kernel(const MeasuredRow& row, const system::SystemSpec& system, double spin) {
  program::Kernel kernel = row_kernel(row, spin);
  if (row.has("smem")) kernel.shape.dynamic_shared = Bytes(row.integer("smem"));
  kernel.shape.registers_per_thread = static_cast<std::uint32_t>(row.integer("registers"));
  const CaseRun run = run_between_events(kernel, system);
  return {to_us(run.between_events()), run.limiter()};
}

Prediction waves(const MeasuredRow& row, const system::SystemSpec& system) {
  return timed_kernel(row, system, row.number("spin_us"));
}

Prediction dispatch(const MeasuredRow& row, const system::SystemSpec& system) {
  return timed_kernel(row, system, 0.0);
}

}  // namespace

std::vector<CaseKind> block_cases() {
  return {{"waves", "waves", waves}, {"dispatch", "dispatch", dispatch}};
}

}  // namespace septet::validation
