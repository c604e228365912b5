#include "scenarios/explain/operator_model.hpp"

#include <fmt/format.h>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"

namespace septet::explain {
namespace {

std::string launch_text(const program::LaunchShape& shape) {
  return fmt::format("{} blocks of {} threads, {} registers per thread", shape.blocks(),
                     shape.threads_per_block(), shape.registers_per_thread);
}

}  // namespace

OperatorAnswer operator_answer(const gpu::GpuSpec& gpu, const config::WrittenOperator& op) {
  program::OperatorWork work{op.what, op.library, {.steady = op.steady}};
  const bool warm = op.l2 == config::L2State::kWarm;
  set_state(work.what, warm ? replayed_state(gpu, bytes_of_call(op.what)) : program::kColdOperands);
  gpu::LibraryKernels kernels = library_kernels(gpu, work);
  if (const auto* kernel = std::get_if<program::Kernel>(&kernels.run)) {
    return {described_time(gpu, *kernel), *kernel, launch_text(kernel->shape)};
  }
  return {std::get<gpu::OperatorTime>(kernels.run), std::nullopt, std::move(kernels.plan)};
}

std::string operator_title(const config::WrittenOperator& op) {
  std::string out = op.name;
  const char* before = " ";
  for (const config::ConfigEntry& entry : *op.place.table->table()) {
    const auto* count = std::get_if<std::int64_t>(&entry.value.data);
    if (count == nullptr) continue;
    out += fmt::format("{}{} {}", before, entry.key, *count);
    before = ", ";
  }
  out += fmt::format(", {}, {} L2", text_of(op.type), text_of(op.l2));
  for (const program::ShapeField& field : op.kind->fields) {
    if (field.flag && field.get(op.what) != 0) out += ", " + field.key;
  }
  if (op.steady) out += ", steady load";
  return op.library == program::Library::kVllm ? out + ", vLLM" : out;
}

}  // namespace septet::explain
