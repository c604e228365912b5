#include "scenarios/config/toml/renamed.hpp"

namespace septet::config {

const std::vector<RenamedName>& renamed_names() {
  // Grouped by where they are written. One old name may have several rows: the one whose new name
  // is valid at the place applies.
  static const std::vector<RenamedName> names = {
      // Scenario files.
      {"card", "nic"},  // of [interconnect]
      {"card_latency", "nic_latency"},
      // Steps, nodes and profiles.
      {"distributor", "block_scheduler"},
      {"fill", "memset"},
      {"fill_cost", "memset_cost"},
      {"fill_in_l2", "memset_in_l2"},
      {"fill_latency", "memset_latency"},
      {"fill_launch_latency", "memset_launch_latency"},
      {"inline_fill_cost", "inline_memset_cost"},
      {"inline_fill_max", "inline_memset_max"},
      // [training] and [training.model], as Megatron-LM writes them.
      {"active_experts", "moe_router_topk"},
      {"bucket", "bucket_size"},
      {"data", "data_parallel_size"},
      {"expert", "expert_parallel_size"},
      {"experts", "num_experts"},
      {"feed_forward", "ffn_hidden_size"},
      {"heads", "num_attention_heads"},
      {"hidden", "hidden_size"},
      {"kv_heads", "num_query_groups"},
      {"layers", "num_layers"},
      {"micro_batch", "micro_batch_size"},
      {"moe_top_k", "moe_router_topk"},
      {"microbatches", "num_microbatches"},
      {"pipeline", "pipeline_parallel_size"},
      {"recompute_activations", "recompute"},
      {"sequence", "seq_length"},
      {"sharded", "zero_stage"},
      {"tensor", "tensor_parallel_size"},
      {"vocabulary", "vocab_size"},
      // Operators.
      {"images", "batch"},
      {"channels", "in_channels"},
      {"filters", "out_channels"},
      {"filter", "kernel_size"},
      {"filter_width", "kernel_width"},
      // Execution pipes.
      {"special", "sfu"},
      {"load_store", "lsu"},
      // Options.
      {"--images", "--batch"},
      {"--channels", "--in-channels"},
      {"--filters", "--out-channels"},
      {"--filter", "--kernel-size"},
      {"--filter-width", "--kernel-width"},
      {"--hardware", "--gpu"},      // of `septet replay`
      {"--turns", "--iterations"},  // of `septet bench kernels`
      {"--without-promises", "--static-lookahead"},
  };
  return names;
}

}  // namespace septet::config
