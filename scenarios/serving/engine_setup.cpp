#include "scenarios/serving/engine_setup.hpp"

#include <algorithm>

namespace septet::serving {
namespace {

llm::MemorySettings memory_settings(const EngineText& text, Bytes draft) {
  llm::MemorySettings out;
  out.of = text.memory_fraction_of;
  out.fraction = text.memory_fraction;
  out.max_tokens = text.max_num_batched_tokens;
  out.max_sequences = text.max_num_seqs;
  out.block_tokens = text.block_size;
  out.graphs = text.cuda_graphs ? text.graph_memory : Bytes{};
  out.other = text.other_memory + draft;
  out.windows = text.window_blocks;
  return out;
}

llm::MemoryBudget budget_of(const EngineText& text, const EngineSite& site) {
  const Bytes draft = site.draft ? llm::weight_bytes(*site.draft) : Bytes{};
  try {
    return llm::memory_budget(site.deployment, memory_settings(text, draft),
                              llm::reported_memory(site.gpu.memory));
  } catch (const ConfigError& error) {
    throw DoesNotFit(site.where, error.what());
  }
}

SchedulerSpec scheduler_of(const EngineText& text, const EngineSite& site,
                           const llm::MemoryBudget& memory) {
  SchedulerSpec out;
  out.order = text.order;
  out.chunked_prefill = text.chunked_prefill;
  out.max_num_batched_tokens = text.max_num_batched_tokens;
  out.max_chunk = text.max_chunk;
  out.max_num_seqs = text.max_num_seqs;
  out.max_waiting = text.max_waiting;
  const std::uint32_t positions = site.deployment.model.max_position_embeddings;
  if (text.max_model_len) {
    out.max_model_len = *text.max_model_len;
  } else if (positions > 0) {
    out.max_model_len = positions;
  }
  out.block_size = text.block_size;
  out.kv_blocks = static_cast<std::uint32_t>(memory.kv_blocks);
  out.prefix_caching = text.prefix_caching;
  out.preemption = text.preemption;
  out.victim = text.victim;
  const std::int64_t swapped = memory.block.count() * site.deployment.layout.gpus();
  out.swap_blocks = static_cast<std::uint32_t>(text.swap_space.count() / swapped);
  out.reservation = {text.reserved_share, text.least_reserved_share, text.reservation_steps,
                     text.reserved_tokens};
  out.late_stop = text.late_stop;
  return out;
}

GraphSpec graphs_of(const EngineText& text) {
  GraphSpec out;
  if (text.cuda_graphs) {
    out.sizes.assign(text.capture_sizes.begin(), text.capture_sizes.end());
    if (!std::ranges::is_sorted(out.sizes)) {
      text.place.fail("capture_sizes", "unsorted sizes", "ascending sizes");
    }
  }
  out.full = text.full_graphs;
  out.piecewise = text.piecewise_graphs;
  return out;
}

}  // namespace

EngineSetup engine_setup(const EngineText& text, const EngineSite& site) {
  EngineSetup out;
  out.memory = budget_of(text, site);
  out.spec.scheduler = scheduler_of(text, site, out.memory);
  out.spec.graphs = graphs_of(text);
  out.spec.host = {text.step_time, text.request_time, text.prompt_token_time, text.overlapped};
  out.spec.front_end = {text.front_end_time, text.front_end_token_time, text.response_time};
  // Every GPU moves its own part over its own link.
  out.spec.swap = {out.memory.block, site.gpu.copy.host_to_device};
  out.spec.data_parallel_ranks = site.deployment.layout.data;
  return out;
}

}  // namespace septet::serving
