// The operators: how each is written, and the keys of its shape.
#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/config/kernels/operator_text.hpp"
#include "scenarios/config/toml/near_miss.hpp"

namespace septet {
namespace {

// Beyond these a time would not fit, or a grid be refused.
constexpr std::uint64_t kMostSide = 1ULL << 22;  // of a product
constexpr std::uint64_t kMostRows = 0x7FFFFFFF;  // a block each
constexpr std::uint64_t kMostElements = 1ULL << 39;
constexpr std::uint64_t kMostKeys = 1ULL << 24;
constexpr std::uint64_t kMostHead = 1024;  // elements of a head; heads; inputs, ...

using Words = std::vector<std::string>;

const Words kAllTypes = {"bf16", "fp16", "fp8", "tf32", "fp32"};
const Words kHalves = {"bf16", "fp16"};
const Words kPlainTypes = {"bf16", "fp16", "fp8", "fp32"};
// Keys of any operator: the name, the type, where its operands are.
const Words kCommon = {"op", "name", "dtype", "l2", "l2_hit", "l2_dirty", "output_stays", "load"};
const Words kProductKeys = {"steady", "library"};

Field<OperatorText> count(std::string key, Count OperatorText::*member, std::uint64_t most,
                          std::string description) {
  return ranged(std::move(key), member, std::move(description), between(std::uint64_t{1}, most));
}

// One of `words`, whatever the operator.
void check_word(const OperatorText& text, const char* key, const std::string& got,
                const Words& words) {
  if (std::ranges::find(words, got) != words.end()) return;
  text.place.fail(key, "\"" + got + "\"", listed(words) + did_you_mean(got, words));
}

// Elements are counted by themselves or as those of a matrix; if both are there they agree.
void check_elements(const OperatorText& text) {
  if (!text.elements || !(text.rows || text.cols)) return;
  if (text.rows && text.cols && *text.rows * *text.cols == *text.elements) return;
  text.place.fail("elements", fmt::format("{} beside rows and cols", *text.elements),
                  "elements, or rows and cols that make as many");
}

bool belongs(const OperatorKind& kind, const std::string& key) {
  const auto has = [&](const Words& words) { return std::ranges::find(words, key) != words.end(); };
  return has(kind.needs) || has(kind.may_have) || has(kCommon);
}

OperatorKind over_rows(std::string name, std::string description) {
  return {std::move(name), {"rows", "cols"}, {}, kHalves, std::move(description)};
}

OperatorKind over_elements(std::string name, std::string description) {
  return {std::move(name), {"elements"}, {"rows", "cols"}, kPlainTypes, std::move(description)};
}

}  // namespace

Fields<OperatorText> operator_shape_fields(const std::string& name_key) {
  using S = OperatorText;
  return {
      required(field(name_key, &S::op, "which operator (scenarios/KERNELS.md lists them)")),
      count("m", &S::m, kMostSide, "rows of the product"),
      count("n", &S::n, kMostSide, "columns of the product"),
      count("k", &S::k, kMostSide, "depth of the product"),
      count("batch", &S::batch, kMostSide, "sequences; default 1"),
      count("heads", &S::heads, kMostHead, "heads of queries"),
      count("kv_heads", &S::kv_heads, kMostHead, "heads of keys and values; default: heads"),
      count("dim", &S::dim, kMostHead, "elements of a head"),
      count("seq", &S::seq, kMostKeys, "queries of a sequence; default in decode: 1"),
      count("kv", &S::kv, kMostKeys,
            "keys of a sequence: its length so far; default in prefill: seq"),
      count("rows", &S::rows, kMostRows, "rows of the matrix"),
      count("cols", &S::cols, kMostRows, "columns of the matrix"),
      count("elements", &S::elements, kMostElements, "elements of each operand; or rows and cols"),
      count("images", &S::images, kMostSide, "images of a batch"),
      count("channels", &S::channels, kMostSide, "channels of an input"),
      count("height", &S::height, kMostSide, "rows of an image"),
      count("width", &S::width, kMostSide, "columns of an image"),
      count("filters", &S::filters, kMostSide, "channels of an output"),
      count("filter", &S::filter, kMostHead, "side of the filter"),
      count("filter_width", &S::filter_width, kMostHead, "its columns; default: filter"),
      count("stride", &S::stride, kMostHead, "positions between outputs; default 1"),
      count("inputs", &S::inputs, kMostHead, "operands that are read; default 1"),
      count("outputs", &S::outputs, kMostHead, "operands that are written; default 1"),
      count("instructions", &S::instructions, kMostSide,
            "arithmetic instructions an element; default 4"),
      field("dtype", &S::dtype, "type of the elements; default bf16"),
      field("library", &S::library,
            "pytorch: cuBLAS and cuDNN; vllm: its kernels, helpers around them; default pytorch"),
      field("causal", &S::causal, "queries see only the keys before them; default false"),
  };
}

const std::vector<OperatorKind>& operator_kinds() {
  static const std::vector<OperatorKind> kKinds = {
      {"gemm", {"m", "n", "k"}, kProductKeys, kAllTypes, "product of matrices"},
      {"attention_prefill",
       {"heads", "dim", "seq"},
       {"batch", "kv_heads", "kv", "causal", "steady", "library"},
       kHalves,
       "attention of many queries"},
      {"attention_decode",
       {"heads", "dim", "kv"},
       {"batch", "kv_heads", "seq", "library"},
       kHalves,
       "attention of one new query a sequence over its cache"},
      {"convolution",
       {"images", "channels", "height", "width", "filters", "filter"},
       {"filter_width", "stride", "steady", "library"},
       kAllTypes,
       "convolution, lowered to a product; output as large as the input over the stride"},
      over_rows("rmsnorm", "root-mean-square norm of rows"),
      over_rows("layernorm", "layer norm of rows"),
      over_rows("softmax", "softmax of rows"),
      over_rows("argmax", "largest of each row"),
      over_elements("add", "sum of two operands"),
      over_elements("mul", "product of two operands, element by element"),
      over_elements("gelu", "GELU with erf"),
      over_elements("silu", "SiLU"),
      over_elements("cast", "conversion"),
      {"elementwise",
       {"elements"},
       {"rows", "cols", "inputs", "outputs", "instructions"},
       kPlainTypes,
       "any function of each element"},
      {"gather", {"rows", "cols"}, {}, kPlainTypes, "rows of a table by index"},
      {"embedding", {"rows", "cols"}, {}, kPlainTypes, "the same"},
      {"sum", {"elements"}, {"rows", "cols"}, kHalves, "all elements added up"},
      {"reduction", {"elements"}, {"rows", "cols"}, kHalves, "the same"},
  };
  return kKinds;
}

const OperatorKind& operator_kind(const OperatorText& text) {
  Words names;
  for (const OperatorKind& kind : operator_kinds()) names.push_back(kind.name);
  check_word(text, text.place.has("name") ? "name" : "op", text.op, names);
  const auto& kinds = operator_kinds();
  const OperatorKind& kind = *std::ranges::find(kinds, text.op, &OperatorKind::name);
  for (const std::string& key : kind.needs) {
    const bool by_rows = key == "elements" && text.rows && text.cols;
    if (text.place.has(key) || by_rows) continue;
    text.place.fail(key, "nothing", key + " of " + kind.name + ", a whole number");
  }
  for (const ConfigEntry& entry : *text.place.table->table()) {
    if (belongs(kind, entry.key)) continue;
    text.place.fail(entry.key, "a value", "no such key with " + kind.name);
  }
  check_elements(text);
  if (text.rows && text.cols && *text.rows * *text.cols > kMostElements) {
    text.place.fail("rows", fmt::format("{} x {} elements", *text.rows, *text.cols),
                    fmt::format("at most {} elements", kMostElements));
  }
  check_word(text, "dtype", text.dtype, kind.types);
  check_word(text, "l2", text.l2, {"cold", "warm"});
  check_word(text, "library", text.library, {"pytorch", "vllm"});
  return kind;
}

}  // namespace septet
