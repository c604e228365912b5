#include "scenarios/explain/operator_advice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/explain/operator_model.hpp"

namespace septet::explain {
namespace {

struct Variant {
  std::string text;
  config::WrittenOperator op;
  double calls = 1;  // of the operator as it is that this one stands for
};

void add_warm(const config::WrittenOperator& op, std::vector<Variant>& out) {
  if (op.l2 == config::L2State::kWarm) return;
  Variant warm{
      "work on parts that stay in the L2 cache: operands already there, output not written to "
      "memory",
      op};
  warm.op.l2 = config::L2State::kWarm;
  out.push_back(std::move(warm));
}

// Several calls in one: more rows of a product, sequences, rows, elements.
void add_joined(const config::WrittenOperator& op, std::vector<Variant>& out) {
  const program::ShapeField& size = *op.kind->field(op.kind->joined_by);
  for (const double calls : {2, 4, 8}) {
    Variant joined{
        fmt::format(
            "{} such calls in one, sharing what does not depend on the batch: time per call",
            calls),
        op, calls};
    const double joined_size = calls * size.get(op.what);
    size.set(joined.op.what, joined_size);
    const bool possible = joined_size <= static_cast<double>(size.most);
    if (possible && !mistake_of(joined.op.what)) out.push_back(std::move(joined));
  }
}

void add_types(const config::WrittenOperator& op, std::vector<Variant>& out) {
  for (const program::DataType type : {program::DataType::kBf16, program::DataType::kFp8}) {
    if (!op.kind->computes_with(type) || bytes_of(type) >= bytes_of(op.type)) continue;
    Variant narrow{fmt::format("{} instead of {}", text_of(type), text_of(op.type)), op};
    narrow.op.type = type;
    set_type(narrow.op.what, type);
    out.push_back(std::move(narrow));
  }
}

}  // namespace

std::vector<Advice> operator_advice(const gpu::GpuSpec& gpu, const config::WrittenOperator& op,
                                    Duration submission, Duration now) {
  constexpr double kLeastSpeedup = 1.01;
  std::vector<std::vector<Variant>> kinds(3);
  add_warm(op, kinds[0]);
  add_joined(op, kinds[1]);
  add_types(op, kinds[2]);
  std::vector<Advice> out;
  for (const std::vector<Variant>& variants : kinds) {
    std::optional<Advice> best;
    for (const Variant& variant : variants) {
      Duration time{};
      try {
        time = operator_answer(gpu, variant.op).time.time;
      } catch (const ModelError&) {
        continue;  // the GPU can't compute with the type
      }
      const Duration one = scale(submission + time, 1.0 / variant.calls);
      if (!best || one < best->time) best = Advice{{variant.text, {}}, one, 1.0};
    }
    if (!best) continue;
    best->speedup = ratio(submission + now, best->time);
    if (best->speedup > kLeastSpeedup) out.push_back(std::move(*best));
  }
  return out;
}

}  // namespace septet::explain
