// The fields of engines: of a profile in data/engines and of the table [engine].
#include "scenarios/serving/serving_text.hpp"

namespace septet::serving {
namespace {

using config::at_least;
using config::between;
using config::field;
using config::ranged;
using S = EngineText;

constexpr std::uint32_t kMany = 1U << 30;

config::Fields<S> scheduling_fields() {
  return {
      field("order", &S::order,
            "mixed: running sequences, then waiting ones, within one token budget; prefill-first: "
            "only prompts while there are any"),
      field("chunked_prefill", &S::chunked_prefill,
            "chunked prefill: prompts may be split to fit a step"),
      ranged("max_num_batched_tokens", &S::max_num_batched_tokens, "maximum tokens per step",
             between(1U, kMany)),
      ranged("max_chunk", &S::max_chunk, "maximum tokens of one prompt per step; default: no limit",
             between(1U, kMany)),
      ranged("max_num_seqs", &S::max_num_seqs, "maximum running sequences", between(1U, kMany)),
      ranged("max_waiting", &S::max_waiting,
             "maximum waiting sequences; more are rejected; default: no limit", between(1U, kMany)),
      ranged("max_model_len", &S::max_model_len,
             "maximum tokens of prompt and output; default: the model's", between(2U, kMany)),
      ranged("block_size", &S::block_size, "tokens per KV block", between(1U, 4096U)),
      field("prefix_caching", &S::prefix_caching, "prefix caching: equal prefixes share KV blocks"),
      field("preemption", &S::preemption,
            "preemption of a sequence without KV blocks: recompute or swap"),
      field("victim", &S::victim, "which sequence is preempted: last or fewest-outputs"),
      ranged("swap_space", &S::swap_space, "host memory for swapped blocks, per replica",
             at_least(Bytes(0))),
      ranged("reserved_share", &S::reserved_share,
             "fraction of the remaining output tokens for which admission reserves KV blocks; 0: "
             "none, 1: no preemption",
             between(0.0, 1.0)),
      ranged("least_reserved_share", &S::least_reserved_share, "minimum of that fraction",
             between(0.0, 1.0)),
      ranged("reservation_steps", &S::reservation_steps,
             "decode steps until the minimum is reached; 0: constant", between(0U, kMany)),
      ranged("reserved_tokens", &S::reserved_tokens,
             "maximum remaining tokens that count, per sequence", between(1U, kMany)),
  };
}

config::Fields<S> memory_fields() {
  return {
      field("memory_fraction_of", &S::memory_fraction_of,
            "total (vLLM), static (SGLang), free (TensorRT-LLM)"),
      ranged("memory_fraction", &S::memory_fraction,
             "fraction of GPU memory, as the engine defines it", between(0.01, 1.0)),
      ranged("graph_memory", &S::graph_memory, "memory of CUDA graphs", at_least(Bytes(0))),
      ranged("other_memory", &S::other_memory,
             "memory of the CUDA context, workspaces and collectives", at_least(Bytes(0))),
      field("window_blocks", &S::window_blocks, "layers with a window free the blocks beyond it"),
  };
}

config::Fields<S> execution_fields() {
  return {
      field("style", &S::style, "whose kernels: pytorch, vllm, sglang, tensorrt-llm"),
      field("cuda_graphs", &S::cuda_graphs, "false: every step is launched eagerly"),
      field("capture_sizes", &S::capture_sizes, "token counts of captured graphs, ascending"),
      field("full_graphs", &S::full_graphs, "pure decode steps run as one graph"),
      field("piecewise_graphs", &S::piecewise_graphs,
            "steps with prompts run piecewise graphs, with eager attention"),
      field("step_time", &S::step_time, "host time per step: scheduling, inputs, sampled tokens"),
      field("request_time", &S::request_time, "host time per request of a step"),
      field("prompt_token_time", &S::prompt_token_time, "host time per prompt token of a step"),
      field("overlapped", &S::overlapped, "the next step is scheduled while the GPU works"),
      field("late_stop", &S::late_stop,
            "the end of a response is noticed one step late, after a wasted step"),
      field("front_end_time", &S::front_end_time, "time from the server's socket to the scheduler"),
      field("front_end_token_time", &S::front_end_token_time, "added per prompt token"),
      field("response_time", &S::response_time, "time from a sampled token to the client"),
  };
}

}  // namespace

const config::Fields<S>& engine_fields() {
  static const config::Fields<S> rows = [] {
    config::Fields<S> out = {field("description", &S::description, "one-line description"),
                             field("aliases", &S::aliases, "other names"),
                             field("since", &S::since,
                                   "first release that it describes, such as \"0.14\"; the names "
                                   "of the engine with a release choose the latest profile up to "
                                   "that release")};
    for (const config::Fields<S>& part :
         {scheduling_fields(), memory_fields(), execution_fields()}) {
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }();
  return rows;
}

}  // namespace septet::serving
