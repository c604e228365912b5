#include "tools/septet/bench/launches.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "core/trace/memory_sink.hpp"
#include "models/program/builder.hpp"
#include "tools/septet/bench/option_error.hpp"
#include "tools/septet/bench/thread_clock.hpp"

namespace septet::command {
namespace {

constexpr std::uint32_t kThreadsPerBlock = 128;

void at_least_one(const std::string& key, std::uint64_t got) {
  require_option(got >= 1, key, std::to_string(got), "at least 1");
}

void check(const LaunchesOptions& options) {
  at_least_one("launches", options.launches);
  at_least_one("streams", options.streams);
  at_least_one("host-threads", options.host_threads);
  at_least_one("blocks", options.blocks);
  at_least_one("synchronize", options.synchronize);
}

void write_thread(const LaunchesOptions& options, std::uint64_t launches, std::uint32_t kernel,
                  program::ProgramBuilder& builder) {
  std::vector<std::uint32_t> streams(options.streams);
  for (std::uint32_t& stream : streams) stream = builder.stream();
  builder.thread();
  for (std::uint64_t n = 0; n < launches; ++n) {
    builder.launch(kernel, streams[n % streams.size()]);
    if ((n + 1) % options.synchronize == 0) builder.synchronize_device();
  }
  builder.synchronize_device();
}

program::Program write_program(const LaunchesOptions& options) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel =
      builder.kernel(program::spin_kernel(options.blocks, kThreadsPerBlock, options.block_time));
  std::uint64_t left = options.launches;
  for (std::uint32_t threads_left = options.host_threads; threads_left > 0; --threads_left) {
    const std::uint64_t share = left / threads_left;
    write_thread(options, share, kernel, builder);
    left -= share;
  }
  return builder.take();
}

}  // namespace

LaunchesReport run_launches(const LaunchesOptions& options, const system::SystemSpec& spec) {
  check(options);
  const program::Program program = write_program(options);
  system::System system(program, spec);
  std::optional<trace::MemorySink> rows;
  if (options.rows) rows.emplace(system.trace().schema);
  engine::RunOptions run;
  run.rows = rows ? &*rows : nullptr;
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_before = thread_cpu_seconds();
  const engine::RunResult result = system.run(run);
  const double cpu_after = thread_cpu_seconds();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  LaunchesReport report;
  report.launches = options.launches;
  report.seconds = elapsed.count();
  report.cpu_seconds = cpu_after - cpu_before;
  report.launches_per_s = static_cast<double>(options.launches) / report.seconds;
  report.events = result.events;
  report.events_per_s = static_cast<double>(result.events) / report.seconds;
  report.digest = result.digest;
  report.simulated = result.last - Instant();
  return report;
}

}  // namespace septet::command
