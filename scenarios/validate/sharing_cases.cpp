#include "scenarios/validate/sharing_cases.hpp"

#include <algorithm>

#include "scenarios/validate/case_run.hpp"

namespace septet::validation {
namespace {

// Every kernel works for its prologue, triggers its dependent, waits for the kernel before it and
// works for its body; whether the launches are programmatic is the case's choice.
Prediction dependent_launch(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t kernels = row.integer("kernels");
  const bool programmatic = row.integer("programmatic") == 1;
  program::ProgramBuilder builder;
  program::Kernel kernel = row_kernel(row, row.number("prologue_us") + row.number("body_us"));
  program::FixedBlockWork& work = std::get<program::FixedBlockWork>(kernel.work);
  work.triggers = true;
  work.prologue = from_us(row.number("prologue_us"));
  const std::uint32_t index = builder.kernel(kernel);
  const std::uint32_t stream = builder.stream();
  const bool as_graph = row.integer("as_graph") == 1;
  if (as_graph)
    builder.graph(program::chain_graph(0, static_cast<std::uint32_t>(kernels), programmatic));
  builder.thread();
  if (as_graph) builder.launch_graph(0, stream);
  for (std::int64_t k = 0; !as_graph && k < kernels; ++k) {
    builder.launch(index, stream, programmatic && k > 0);
  }
  builder.synchronize_device();
  return predict_wall_per(builder.take(), system, kernels);
}

// A long grid in a low-priority stream; later a short kernel in another stream.
Prediction priority(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr std::int32_t kLow = 0;
  constexpr std::int32_t kHigh = -5;
  program::ProgramBuilder builder;
  const std::uint32_t background =
      builder.kernel(measured_spin(row, row.number("block_us"), row.integer("background_blocks"),
                                   row.integer("background_threads")));
  const std::uint32_t foreground = builder.kernel(row_kernel(row, row.number("spin_us")));
  const std::uint32_t slow = builder.stream(kLow);
  const std::uint32_t fast = builder.stream(row.integer("high") == 1 ? kHigh : kLow);
  builder.thread(0, "background");
  builder.launch(background, slow);
  builder.work(from_us(row.number("issued_after_us")));
  const std::uint32_t signal = builder.signal();
  builder.post(signal);
  // The clock starts before the second launch: a thread of its own holds what is timed.
  const std::uint32_t timed = builder.thread(0, "foreground");
  builder.await(signal, 1);
  builder.launch(foreground, fast);
  builder.synchronize_stream(fast);
  const CaseRun run(builder.take(), system);
  return {to_us(run.thread_wall(timed)), run.limiter()};
}

Prediction eager_forkjoin(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr std::uint32_t kStreams = 33;
  const std::int64_t width = row.integer("width");
  const std::int64_t depth = row.integer("depth");
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("spin_us")));
  for (std::int64_t s = 0; s <= std::max<std::int64_t>(width, kStreams - 1); ++s) {
    builder.stream();
    builder.event();
  }
  builder.thread();
  builder.launch(kernel, 0);
  builder.record(0, 0);
  for (std::int64_t w = 1; w <= width; ++w) {
    const auto branch = static_cast<std::uint32_t>(w);
    builder.wait(0, branch);
    for (std::int64_t d = 0; d < depth; ++d) builder.launch(kernel, branch);
    builder.record(branch, branch);
    builder.wait(branch, 0);
  }
  builder.launch(kernel, 0);
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

// Kernels and copies inside the device in turn, one after the other.
Prediction eager_kernel_copy(const MeasuredRow& row, const system::SystemSpec& system) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("spin_us")));
  const std::uint32_t stream = builder.stream();
  builder.thread();
  for (std::int64_t p = 0; p < row.integer("pairs"); ++p) {
    builder.launch(kernel, stream);
    builder.copy(stream, program::CopyDirection::kDeviceToDevice, Bytes(row.integer("bytes")));
  }
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

Prediction graph_kernel_copy(const MeasuredRow& row, const system::SystemSpec& system) {
  const std::int64_t pairs = row.integer("pairs");
  program::Graph graph = program::chain_graph(0, static_cast<std::uint32_t>(2 * pairs));
  for (std::size_t n = 1; n < graph.nodes.size(); n += 2) {
    graph.nodes[n].what = program::Copy{.direction = program::CopyDirection::kDeviceToDevice,
                                        .bytes = Bytes(row.integer("bytes"))};
  }
  program::ProgramBuilder builder;
  builder.kernel(row_kernel(row, row.number("spin_us")));
  const std::uint32_t stream = builder.stream();
  builder.graph(graph);
  builder.thread();
  builder.launch_graph(0, stream);
  builder.synchronize_device();
  const CaseRun run(builder.take(), system);
  if (row.metric == "cpu_launch") return {to_us(run.issue()), run.limiter()};
  return {to_us(run.wall()), run.limiter()};
}

Prediction graphs_on_streams(const MeasuredRow& row, const system::SystemSpec& system) {
  program::ProgramBuilder builder;
  builder.kernel(row_kernel(row, row.number("spin_us")));
  const program::Graph graph =
      program::chain_graph(0, static_cast<std::uint32_t>(row.integer("nodes")));
  for (std::int64_t g = 0; g < row.integer("graphs"); ++g) {
    builder.stream();
    builder.graph(graph);
  }
  builder.thread();
  for (std::int64_t g = 0; g < row.integer("graphs"); ++g) {
    builder.launch_graph(static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(g));
  }
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

// A graph from its instantiation to its second launch; each step ends with a synchronisation.
Prediction graph_first_launch(const MeasuredRow& row, const system::SystemSpec& system) {
  program::ProgramBuilder builder;
  builder.kernel(row_kernel(row, row.number("spin_us")));
  const std::uint32_t stream = builder.stream();
  const std::uint32_t graph =
      builder.graph(program::chain_graph(0, static_cast<std::uint32_t>(row.integer("nodes"))));
  builder.thread();
  builder.instantiate_graph(graph);
  builder.upload_graph(graph, stream);
  builder.synchronize_stream(stream);
  for (int launches = 0; launches < 2; ++launches) {
    builder.launch_graph(graph, stream);
    builder.synchronize_stream(stream);
  }
  const CaseRun run(builder.take(), system);
  if (row.metric == "instantiate") return {to_us(run.calls_wall(0, 0)), "api_call"};
  if (row.metric == "upload") return {to_us(run.calls_wall(1, 2)), "api_call"};
  if (row.metric == "first_launch_wall") return {to_us(run.calls_wall(3, 4)), run.limiter()};
  if (row.metric == "second_launch_wall") return {to_us(run.calls_wall(5, 6)), run.limiter()};
  return unsupported("no metric " + row.metric + " for this case");
}

}  // namespace

std::vector<CaseKind> sharing_cases() {
  return {{"sharing", "dependent_launch", dependent_launch},
          {"sharing", "priority", priority},
          {"sharing", "eager_forkjoin", eager_forkjoin},
          {"sharing", "eager_kernel_copy", eager_kernel_copy},
          {"sharing", "graph_kernel_copy", graph_kernel_copy},
          {"sharing", "graphs_on_streams", graphs_on_streams},
          {"sharing", "graph_first_launch", graph_first_launch}};
}

}  // namespace septet::validation
