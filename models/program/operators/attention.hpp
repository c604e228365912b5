// Attention: many new queries of each sequence (prefill), or one over what is cached (decode).
#pragma once

#include <type_traits>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

enum class AttentionPhase : std::uint8_t { kPrefill, kDecode };
constexpr auto enum_table(std::type_identity<AttentionPhase>) {
  return enum_texts<AttentionPhase>("prefill", "decode");
}

struct Attention {
  AttentionPhase phase = AttentionPhase::kPrefill;
  std::uint64_t batch = 1;
  std::uint64_t heads = 1;
  std::uint64_t kv_heads = 1;
  std::uint64_t queries = 1;  // of a sequence
  std::uint64_t keys = 1;
  std::uint64_t dim = 128;
  bool causal = false;
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const Attention&) const = default;
};

// Keys and values once, queries and outputs.
constexpr double operand_bytes(const Attention& a) {
  const auto kept = static_cast<double>(a.keys) * static_cast<double>(a.kv_heads);
  const auto passing = static_cast<double>(a.queries) * static_cast<double>(a.heads);
  return 2 * static_cast<double>(a.batch) * static_cast<double>(a.dim) * (kept + passing) *
         bytes_of(a.type);
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

inline OperatorKinds<Attention> kinds_of(std::type_identity<Attention>) {
  using A = Attention;
  using F = OperatorField<A>;
  const F batch = F::optional("batch", &A::batch, OperatorLimit::kSide, "sequences, or images");
  const F heads = F::needed("heads", &A::heads, OperatorLimit::kSmall, "heads of queries");
  const F kv_heads =
      F::optional("kv_heads", &A::kv_heads, OperatorLimit::kSmall, "key and value heads", "heads");
  const F dim = F::needed("dim", &A::dim, OperatorLimit::kSmall, "elements of a head");
  const char* const queries = "queries of a sequence";
  const char* const keys = "keys of a sequence: its current length";
  return {
      {.text = {.name = "attention_prefill",
                .meaning = "attention of many queries (prompt)",
                .types = half_types(),
                .joined_by = "batch",
                .library = true,
                .load = true,
                .measured = {.names = {"attention_prefill"},
                             .extents = {{"batch", 1, 16},
                                         {"heads", 8, 32},
                                         {"seq", 128, 8192},
                                         {"dim", 64, 128},
                                         {"causal", 1, 1}},
                             .types = {DataType::kBf16},
                             .replays = 9}},
       .fields = {heads, dim, F::needed("seq", &A::queries, OperatorLimit::kKeys, queries), batch,
                  kv_heads, F::optional("kv", &A::keys, OperatorLimit::kKeys, keys, "seq"),
                  F::flag("causal", &A::causal,
                          "causal mask: a query attends only to earlier keys")},
       .preset = {.phase = AttentionPhase::kPrefill}},
      {.text = {.name = "attention_decode",
                .meaning = "attention of one new query per sequence over its KV cache",
                .types = half_types(),
                .joined_by = "batch",
                .library = true,
                .measured = {.names = {"attention_decode", "attention_decode_gqa"},
                             .extents = {{"batch", 1, 128},
                                         {"heads", 8, 32},
                                         {"kv", 128, 16384},
                                         {"dim", 64, 128}},
                             .types = {DataType::kBf16}}},
       .fields = {heads, dim, F::needed("kv", &A::keys, OperatorLimit::kKeys, keys), batch,
                  kv_heads, F::optional("seq", &A::queries, OperatorLimit::kKeys, queries)},
       .preset = {.phase = AttentionPhase::kDecode}}};
}

}  // namespace septet::program
