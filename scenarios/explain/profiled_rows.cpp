#include "scenarios/explain/profiled_rows.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "models/workload/nsight/profiled_counts.hpp"
#include "models/workload/nsight/profiled_kernel.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/explain/validated_range.hpp"

namespace septet::explain {
namespace {

[[noreturn]] void nothing_chosen(const std::vector<nsight::ProfiledKernel>& rows,
                                 const RowChoice& choice) {
  constexpr std::size_t kMostNames = 5;
  constexpr std::size_t kLongestName = 60;
  const Location where{rows.empty() ? "" : rows.front().where.file};
  if (rows.empty()) throw ConfigError(where, "the report has no kernels");
  if (choice.id) {
    throw ConfigError::value(
        where, "--id", "'" + *choice.id + "'",
        fmt::format("a row ID from {} to {}", rows.front().id, rows.back().id));
  }
  std::vector<std::string> names;
  for (const nsight::ProfiledKernel& row : rows) {
    const std::string name = row.name.substr(0, kLongestName);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  const std::size_t all = names.size();
  names.resize(std::min(all, kMostNames));
  throw ConfigError::value(where, "--kernel", "'" + *choice.kernel + "'",
                           fmt::format("part of a kernel's name: {}{}", config::listed(names),
                                       all > names.size() ? ", ..." : ""));
}

KernelDescription describe(const gpu::GpuSpec& gpu, const nsight::ProfiledKernel& row) {
  constexpr double kWarp = 32;
  try {
    KernelDescription out = description_of(profiled_kernel(row, gpu));
    const double lanes = row.metric_or("smsp__thread_inst_executed_per_inst_executed.ratio", kWarp);
    for (SegmentDescription& segment : out.segments) {
      segment.active_lanes = std::clamp(lanes, 1.0, kWarp);
    }
    if (const auto reason = why_impossible(gpu.sm, out.shape)) {
      throw ConfigError(row.where, "kernel " + row.id + ": " + *reason);
    }
    return out;
  } catch (const ModelError& error) {
    throw ConfigError(row.where, "kernel " + row.id + ": " + error.what());
  }
}

}  // namespace

bool names_report(const std::string& file) { return file.ends_with(".csv"); }

std::vector<nsight::ProfiledKernel> chosen_rows(const std::vector<nsight::ProfiledKernel>& rows,
                                                const RowChoice& choice) {
  std::vector<nsight::ProfiledKernel> out;
  for (const nsight::ProfiledKernel& row : rows) {
    if (choice.id && row.id != *choice.id) continue;
    if (choice.kernel && row.name.find(*choice.kernel) == std::string::npos) continue;
    out.push_back(row);
  }
  if (out.empty()) nothing_chosen(rows, choice);
  return out;
}

Explanation explain_row(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                        const nsight::ProfiledKernel& row) {
  Explanation out = explain(gpu, host, describe(gpu, row));
  out.warnings = gpu_warnings(gpu);  // the model of reports was compared with reports
  const std::vector<std::string> unknown = nsight::unknown_parts(row);
  if (!unknown.empty()) {
    out.warnings.push_back(
        fmt::format("the report has no {}: their share of the time is unknown and left out",
                    fmt::join(unknown, ", ")));
  }
  const gpu::KernelSpec& spec = gpu.kernel;
  Profiled seen{row.id, out.time.total - spec.block.ramp + spec.cold.profiler_time, std::nullopt};
  for (const char* key : {"gpu__time_duration.sum", "gpu__time_duration.avg"}) {
    const auto measured = row.metric(key);
    if (measured && !seen.measured) seen.measured = from_ns(*measured);
  }
  // On another GPU than that of the report there is nothing to compare with.
  if (!row.device.empty() && !config::answers_to(gpu, row.device)) seen.measured.reset();
  out.profiled = seen;
  return out;
}

}  // namespace septet::explain
