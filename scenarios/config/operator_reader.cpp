// Operators: which sizes each has, and what they make.
#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/gpu/operators/elementwise.hpp"
#include "scenarios/config/operator_text.hpp"

namespace septet {
namespace {

constexpr std::uint64_t kMost = 1'000'000'000'000;

struct SizeKey {
  const char* key;
  const char* meaning;
};

constexpr SizeKey kSizes[] = {
    {"m", "rows of the output of a product"},
    {"n", "its columns"},
    {"k", "the dimension that a product adds up"},
    {"batch", "sequences of an attention"},
    {"heads", "heads of queries"},
    {"kv_heads", "heads of keys and values; default: as of queries"},
    {"queries", "queries of a sequence"},
    {"keys", "keys of a sequence; in prefill by default as many as queries"},
    {"dim", "of a head"},
    {"rows", "of a matrix, or to gather"},
    {"columns", "of a matrix"},
    {"elements", "of an operand"},
    {"images", "of a convolution"},
    {"channels", "of its input"},
    {"height", "of its input"},
    {"width", "of its input"},
    {"filters", "channels of its output"},
    {"filter_height", "of its window"},
    {"filter_width", "of its window"},
    {"stride", "of a convolution; default 1"},
};

DataType type_of(const OperatorText& text) {
  if (const auto type = data_type_named(text.type)) return *type;
  text.place.fail("type", "\"" + text.type + "\"", "bf16, fp16, fp8, tf32 or fp32");
}

Library library_of(const OperatorText& text) {
  if (text.library == "pytorch") return Library::kPyTorch;
  if (text.library == "vllm") return Library::kVllm;
  text.place.fail("library", "\"" + text.library + "\"", "pytorch or vllm");
}

std::uint64_t size_or(const OperatorText& text, const char* key, std::uint64_t other) {
  const auto found = text.sizes.find(key);
  return found == text.sizes.end() ? other : found->second;
}

double size(const OperatorText& text, const char* key) {
  return static_cast<double>(text.sizes.at(key));
}

OperandState state_of(const OperatorText& text) {
  return {text.l2_hit, text.l2_dirty, text.output_stays};
}

Operator gemm(const OperatorText& text) {
  Gemm out;
  out.m = size(text, "m");
  out.n = size(text, "n");
  out.k = size(text, "k");
  out.type = type_of(text);
  out.state = state_of(text);
  return out;
}

Operator convolution(const OperatorText& text) {
  Convolution out;
  out.images = size(text, "images");
  out.channels = size(text, "channels");
  out.height = size(text, "height");
  out.width = size(text, "width");
  out.filters = size(text, "filters");
  out.filter_height = size(text, "filter_height");
  out.filter_width = size(text, "filter_width");
  out.stride = static_cast<double>(size_or(text, "stride", 1));
  out.type = type_of(text);
  out.state = state_of(text);
  return out;
}

Operator attention(const OperatorText& text, AttentionPhase phase) {
  AttentionCall out;
  out.phase = phase;
  Attention& what = out.what;
  what.batch = text.sizes.at("batch");
  what.heads = text.sizes.at("heads");
  what.kv_heads = size_or(text, "kv_heads", what.heads);
  what.queries = phase == AttentionPhase::kDecode ? 1 : text.sizes.at("queries");
  what.keys = size_or(text, "keys", what.queries);
  what.dim = text.sizes.at("dim");
  what.causal = text.causal;
  what.type = type_of(text);
  what.state = state_of(text);
  if (what.heads % what.kv_heads != 0) {
    text.place.fail("kv_heads", std::to_string(what.kv_heads),
                    fmt::format("a divisor of heads, {}", what.heads));
  }
  return out;
}

Operator elementwise(const OperatorText& text, double inputs, double instructions) {
  Elementwise out;
  out.elements = size(text, "elements");
  out.inputs = inputs;
  out.size = out.output_size = bytes_of(type_of(text));
  out.instructions = instructions;
  return out;
}

Operator rowwise(const OperatorText& text, RowOperator what) {
  return Rowwise{what, size(text, "rows"), size(text, "columns")};
}

struct OperatorKind {
  const char* name;
  std::vector<std::string> needs;
  std::vector<std::string> takes;  // besides
  std::function<Operator(const OperatorText&)> make;
};

OperatorKind elementwise_kind(const char* name, double inputs, double instructions) {
  return {name, {"elements"}, {}, [=](const OperatorText& text) {
            return elementwise(text, inputs, instructions);
          }};
}

OperatorKind rowwise_kind(const char* name, RowOperator what) {
  return {
      name, {"rows", "columns"}, {}, [=](const OperatorText& text) { return rowwise(text, what); }};
}

const std::vector<OperatorKind>& kinds() {
  static const std::vector<OperatorKind> kKinds = {
      {"gemm", {"m", "n", "k"}, {}, gemm},
      {"convolution",
       {"images", "channels", "height", "width", "filters", "filter_height", "filter_width"},
       {"stride"},
       convolution},
      {"attention_prefill",
       {"batch", "heads", "queries", "dim"},
       {"kv_heads", "keys"},
       [](const OperatorText& text) { return attention(text, AttentionPhase::kPrefill); }},
      {"attention_decode",
       {"batch", "heads", "keys", "dim"},
       {"kv_heads"},
       [](const OperatorText& text) { return attention(text, AttentionPhase::kDecode); }},
      elementwise_kind("add", 2, kAddInstructions),
      elementwise_kind("mul", 2, kAddInstructions),
      elementwise_kind("gelu", 1, kGeluInstructions),
      elementwise_kind("silu", 1, kSiluInstructions),
      elementwise_kind("cast", 1, kCastInstructions),
      rowwise_kind("layernorm", RowOperator::kLayerNorm),
      rowwise_kind("rmsnorm", RowOperator::kRmsNorm),
      rowwise_kind("softmax", RowOperator::kSoftmax),
      rowwise_kind("argmax", RowOperator::kArgmax),
      {"gather",
       {"rows", "columns"},
       {},
       [](const OperatorText& text) {
         return Gather{size(text, "rows"), size(text, "columns"), bytes_of(type_of(text))};
       }},
      {"sum", {"elements"}, {}, [](const OperatorText& text) {
         return SumAll{size(text, "elements")};
       }}};
  return kKinds;
}

const OperatorKind& kind_of(const OperatorText& text) {
  const auto found = std::find_if(kinds().begin(), kinds().end(),
                                  [&](const OperatorKind& kind) { return kind.name == text.name; });
  if (found != kinds().end()) return *found;
  std::vector<std::string> names;
  for (const OperatorKind& kind : kinds()) names.emplace_back(kind.name);
  text.place.fail("name", "\"" + text.name + "\"", fmt::format("{}", fmt::join(names, ", ")));
}

void check_sizes(const OperatorText& text, const OperatorKind& kind) {
  for (const std::string& key : kind.needs) {
    if (text.sizes.contains(key)) continue;
    text.place.fail(key, "nothing",
                    fmt::format("{} of {}", fmt::join(kind.needs, ", "), kind.name));
  }
  for (const auto& [key, value] : text.sizes) {
    const auto has = [&key](const std::vector<std::string>& keys) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    if (has(kind.needs) || has(kind.takes)) continue;
    text.place.fail(key, fmt::format("a size that {} doesn't have", kind.name),
                    fmt::format("{}", fmt::join(kind.needs, ", ")));
  }
}

Field<OperatorText> size_field(const SizeKey& size) {
  const Range<std::uint64_t> range = between(std::uint64_t{1}, kMost);
  const auto read = [key = size.key, range](const Reading& reading, Sources sources,
                                            OperatorText& text) {
    text.sizes[key] = read_ranged<std::uint64_t>(reading, sources, range);
  };
  return {{size.key, Convert<std::uint64_t>::kType, range.text(), size.meaning}, read};
}

}  // namespace

const Fields<OperatorText>& operator_text_fields() {
  using S = OperatorText;
  static const Fields<S> rows = [] {
    Fields<S> out = {
        required(field("name", &S::name,
                       "gemm, convolution, attention_prefill, attention_decode, add, mul, gelu, "
                       "silu, cast, layernorm, rmsnorm, softmax, argmax, gather or sum")),
        field("type", &S::type, "bf16, fp16, fp8, tf32 or fp32; default bf16"),
        field("library", &S::library,
              "whose kernels: pytorch (default) or vllm, helper kernels included"),
    };
    for (const SizeKey& size : kSizes) out.push_back(size_field(size));
    const Fields<S> more = {
        field("causal", &S::causal, "of attention_prefill; default false"),
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

OperatorWork operator_work(const OperatorText& text) {
  const OperatorKind& kind = kind_of(text);
  check_sizes(text, kind);
  OperatorWork out;
  out.what = kind.make(text);
  out.state = state_of(text);
  out.library = library_of(text);
  out.load.before = text.load;
  return out;
}

}  // namespace septet
