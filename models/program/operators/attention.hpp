// Attention: many new queries of each sequence (prefill), one over what is cached (decode), and the
// gradients of prefill (backward).
#pragma once

#include <algorithm>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

enum class AttentionPhase : std::uint8_t { kPrefill, kDecode, kBackward };
constexpr auto enum_table(std::type_identity<AttentionPhase>) {
  return enum_texts<AttentionPhase>("prefill", "decode", "backward");
}

struct Attention {
  AttentionPhase phase = AttentionPhase::kPrefill;
  std::uint64_t batch = 1;
  std::uint64_t heads = 1;
  std::uint64_t kv_heads = 1;
  std::uint64_t queries = 1;  // of a sequence
  std::uint64_t keys = 1;
  std::uint64_t dim = 128;
  std::uint64_t window = 0;  // keys that a query sees at most; 0: all
  bool causal = false;
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const Attention&) const = default;
};

// Keys that any query sees: the last ones, where a window ends before the first.
constexpr double keys_seen(const Attention& a) {
  const auto keys = static_cast<double>(a.keys);
  return a.window == 0
             ? keys
             : std::min(keys, static_cast<double>(a.window) + static_cast<double>(a.queries) - 1);
}

// Keys and values once, queries and outputs; gradients of all, and the gradient of the outputs.
constexpr double operand_bytes(const Attention& a) {
  const auto kept = keys_seen(a) * static_cast<double>(a.kv_heads);
  const auto passing = static_cast<double>(a.queries) * static_cast<double>(a.heads);
  const double heads =
      a.phase == AttentionPhase::kBackward ? 4 * kept + 4 * passing : 2 * kept + 2 * passing;
  return static_cast<double>(a.batch) * static_cast<double>(a.dim) * heads * bytes_of(a.type);
}

constexpr double written_bytes(const Attention& a) {
  const auto kept = keys_seen(a) * static_cast<double>(a.kv_heads);
  const auto passing = static_cast<double>(a.queries) * static_cast<double>(a.heads);
  const double heads = a.phase == AttentionPhase::kBackward ? 2 * kept + passing : passing;
  return static_cast<double>(a.batch) * static_cast<double>(a.dim) * heads * bytes_of(a.type);
}

// Pairs of a query and a key that it sees, of one head. The last query is as late as the last key.
constexpr double pairs_seen(const Attention& a) {
  const auto queries = static_cast<double>(a.queries);
  const auto keys = static_cast<double>(a.keys);
  if (!a.causal && a.window == 0) return queries * keys;
  const double first = a.causal ? keys - queries + 1 : keys;  // of the first query
  const double most = a.window == 0 ? keys : std::min(keys, static_cast<double>(a.window));
  const double growing = std::clamp(most - first, 0.0, queries);  // queries before the limit
  return growing * (first + (growing - 1) / 2) + (queries - growing) * std::min(most, keys);
}

// Two products of a pair; backward repeats the first and makes four more.
constexpr double operations(const Attention& a) {
  const double each = a.phase == AttentionPhase::kBackward ? 10 : 4;
  return each * static_cast<double>(a.batch) * static_cast<double>(a.heads) *
         static_cast<double>(a.dim) * pairs_seen(a);
}

// Prefill: keys and values twice, as computed and in the cache. Decode: what is cached.
constexpr double graph_bytes(const Attention& a, double) {
  const std::uint64_t passing =
      a.phase == AttentionPhase::kDecode ? 0 : a.queries * (2 * a.heads + 2 * a.kv_heads);
  return bytes_of(a.type) *
         static_cast<double>(a.batch * a.dim * (passing + 2 * a.kv_heads * a.keys));
}

inline std::optional<OperatorMistake> mistake_in(const Attention& a) {
  constexpr double kMostQueryRows = 2147483648.0;
  if (a.heads % a.kv_heads != 0) {
    return OperatorMistake{"kv_heads", static_cast<double>(a.kv_heads), "", "a divisor of heads"};
  }
  if (a.queries > a.keys) {
    return OperatorMistake{"seq", static_cast<double>(a.queries), "",
                           "at most kv, which they are among"};
  }
  const double rows =
      static_cast<double>(a.batch) * static_cast<double>(a.heads) * static_cast<double>(a.queries);
  if (rows <= kMostQueryRows) return std::nullopt;
  return OperatorMistake{"batch", rows, "rows of queries", "at most 2^31 of them"};
}

template <std::same_as<Attention> What>
OperatorKindOf<What> attention_kind(AttentionPhase phase, std::string name, std::string meaning,
                                    std::vector<OperatorField<What>> fields,
                                    std::vector<MeasuredOperator::Extent> extents) {
  using F = OperatorField<What>;
  const F window = F::optional("window", &What::window, OperatorLimit::kKeys,
                               "sliding window: number of most recent keys that a query sees");
  fields.push_back(window);
  return {.text = {.name = name,
                   .meaning = std::move(meaning),
                   .types = half_types(),
                   .joined_by = "batch",
                   .library = phase != AttentionPhase::kBackward,
                   .gradient = phase == AttentionPhase::kBackward,
                   .load = phase != AttentionPhase::kDecode,
                   .measured = {.names = {name},
                                .extents = std::move(extents),
                                .types = {DataType::kBf16}}},
          .fields = std::move(fields),
          .preset = {.phase = phase}};
}

template <std::same_as<Attention> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using P = AttentionPhase;
  using F = OperatorField<What>;
  const F batch = F::optional("batch", &What::batch, OperatorLimit::kSide,
                              "number of sequences, images or products");
  const F heads = F::needed("heads", &What::heads, OperatorLimit::kSmall, "query heads");
  const F kv_heads = F::optional("kv_heads", &What::kv_heads, OperatorLimit::kSmall,
                                 "key and value heads", "heads");
  const F dim = F::needed("dim", &What::dim, OperatorLimit::kSmall,
                          "head dimension, or elements of a table row");
  const char* const queries = "queries of a sequence";
  const char* const keys = "keys of a sequence: its current length";
  const F causal =
      F::flag("causal", &What::causal, "causal mask: a query attends only to earlier keys");
  const F sequence = F::needed("seq", &What::queries, OperatorLimit::kKeys, queries);
  const F length = F::needed("kv", &What::keys, OperatorLimit::kKeys, keys);
  const F same_length = F::optional("kv", &What::keys, OperatorLimit::kKeys, keys, "seq");
  OperatorKinds<What> out = {
      attention_kind<What>(P::kPrefill, "attention_prefill", "attention of many queries (prompt)",
                           {heads, dim, sequence, batch, kv_heads, same_length, causal},
                           {{"batch", 1, 16},
                            {"heads", 8, 32},
                            {"seq", 128, 8192},
                            {"dim", 64, 128},
                            {"causal", 1, 1}}),
      attention_kind<What>(
          P::kDecode, "attention_decode",
          "attention of one new query per sequence over its KV cache",
          {heads, dim, length, batch, kv_heads,
           F::optional("seq", &What::queries, OperatorLimit::kKeys, queries)},
          {{"batch", 1, 128}, {"heads", 8, 32}, {"kv", 128, 16384}, {"dim", 64, 128}}),
      attention_kind<What>(P::kPrefill, "attention_chunk",
                           "attention of several new queries over a longer context",
                           {heads, dim, sequence, length, batch, kv_heads, causal},
                           {{"batch", 1, 64},
                            {"heads", 8, 32},
                            {"seq", 2, 2048},
                            {"kv", 1024, 16384},
                            {"dim", 128, 128},
                            {"causal", 0, 1}}),
      attention_kind<What>(P::kBackward, "attention_backward",
                           "backward pass of attention of many queries",
                           {heads, dim, sequence, batch, kv_heads, same_length, causal},
                           {{"batch", 1, 16},
                            {"heads", 16, 32},
                            {"seq", 512, 8192},
                            {"dim", 64, 128},
                            {"causal", 1, 1}})};
  out[0].text.measured.replays = 9;
  out[1].text.measured.names.push_back("attention_decode_gqa");
  return out;
}

}  // namespace septet::program
