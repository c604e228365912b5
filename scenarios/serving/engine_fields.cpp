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
            "mixed: running sequences, then waiting ones, from one budget of tokens; "
            "prefill-first: prompts alone while there are any"),
      field("chunked_prefill", &S::chunked_prefill, "prompts may be cut to what a step has left"),
      ranged("max_num_batched_tokens", &S::max_num_batched_tokens, "tokens of a step, at most",
             between(1U, kMany)),
      ranged("max_chunk", &S::max_chunk, "tokens of one prompt in a step; default: no limit",
             between(1U, kMany)),
      ranged("max_num_seqs", &S::max_num_seqs, "running sequences, at most", between(1U, kMany)),
      ranged("max_waiting", &S::max_waiting,
             "waiting sequences, at most: further ones are refused; default: no limit",
             between(1U, kMany)),
      ranged("max_model_len", &S::max_model_len,
             "tokens of prompt and answer, at most; default: the model's", between(2U, kMany)),
      ranged("block_size", &S::block_size, "tokens of a KV block", between(1U, 4096U)),
      field("prefix_caching", &S::prefix_caching, "equal beginnings share KV blocks"),
      field("preemption", &S::preemption,
            "what happens to a sequence without KV blocks: recompute, swap"),
      field("victim", &S::victim, "which one is preempted: last, fewest-outputs"),
      ranged("swap_space", &S::swap_space, "host memory for swapped blocks of a replica",
             at_least(Bytes(0))),
      ranged("reserved_share", &S::reserved_share,
             "part of the tokens still to be written for which admission keeps room; 0: none, 1: "
             "nothing is ever preempted",
             between(0.0, 1.0)),
      ranged("least_reserved_share", &S::least_reserved_share, "to which it falls",
             between(0.0, 1.0)),
      ranged("reservation_steps", &S::reservation_steps, "decode steps until then; 0: it stays",
             between(0U, kMany)),
      ranged("reserved_tokens", &S::reserved_tokens, "tokens of a sequence that count, at most",
             between(1U, kMany)),
  };
}

config::Fields<S> memory_fields() {
  return {
      field("memory_fraction_of", &S::memory_fraction_of,
            "total (vLLM), static (SGLang), free (TensorRT-LLM)"),
      ranged("memory_fraction", &S::memory_fraction, "of the GPU's memory, as the engine means it",
             between(0.01, 1.0)),
      ranged("graph_memory", &S::graph_memory, "that CUDA graphs take", at_least(Bytes(0))),
      ranged("other_memory", &S::other_memory, "CUDA context, workspaces, collectives",
             at_least(Bytes(0))),
      field("window_blocks", &S::window_blocks, "layers with a window give blocks beyond it back"),
  };
}

config::Fields<S> execution_fields() {
  return {
      field("style", &S::style, "whose kernels: pytorch, vllm, sglang, tensorrt-llm"),
      field("cuda_graphs", &S::cuda_graphs, "false: every step is launched kernel by kernel"),
      field("capture_sizes", &S::capture_sizes, "tokens of captured graphs, ascending"),
      field("full_graphs", &S::full_graphs, "steps of decodes alone are one graph"),
      field("piecewise_graphs", &S::piecewise_graphs,
            "steps with prompts run graphs of all but attention"),
      field("step_time", &S::step_time,
            "of the host for a step: scheduling, inputs, sampled tokens"),
      field("request_time", &S::request_time, "of the host for each request in it"),
      field("prompt_token_time", &S::prompt_token_time, "of the host for each prompt token in it"),
      field("overlapped", &S::overlapped, "the next step is scheduled while the GPU works"),
      field("late_stop", &S::late_stop,
            "an answer's end is noticed one step late, which computes for it in vain"),
      field("front_end_time", &S::front_end_time, "from the server's socket to the scheduler"),
      field("front_end_token_time", &S::front_end_token_time, "more for each prompt token"),
      field("response_time", &S::response_time, "from a sampled token to the client"),
  };
}

}  // namespace

const config::Fields<S>& engine_fields() {
  static const config::Fields<S> rows = [] {
    config::Fields<S> out = {field("description", &S::description, "what it is, in a few words"),
                             field("aliases", &S::aliases, "other names")};
    for (const config::Fields<S>& part :
         {scheduling_fields(), memory_fields(), execution_fields()}) {
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }();
  return rows;
}

}  // namespace septet::serving
