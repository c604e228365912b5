#include "models/workload/training/work_builder.hpp"

#include <utility>

namespace septet::training {
namespace {

constexpr double kCastScaled = 10;  // instructions: scale, convert, look for the maximum

double rows_in(const TrainingSpec& spec) {
  const double tokens = spec.tokens();
  return spec.sequence_parallel ? tokens / spec.tensor_parallel_size : tokens;
}

// Tensor cores take twice as many numbers of four bits as of eight.
double factor_of(Precision precision) { return precision == Precision::kNvfp4 ? 0.5 : 1; }

}  // namespace

Bytes bytes_of(double count) { return Bytes(static_cast<std::int64_t>(in_range<BytesTag>(count))); }

WorkBuilder::WorkBuilder(const TrainingSpec& spec)
    : spec_(spec),
      tokens_(spec.tokens()),
      hidden_(spec.model.hidden_size),
      own_tokens_(rows_in(spec)) {}

bool WorkBuilder::wide() const {
  return calls() && style().states == States::kAutocast && spec_.zero_stage < 2;
}

bool WorkBuilder::calls() const { return style().framework == Framework::kPyTorch; }

program::DataType WorkBuilder::half() const {
  return style().precision == Precision::kFp16 ? program::DataType::kFp16
                                               : program::DataType::kBf16;
}

void WorkBuilder::product(std::string name, double m, double n, double k, double output) {
  if (!style().fp8()) return half_product(std::move(name), m, n, k, output);
  kernel(
      std::move(name),
      program::Gemm{.m = m, .n = n, .k = k, .type = program::DataType::kFp8, .output_size = output},
      factor_of(style().precision));
}

void WorkBuilder::half_product(std::string name, double m, double n, double k, double output,
                               double batch) {
  kernel(
      std::move(name),
      program::Gemm{.m = m, .n = n, .k = k, .batch = batch, .type = half(), .output_size = output});
}

void WorkBuilder::expert_product(const std::string& name, double rows, double n, double k,
                                 double experts, double output) {
  if (experts <= 1) return product(name, rows, n, k, output);
  if (style().grouped_gemm) return product(name, rows / experts, n * experts, k, output);
  for (double e = 0; e < experts; ++e) product(name, rows / experts, n, k, output);
}

void WorkBuilder::gradients(const std::string& name, double m, double n, double k, double experts,
                            WorkItem* between) {
  expert_product(name + "_grad_input", m, k, n, experts);
  if (between != nullptr) add(*between);
  const double sums = style().framework == Framework::kPyTorch ? 1 : 2;  // written, or read as well
  const double output = sums * gradient_size();
  if (calls() && !model().gated_linear_unit) {  // as GPT has them, with biases
    kernel(name + "_grad_bias", program::SumRows{.rows = m, .columns = n, .type = half()});
  }
  if (experts <= 1) return product(name + "_grad_weight", n, k, m, output);
  if (style().grouped_gemm) {
    return product(name + "_grad_weight", n * experts, k, m / experts, output);
  }
  for (double e = 0; e < experts; ++e) {
    product(name + "_grad_weight", n, k, m / experts, output);
  }
}

void WorkBuilder::norm(std::string name, double rows, double columns) {
  kernel(std::move(name), program::Rowwise{.what = program::RowOperator::kRmsNorm,
                                           .rows = rows,
                                           .columns = columns,
                                           .type = wide() ? program::DataType::kFp32 : half()});
  if (wide()) map("norm_cast", rows * columns, 2, 1, program::kCastInstructions);
}

void WorkBuilder::norm_backward(std::string name, double rows, double columns) {
  if (wide()) map("norm_cast_backward", rows * columns, 1, 2, program::kCastInstructions);
  kernel(std::move(name), program::Rowwise{.what = program::RowOperator::kRmsNormBackward,
                                           .rows = rows,
                                           .columns = columns,
                                           .type = wide() ? program::DataType::kFp32 : half()});
}

void WorkBuilder::map(std::string name, double elements, double inputs, double outputs,
                      double instructions) {
  kernel(std::move(name), program::Elementwise{.elements = elements,
                                               .inputs = inputs,
                                               .outputs = outputs,
                                               .type = half(),
                                               .instructions = instructions});
}

// Of operands that aren't contiguous: slices, transposed heads.
void WorkBuilder::strided(std::string name, double elements, double inputs, double outputs) {
  kernel(std::move(name), program::Elementwise{.elements = elements,
                                               .inputs = inputs,
                                               .outputs = outputs,
                                               .type = half(),
                                               .instructions = program::kAddInstructions,
                                               .access = program::Access::kStrided});
}

void WorkBuilder::residual() {
  const double size = wide() ? 2 : 1;
  const double mask = style().attention_dropout ? 0.5 : 0;
  map("residual", own_tokens_ * hidden_, 2 * size + mask, size, program::kAddInstructions);
}

void WorkBuilder::cast(const char* name, double elements, bool produced) {
  if (!style().fp8()) return;
  const bool known_scale = style().precision == Precision::kFp8Delayed;
  const bool two_passes =
      style().precision == Precision::kFp8Tensorwise || style().precision == Precision::kNvfp4;
  // As it is and transposed, a byte each; a pass before it finds the maximum. Written in eight bits
  // by the kernel before, it is transposed later.
  if (known_scale && produced) return map(name, elements, 0.5, 0.5, kCastScaled);
  map(name, elements, two_passes ? 2 : 1, 1, kCastScaled);
}

WorkItem WorkBuilder::exchange(Group group, program::CollectiveOp op, double bytes,
                               bool beside) const {
  WorkItem out;
  out.group = group;
  out.op = op;
  out.bytes = bytes_of(bytes);
  out.beside = beside;
  return out;
}

void WorkBuilder::to_matrices(bool beside) {
  if (!spec_.sequence_parallel || parts() == 1) return;
  WorkItem item = exchange(Group::kTensor, program::CollectiveOp::kAllGather,
                           tokens_ * hidden_ * kHalf, beside || style().tensor_overlap);
  if (style().tensor_overlap && !beside) item.pieces = spec_.tensor_parallel_size;
  add(std::move(item));
}

void WorkBuilder::from_matrices(bool beside) {
  if (parts() == 1) return;
  const bool scatters = spec_.sequence_parallel;
  WorkItem item =
      exchange(Group::kTensor,
               scatters ? program::CollectiveOp::kReduceScatter : program::CollectiveOp::kAllReduce,
               tokens_ * hidden_ * kHalf, beside);
  if (!beside && style().tensor_overlap && scatters && !items_.empty()) {
    // In pieces beside the product that makes them.
    item.beside = true;
    item.pieces = spec_.tensor_parallel_size;
    items_.insert(items_.end() - 1, std::move(item));
    return;
  }
  add(std::move(item));
}

}  // namespace septet::training
