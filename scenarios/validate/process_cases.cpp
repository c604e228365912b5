#include <algorithm>

#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/sharing_cases.hpp"

namespace septet::validation {
namespace {

// Processes that start at once, each a chain of kernels and a synchronisation.
Prediction processes(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t count = row.integer("processes");
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("spin_us")));
  for (std::int64_t p = 0; p < count; ++p) {
    const auto process = static_cast<std::uint32_t>(p);
    const std::uint32_t stream = builder.stream(0, process);
    builder.thread(process);
    for (std::int64_t k = 0; k < row.integer("kernels_each"); ++k) builder.launch(kernel, stream);
    builder.synchronize_device();
  }
  system::SystemSpec spec = system;
  spec.mps = row.text("mode") == "mps";
  const CaseRun run(builder.take(), spec);
  Duration worst{};
  Duration sum{};
  for (std::int64_t p = 0; p < count; ++p) {
    const Duration wall = run.thread_wall(static_cast<std::uint32_t>(p));
    worst = std::max(worst, wall);
    sum += wall;
  }
  if (row.metric == "slowest_wall") return {to_us(worst), run.limiter()};
  return {to_us(sum) / static_cast<double>(count), run.limiter()};
}

}  // namespace

std::vector<CaseKind> process_cases() { return {{"sharing", "processes", processes}}; }

}  // namespace septet::validation
