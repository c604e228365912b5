#include "scenarios/validate/launch_cases.hpp"

#include "scenarios/validate/case_run.hpp"

namespace septet::validation {
namespace {

// `kernels` launches of one kernel in the null stream, then a synchronisation.
CaseRun chain(const MeasuredRow& row, const system::SystemSpec& system, double spin,
              std::int64_t kernels) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, spin));
  const std::uint32_t stream = builder.stream();
  builder.thread();
  for (std::int64_t k = 0; k < kernels; ++k) builder.launch(kernel, stream);
  builder.synchronize_device();
  return CaseRun(builder.take(), system);
}

Prediction launch_chain(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t kernels = row.integer("kernels");
  const double spin = row.has("spin_us") ? row.number("spin_us") : 0.0;
  const CaseRun run = chain(row, system, spin, kernels);
  if (row.metric == "wall_per_kernel") return {us_per(run.wall(), kernels), run.limiter()};
  if (row.metric == "wall_total") return {to_us(run.wall()), run.limiter()};
  if (row.metric == "cpu_issue_total") return {to_us(run.issue()), run.limiter()};
  if (row.metric == "cpu_issue_per_kernel") return {us_per(run.issue(), kernels), run.limiter()};
  return unsupported("no metric " + row.metric + " for this case");
}

Prediction launch_sync(const MeasuredRow& row, const system::SystemSpec& system) {
  const CaseRun run = chain(row, system, 0.0, 1);
  return {to_us(run.wall()), run.limiter()};
}

Prediction sync_only(const MeasuredRow& row, const system::SystemSpec& system) {
  const CaseRun run = chain(row, system, 0.0, 0);
  return {to_us(run.wall()), run.limiter()};
}

// One thread issues round by round over `streams` streams.
Prediction round_robin(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t kernels = row.integer("kernels_each");
  const std::int64_t streams = row.integer("streams");
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, 0.0));
  for (std::int64_t s = 0; s < streams; ++s) builder.stream();
  builder.thread();
  for (std::int64_t k = 0; k < kernels * streams; ++k) {
    builder.launch(kernel, static_cast<std::uint32_t>(k % streams));
  }
  builder.synchronize_device();
  return predict_wall_per(builder.take(), system, kernels * streams);
}

// Threads that each launch on a stream of their own, started and joined inside the measurement.
Prediction host_threads(const MeasuredRow& row, const system::SystemSpec& system) {
  if (!row.has("host_threads")) {
    return unsupported(
        "the row does not say how many host threads there were: its key threads is the threads per "
        "block");
  }
  const std::int64_t threads = row.integer("host_threads");
  const std::int64_t kernels = row.integer("kernels_each");
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, 0.0));
  for (std::int64_t t = 0; t < threads; ++t) {
    const std::uint32_t stream = builder.stream();
    builder.thread();
    for (std::int64_t k = 0; k < kernels; ++k) builder.launch(kernel, stream);
    builder.synchronize_stream(stream);
  }
  return predict_wall_per(builder.take(), system, kernels * threads);
}

// 100 turns of: a kernel on each of two streams, each waiting for the other's by an event.
Prediction event_pingpong(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t kernels = row.integer("kernels");
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("spin_us")));
  const std::uint32_t streams[] = {builder.stream(), builder.stream()};
  const std::uint32_t event = builder.event();
  builder.thread();
  for (std::int64_t k = 0; k < kernels; ++k) {
    builder.launch(kernel, streams[k % 2]);
    builder.record(event, streams[k % 2]);
    builder.wait(event, streams[(k + 1) % 2]);
  }
  builder.synchronize_device();
  return predict_wall_per(builder.take(), system, kernels);
}

}  // namespace

std::vector<CaseKind> launch_cases() {
  return {{"launch", "chain", launch_chain},        {"launch", "spin_chain", launch_chain},
          {"launch", "queue_depth", launch_chain},  {"launch", "launch_sync", launch_sync},
          {"launch", "sync_only", sync_only},       {"launch", "round_robin_streams", round_robin},
          {"launch", "host_threads", host_threads}, {"launch", "event_pingpong", event_pingpong}};
}

}  // namespace septet::validation
