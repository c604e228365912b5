#include "scenarios/explain/operator_advice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/explain/operator_model.hpp"

namespace septet {
namespace {

struct Variant {
  std::string text;
  OperatorText op;
  double calls = 1;  // of the operator as it is that this one stands for
};

// What grows when several calls are joined: rows of a product, sequences, rows, elements.
Count OperatorText::*batch_of(const OperatorText& text) {
  if (text.m) return &OperatorText::m;
  if (text.heads) return &OperatorText::batch;
  if (text.images) return &OperatorText::images;
  return text.rows ? &OperatorText::rows : &OperatorText::elements;
}

void add_warm(const OperatorText& text, std::vector<Variant>& out) {
  if (text.l2 == "warm") return;
  Variant warm{
      "work on parts that stay in the L2 cache: its operands already there, its output "
      "not written to memory",
      text};
  warm.op.l2 = "warm";
  out.push_back(std::move(warm));
}

void add_joined(const OperatorText& text, std::vector<Variant>& out) {
  constexpr std::uint64_t kMostRows = 1ULL << 22;
  for (const std::uint64_t calls : {2U, 4U, 8U}) {
    Variant joined{fmt::format("{} such calls in one, which share what does not depend on the "
                               "batch: time of one of them",
                               calls),
                   text, static_cast<double>(calls)};
    Count& size = joined.op.*batch_of(text);
    size = size.value_or(1) * calls;
    if (*size <= kMostRows) out.push_back(std::move(joined));
  }
}

void add_types(const OperatorText& text, std::vector<Variant>& out) {
  const std::vector<std::string>& types = operator_kind(text).types;
  for (const char* type : {"bf16", "fp8"}) {
    const bool there = std::ranges::find(types, type) != types.end();
    const double size = bytes_of(*data_type_named(text.dtype));
    if (!there || bytes_of(*data_type_named(type)) >= size) continue;
    Variant narrow{fmt::format("{} instead of {}", type, text.dtype), text};
    narrow.op.dtype = type;
    out.push_back(std::move(narrow));
  }
}

}  // namespace

std::vector<Advice> operator_advice(const GpuSpec& gpu, const OperatorText& text,
                                    Duration submission, Duration now) {
  constexpr double kLeastSpeedup = 1.01;
  std::vector<std::vector<Variant>> kinds(3);
  add_warm(text, kinds[0]);
  add_joined(text, kinds[1]);
  add_types(text, kinds[2]);
  std::vector<Advice> out;
  for (const std::vector<Variant>& variants : kinds) {
    std::optional<Advice> best;
    for (const Variant& variant : variants) {
      Duration time{};
      try {
        time = operator_answer(gpu, variant.op).time.time;
      } catch (const ModelError&) {
        continue;  // the GPU can't compute with the type
      } catch (const ConfigError&) {
        continue;  // larger than operators may be
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

}  // namespace septet
