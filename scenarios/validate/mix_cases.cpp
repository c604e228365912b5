// Group mix: two kernels on two streams, launched one right after the other.
#include "scenarios/validate/kernel_cases.hpp"

namespace septet::validation {
namespace {

program::Kernel mixed_kernel(const MeasuredRow& row, const char* blocks, const char* registers,
                             program::Segment segment) {
  program::Kernel kernel = described_kernel(row, {std::move(segment)});
  kernel.shape.grid.x = static_cast<std::uint32_t>(row.integer(blocks));
  kernel.shape.registers_per_thread = static_cast<std::uint32_t>(row.integer(registers));
  return kernel;
}

double threads_of(const MeasuredRow& row, const char* blocks) {
  return row.number(blocks) * row.number("threads");
}

program::Kernel reader(const MeasuredRow& row, const char* blocks, const char* bytes) {
  constexpr double kInstructions = 39;  // of an iteration with four loads of 16 bytes
  StreamLoop loop;
  loop.vec = row.number("mem_vec");
  loop.unroll = row.number("mem_unroll");
  loop.instructions = kInstructions;
  const double iterations = loop_iterations(row.number(bytes), loop, threads_of(row, blocks));
  return mixed_kernel(row, blocks, "mem_registers", stream_segment(loop, iterations));
}

program::Kernel calculator(const MeasuredRow& row) {
  constexpr double kOther = 11;
  return mixed_kernel(
      row, "blocks_compute", "compute_registers",
      roofline_segment(row.number("bytes_compute"), threads_of(row, "blocks_compute"),
                       row.number("fma_per_16B"), kOther));
}

// The kernels, each on a stream of its own.
Prediction wall(const std::vector<program::Kernel>& kernels, const system::SystemSpec& system) {
  program::ProgramBuilder builder;
  for (const program::Kernel& kernel : kernels) {
    builder.kernel(kernel);
    builder.stream();
  }
  builder.thread();
  for (std::uint32_t k = 0; k < kernels.size(); ++k) builder.launch(k, k);
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

Prediction answer(const MeasuredRow& row, const system::SystemSpec& system,
                  const program::Kernel& first, const program::Kernel& second) {
  if (row.metric == "wall_together") return wall({first, second}, system);
  const bool of_first = row.metric == "wall_a_alone" || row.metric == "wall_mem_alone";
  return wall({of_first ? first : second}, system);
}

Prediction two_readers(const MeasuredRow& row, const system::SystemSpec& system) {
  return answer(row, system, reader(row, "blocks_a", "bytes_each"),
                reader(row, "blocks_b", "bytes_each"));
}

Prediction reader_and_calculator(const MeasuredRow& row, const system::SystemSpec& system) {
  return answer(row, system, reader(row, "blocks_mem", "bytes_mem"), calculator(row));
}

}  // namespace

std::vector<CaseKind> mix_cases() {
  return {{"mix", "mem_mem", two_readers}, {"mix", "mem_compute", reader_and_calculator}};
}

}  // namespace septet::validation
