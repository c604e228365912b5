// Engines of published serving runs: their defaults where a row names no value.
//
// vLLM (vllm/engine/arg_utils.py, vllm/config): 8,192 tokens a step and 1,024 sequences in a server
// on GPUs of at least 70 GiB other than the A100, else 2,048 and 256; 90 % of memory; graphs of 1,
// 2, 4, 8 and multiples of 8 up to 256, of 16 up to 512 tokens; scheduling overlaps the GPU since
// 0.14, or with --async-scheduling. SGLang (python/sglang/srt/server_args.py): prompts first in
// chunks of 8,192; 88 % of memory for weights and cache; graphs up to 256 sequences. TensorRT-LLM
// (docs/source/performance, GUARANTEED_NO_EVICT): 8,192 tokens, 2,048 sequences, 90 % of the free
// memory, whole answers reserved.
#include <algorithm>
#include <cmath>

#include "scenarios/validate/public_serving.hpp"

namespace septet::validation {
namespace {

constexpr Bytes kLarge = Bytes(70LL << 30);

std::vector<std::int64_t> graph_sizes(std::int64_t most) {
  std::vector<std::int64_t> out = {1, 2, 4};
  for (std::int64_t size = 8; size <= std::min<std::int64_t>(most, 256); size += 8) {
    out.push_back(size);
  }
  for (std::int64_t size = 272; size <= most; size += 16) out.push_back(size);
  return out;
}

bool is_small(const gpu::GpuSpec& gpu) {
  return gpu.memory < kLarge || gpu.name.starts_with("a100");
}

// Host time around a step: assumptions, which matter most with one to 32 sequences. With overlapped
// scheduling the GPU hides it.
serving::HostCost host_of(const EngineVersion& engine, bool asynchronous) {
  serving::HostCost out;
  switch (engine.style) {
    case llm::Style::kPyTorch:
      break;
    case llm::Style::kVllm:
      out = {from_us(1500), from_us(15), Duration(20'000), asynchronous};
      break;
    case llm::Style::kSglang:
      out = {from_us(800), from_us(10), Duration(20'000), true};
      break;
    case llm::Style::kTensorRtLlm:
      out = {from_us(500), from_us(4), Duration(10'000), true};
      break;
  }
  return out;
}

void set_limits(const MeasuredRow& row, const EngineVersion& engine, const gpu::GpuSpec& gpu,
                serving::SchedulerSpec& out) {
  const bool small = is_small(gpu);
  switch (engine.style) {
    case llm::Style::kPyTorch:
      break;
    case llm::Style::kVllm:
      out.max_num_batched_tokens = small ? 2048 : 8192;
      out.max_num_seqs = small ? 256 : 1024;
      break;
    case llm::Style::kSglang:
      out.order = serving::StepOrder::kPrefillFirst;
      out.max_num_batched_tokens = 16384;
      out.max_chunk = small ? 4096 : 8192;
      out.max_num_seqs = 2048;
      out.reservation = {.share = 0.7, .least = 0.098, .steps = 600, .most_tokens = 4096};
      break;
    case llm::Style::kTensorRtLlm:
      out.max_num_batched_tokens = 8192;
      out.max_num_seqs = 2048;
      out.reservation = {.share = 1};
      break;
  }
  if (const auto tokens = number_in(row, "max_tokens")) {
    out.max_num_batched_tokens = static_cast<std::int64_t>(*tokens);
  }
  if (const auto batch = number_in(row, "max_batch")) {
    out.max_num_seqs = static_cast<std::int64_t>(*batch);
  }
  if (row.has("prefix_cache")) out.prefix_caching = flag_in(row, "prefix_cache");
}

llm::MemorySettings memory_of(const MeasuredRow& row, const EngineVersion& engine,
                              const llm::Deployment& deployment,
                              const serving::SchedulerSpec& scheduler) {
  llm::MemorySettings out;
  out.max_tokens = static_cast<std::uint32_t>(scheduler.max_num_batched_tokens);
  out.max_sequences =
      static_cast<std::uint32_t>(std::min<std::int64_t>(scheduler.max_num_seqs, 1024));
  out.graphs = Bytes(512LL << 20);
  out.other = Bytes(deployment.layout.gpus() > 1 ? 1536LL << 20 : 512LL << 20);
  if (engine.style == llm::Style::kSglang) {
    out.of = llm::FractionOf::kStatic;
    out.fraction = 0.88;
    out.max_tokens = 8192;
  }
  if (engine.style == llm::Style::kTensorRtLlm) out.of = llm::FractionOf::kFree;
  for (const char* key : {"kv_fraction", "gpu_memory_utilization"}) {
    if (const auto fraction = number_in(row, key)) out.fraction = *fraction;
  }
  return out;
}

}  // namespace

PublicEngine engine_of(const MeasuredRow& row, const llm::Deployment& deployment,
                       const gpu::GpuSpec& gpu) {
  const EngineVersion engine = engine_version(row);
  PublicEngine out;
  serving::SchedulerSpec& scheduler = out.spec.scheduler;
  set_limits(row, engine, gpu, scheduler);
  out.memory = llm::memory_budget(deployment, memory_of(row, engine, deployment, scheduler),
                                  llm::reported_memory(gpu.memory));
  const std::int64_t blocks = number_in(row, "kv_tokens")
                                  ? static_cast<std::int64_t>(*number_in(row, "kv_tokens")) / 16
                                  : out.memory.kv_blocks;
  scheduler.kv_blocks = static_cast<std::uint32_t>(std::min<std::int64_t>(blocks, 1 << 24));
  const bool asynchronous =
      engine.major > 0 || engine.minor >= 14 ||
      text_in(row, "server_flags").find("--async-scheduling") != std::string::npos;
  out.spec.host = host_of(engine, asynchronous);
  scheduler.late_stop = out.spec.host.overlapped;
  const std::int64_t most = engine.style == llm::Style::kVllm ? 512 : 256;
  out.spec.graphs.sizes =
      graph_sizes(std::min({most, 2 * scheduler.max_num_seqs, scheduler.max_num_batched_tokens}));
  out.spec.graphs.piecewise = engine.style == llm::Style::kVllm;
  out.spec.front_end = {from_us(1500), Duration(1'000'000), from_us(50)};
  out.spec.data_parallel_ranks = deployment.layout.data;
  return out;
}

}  // namespace septet::validation
