// Attention of a step: grouped heads, windows, and DeepSeek's compressed cache.
#include <algorithm>
#include <cmath>

#include "models/gpu/operators/attention.hpp"
#include "models/workload/llm/engine_layer.hpp"

namespace septet::llm {
namespace {

using transformer::StepOperator;

std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(std::max(1.0, std::round(value)));
}

StepOperator attention_operator(const gpu::GpuSpec& gpu, const program::Attention& what) {
  if (what.phase == program::AttentionPhase::kDecode) {
    gpu::OperatorTime time = gpu::flash3_decode(gpu, what);
    return {"attention", [time](Frequency) { return time; }};
  }
  const Duration schedule = gpu.operators.flash3.schedule;
  return {"attention", [&gpu, what, schedule](Frequency clock) {
            gpu::OperatorTime time = gpu::flash3_prefill_at(gpu, what, clock);
            time.time += schedule;
            return time;
          }};
}

// Eight bits of keys and values are read as such; GPUs without such products convert them.
program::DataType type_of(const EngineStep& step) {
  const bool eight_bits = transformer::bytes_of(step.deployment.kv) < transformer::kActivation;
  return eight_bits && step.gpu.tensor.fp8_flops > 0 ? program::DataType::kFp8
                                                     : program::DataType::kBf16;
}

// A chunk behind a window: pieces as long as the window that see it and themselves.
void put_in_window(double window, program::Attention& what) {
  const auto size = static_cast<std::uint64_t>(window);
  if (what.phase == program::AttentionPhase::kDecode) {
    what.keys = std::min(what.keys, size + what.queries - 1);
  } else if (what.keys > 2 * size && what.queries > size) {
    what.batch *= (what.queries + size - 1) / size;
    what.queries = size;
    what.keys = 2 * size;
  } else {
    what.keys = std::min(what.keys, size + what.queries);
  }
}

void add_grouped(const EngineStep& step, const AttentionGroup& group, bool windowed,
                 Operators& out) {
  const transformer::Model& model = step.model();
  const std::uint32_t tensor = step.deployment.layout.tensor;
  program::Attention what;
  what.phase = group.prefill ? program::AttentionPhase::kPrefill : program::AttentionPhase::kDecode;
  what.batch = group.sequences;
  what.heads = model.num_attention_heads / tensor;
  what.kv_heads = std::max(1U, model.groups() / tensor);
  what.queries = whole(group.queries);
  what.keys = std::max(what.queries, whole(group.keys));
  what.dim = model.head_dim();
  what.causal = group.prefill;
  what.type = type_of(step);
  if (windowed) put_in_window(model.window_size, what);
  out.push_back(attention_operator(step.gpu, what));
}

// Decodes over the compressed cache, once for each tile of 128 query rows: the first tile reads it
// from DRAM, others find it in the L2 cache. A key's 576 numbers and 512 of a value are one vector:
// as many bytes and operations as twice the heads with half its length.
void add_compressed(const EngineStep& step, const AttentionGroup& group, Operators& out) {
  constexpr double kRowsOfTile = 128;
  const transformer::LatentAttention& latent = step.model().latent;
  const double heads = step.model().num_attention_heads / step.tensor();
  const double rows = static_cast<double>(group.sequences) * group.queries;
  const auto format = step.linear();
  add_product(step, "queries to the cache's space", format, rows, latent.kv_lora_rank * heads,
              latent.qk_head_dim, out);
  program::Attention what;
  what.phase = program::AttentionPhase::kDecode;
  what.batch = group.sequences;
  const double query_rows = 2 * heads * std::round(group.queries);
  const double tiles = std::ceil(query_rows / kRowsOfTile);
  what.kv_heads = whole(tiles);
  what.heads = what.kv_heads * whole(query_rows / tiles);
  what.keys = whole(group.keys);
  what.dim = (latent.kv_lora_rank + latent.qk_pos_emb_head_dim) / 2;
  what.type = type_of(step);
  what.state.l2_hit = 1 - 1 / tiles;
  out.push_back(attention_operator(step.gpu, what));
  add_product(step, "values out of the cache's space", format, rows, latent.v_head_dim * heads,
              latent.kv_lora_rank, out);
}

// Chunks of prompts over keys and values of every head; of queries and values the mean length.
void add_spelled_out(const EngineStep& step, const AttentionGroup& group, Operators& out) {
  const transformer::LatentAttention& latent = step.model().latent;
  const std::uint32_t heads = step.model().num_attention_heads / step.deployment.layout.tensor;
  const double keys = static_cast<double>(group.sequences) * group.keys;
  add_product(step, "keys and values product", step.linear(), keys,
              heads * (latent.qk_head_dim + latent.v_head_dim), latent.kv_lora_rank, out);
  program::Attention what;
  what.batch = group.sequences;
  what.heads = what.kv_heads = heads;
  what.queries = whole(group.queries);
  what.keys = std::max(what.queries, whole(group.keys));
  what.dim = (latent.qk_head_dim + latent.qk_pos_emb_head_dim + latent.v_head_dim) / 2;
  what.causal = true;
  out.push_back(attention_operator(step.gpu, what));
}

}  // namespace

void add_attention(const EngineStep& step, bool windowed, Operators& out) {
  for (const AttentionGroup& group : step.shape.groups) {
    if (!step.model().latent.used()) {
      add_grouped(step, group, windowed, out);
    } else {
      group.prefill ? add_spelled_out(step, group, out) : add_compressed(step, group, out);
    }
  }
}

void add_latent_block(const EngineStep& step, Operators& out) {
  const transformer::LatentAttention& latent = step.model().latent;
  const double rows = step.shape.rows;
  const double heads = step.model().num_attention_heads / step.tensor();
  const double query = heads * (latent.qk_head_dim + latent.qk_pos_emb_head_dim);
  const double cached = latent.kv_lora_rank + latent.qk_pos_emb_head_dim;
  out.push_back(transformer::norm(step.gpu, rows, 2 * step.hidden()));
  const double down = latent.q_lora_rank > 0 ? latent.q_lora_rank : query;
  add_product(step, "down products", step.linear(), rows, down + cached, step.hidden(), out);
  if (latent.q_lora_rank > 0) {
    out.push_back(transformer::norm(step.gpu, rows, latent.q_lora_rank));
    add_product(step, "query product", step.linear(), rows, query, latent.q_lora_rank, out);
  }
  out.push_back(transformer::norm(step.gpu, rows, latent.kv_lora_rank));
  constexpr double kRotaryInstructions = 12;
  out.push_back(transformer::map(step.gpu, "rotary and cache write",
                                 {.elements = rows * (heads * latent.qk_pos_emb_head_dim + cached),
                                  .inputs = 2,
                                  .instructions = kRotaryInstructions}));
  add_attention(step, false, out);
  add_product(step, "output product", step.linear(), rows, step.hidden(), heads * latent.v_head_dim,
              out);
  add_all_reduce(step, rows, out);
}

}  // namespace septet::llm
