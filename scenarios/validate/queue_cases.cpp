#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/sharing_cases.hpp"

namespace septet::validation {
namespace {

// A persistent kernel of one thread that is already polling when the clock of thread 1 starts.
struct PersistentProgram {
  program::ProgramBuilder builder;
  std::uint32_t queue = 0;

  explicit PersistentProgram(std::int64_t items) {
    constexpr Duration kSettled{100 * kPicosecondsPerMicrosecond};
    queue = builder.queue();
    program::Kernel kernel;
    kernel.name = "persistent";
    kernel.work = program::PersistentWork{queue, static_cast<std::uint64_t>(items)};
    const std::uint32_t index = builder.kernel(kernel);
    const std::uint32_t stream = builder.stream();
    const std::uint32_t started = builder.signal();
    builder.thread(0, "launcher");
    builder.launch(index, stream);
    builder.work(kSettled);
    builder.post(started);
    builder.thread(0, "producer");
    builder.await(started, 1);
  }
};

Duration batch_wall(std::int64_t items, Duration work, const system::SystemSpec& system) {
  PersistentProgram program(items);
  for (std::int64_t i = 0; i < items; ++i) program.builder.push(program.queue, work, i == 0);
  program.builder.await_items(program.queue, items);
  return CaseRun(program.builder.take(), system).thread_wall(1);
}

Duration round_trips_wall(std::int64_t items, Duration work, const system::SystemSpec& system) {
  PersistentProgram program(items);
  for (std::int64_t i = 1; i <= items; ++i) {
    program.builder.push(program.queue, work);
    program.builder.await_items(program.queue, i);
  }
  return CaseRun(program.builder.take(), system).thread_wall(1);
}

Duration item_work(const MeasuredRow& row) {
  return std::get<program::FixedBlockWork>(row_kernel(row, row.number("work_us")).work).block_time;
}

Prediction persistent_batch(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t items = row.integer("items");
  const Duration wall = batch_wall(items, item_work(row), system);
  return {to_us(wall) / static_cast<double>(items), "queue"};
}

// The median of many round trips: one of the steady ones.
Prediction persistent_roundtrip(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr std::int64_t kFew = 20;
  const Duration work = item_work(row);
  const Duration twice = round_trips_wall(2 * kFew, work, system);
  return {to_us(twice - round_trips_wall(kFew, work, system)) / kFew, "queue"};
}

Prediction launch_roundtrip(const MeasuredRow& row, const system::SystemSpec& system) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("work_us")));
  const std::uint32_t stream = builder.stream();
  builder.thread();
  builder.launch(kernel, stream);
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

}  // namespace

std::vector<CaseKind> queue_cases() {
  return {{"queue", "persistent_batch", persistent_batch},
          {"queue", "persistent_roundtrip", persistent_roundtrip},
          {"queue", "launch_roundtrip", launch_roundtrip}};
}

}  // namespace septet::validation
