// Operators as Programs have them, from what was written.
#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "models/gpu/operators/convolution.hpp"
#include "models/gpu/operators/elementwise.hpp"
#include "scenarios/config/kernels/operator_text.hpp"

namespace septet {
namespace {

double number(const Count& count) { return static_cast<double>(count.value_or(1)); }

double elements_of(const OperatorText& text) {
  return text.rows && text.cols ? number(text.rows) * number(text.cols) : number(text.elements);
}

DataType type_of(const OperatorText& text) { return *data_type_named(text.dtype); }

Operator gemm(const OperatorText& text) {
  Gemm what;
  what.m = number(text.m);
  what.n = number(text.n);
  what.k = number(text.k);
  what.type = type_of(text);
  return what;
}

Operator convolution(const OperatorText& text) {
  constexpr double kMostSide = 4'194'304;  // of the product
  Convolution what;
  what.images = number(text.images);
  what.channels = number(text.channels);
  what.height = number(text.height);
  what.width = number(text.width);
  what.filters = number(text.filters);
  what.filter_height = number(text.filter);
  what.filter_width = text.filter_width ? number(text.filter_width) : what.filter_height;
  what.stride = number(text.stride);
  what.type = type_of(text);
  if (what.stride > std::min(what.height, what.width)) {
    text.place.fail("stride", fmt::format("{}", what.stride), "at most height and width");
  }
  const Gemm lowered = implicit_gemm(what);
  if (lowered.m > kMostSide * 64 || lowered.k > kMostSide) {
    text.place.fail(
        "images",
        fmt::format("a product of {:.4g} x {:.4g} x {:.4g}", lowered.m, lowered.n, lowered.k),
        "a smaller one");
  }
  return what;
}

Operator attention(const OperatorText& text, AttentionPhase phase) {
  constexpr double kMostRows = 2147483648.0;  // of queries, of all heads
  Attention out;
  out.batch = text.batch.value_or(1);
  out.heads = text.heads.value_or(1);
  out.kv_heads = text.kv_heads.value_or(out.heads);
  out.queries = text.seq.value_or(1);
  out.keys = text.kv.value_or(out.queries);
  out.dim = text.dim.value_or(1);
  out.causal = text.causal;
  out.type = type_of(text);
  if (out.heads % out.kv_heads != 0) {
    text.place.fail("kv_heads", fmt::format("{}", out.kv_heads), "a divisor of heads");
  }
  if (out.queries > out.keys) {
    text.place.fail("seq", fmt::format("{}", out.queries), "at most kv, which they are among");
  }
  const double rows = number(text.batch) * number(text.heads) * static_cast<double>(out.queries);
  if (rows > kMostRows) {
    text.place.fail("batch", fmt::format("{:.4g} rows of queries", rows), "at most 2^31 of them");
  }
  return AttentionCall{phase, out};
}

Operator elementwise(const OperatorText& text, double inputs, double instructions) {
  Elementwise out;
  out.elements = elements_of(text);
  out.inputs = inputs;
  out.outputs = number(text.outputs);
  out.size = out.output_size = bytes_of(type_of(text));
  out.instructions = instructions;
  return out;
}

using Make = std::function<Operator(const OperatorText&)>;

Make over_elements(double inputs, double instructions) {
  return [=](const OperatorText& text) { return elementwise(text, inputs, instructions); };
}

Make over_rows(RowOperator what) {
  return [=](const OperatorText& text) {
    return Rowwise{what, number(text.rows), number(text.cols)};
  };
}

Make of_phase(AttentionPhase phase) {
  return [=](const OperatorText& text) { return attention(text, phase); };
}

Operator any_function(const OperatorText& text) {
  const double instructions = static_cast<double>(text.instructions.value_or(4));
  return elementwise(text, number(text.inputs), instructions);
}

Operator gather(const OperatorText& text) {
  return Gather{number(text.rows), number(text.cols), bytes_of(type_of(text))};
}

Operator sum(const OperatorText& text) { return SumAll{elements_of(text)}; }

// Puts the state into operators that have one of their own.
struct InState {
  OperandState state;

  void operator()(Gemm& what) const { what.state = state; }
  void operator()(Convolution& what) const { what.state = state; }
  void operator()(AttentionCall& call) const { call.what.state = state; }
  template <class What>
  void operator()(What&) const {}
};

}  // namespace

Operator operator_of(const OperatorText& text) {
  static const std::map<std::string, Make> kMakes = {
      {"gemm", gemm},
      {"convolution", convolution},
      {"attention_prefill", of_phase(AttentionPhase::kPrefill)},
      {"attention_decode", of_phase(AttentionPhase::kDecode)},
      {"rmsnorm", over_rows(RowOperator::kRmsNorm)},
      {"layernorm", over_rows(RowOperator::kLayerNorm)},
      {"softmax", over_rows(RowOperator::kSoftmax)},
      {"argmax", over_rows(RowOperator::kArgmax)},
      {"add", over_elements(2, kAddInstructions)},
      {"mul", over_elements(2, kAddInstructions)},
      {"gelu", over_elements(1, kGeluInstructions)},
      {"silu", over_elements(1, kSiluInstructions)},
      {"cast", over_elements(1, kCastInstructions)},
      {"elementwise", any_function},
      {"gather", gather},
      {"embedding", gather},
      {"sum", sum},
      {"reduction", sum}};
  return kMakes.at(text.op)(text);
}

OperatorWork operator_work(const OperatorText& text) {
  operator_kind(text);
  OperatorWork out;
  out.what = operator_of(text);
  out.state = {text.l2_hit, text.l2_dirty, text.output_stays};
  std::visit(InState{out.state}, out.what);
  out.library = text.library == "vllm" ? Library::kVllm : Library::kPyTorch;
  out.load.before = text.load;
  return out;
}

const Fields<OperatorText>& operator_text_fields() {
  using S = OperatorText;
  static const Fields<S> rows = [] {
    Fields<S> out = operator_shape_fields("name");
    const Fields<S> more = {
        ranged("l2_hit", &S::l2_hit, "share of the operands that the L2 cache holds; default 0",
               between(0.0, 1.0)),
        field("l2_dirty", &S::l2_dirty,
              "the L2 cache is full of lines that another call wrote; default false"),
        field("output_stays", &S::output_stays,
              "the output is written over before it leaves the L2 cache; default false"),
        ranged("load", &S::load,
               "how long the GPU has been under such a load, which pulls its clock down; default 0",
               at_least(Duration(0))),
    };
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return rows;
}

}  // namespace septet
