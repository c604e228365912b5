#include "scenarios/validate/public_training.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/public_serving.hpp"

namespace septet::validation {
namespace {

using training::Framework;
using training::Granularity;
using training::Precision;

std::uint32_t count(const MeasuredRow& row, const char* key, std::uint32_t otherwise) {
  const std::optional<double> value = number_in(row, key);
  return value ? static_cast<std::uint32_t>(*value) : otherwise;
}

std::uint32_t need(const MeasuredRow& row, const char* key) {
  const std::uint32_t value = count(row, key, 0);
  if (value == 0) throw ConfigError(row.where(), fmt::format("case.{} is missing", key));
  return value;
}

// Of a flag that is absent.
bool flag_or(const MeasuredRow& row, const char* key, bool otherwise) {
  const auto found = row.case_->find(key);
  return found != row.case_->end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

// What a framework is built on.
constexpr std::array<std::pair<const char*, Framework>, 13> kFrameworks = {
    {{"llm-foundry", Framework::kComposer},
     {"MaxText", Framework::kXla},
     {"JAX", Framework::kXla},
     {"Megatron-LM", Framework::kMegatron},
     {"Megatron-DeepSpeed", Framework::kMegatron},
     {"DeepSpeed", Framework::kMegatron},
     {"GPT-NeoX", Framework::kMegatron},
     {"torchtitan", Framework::kTorchCompile},
     {"fms", Framework::kTorchCompile},
     {"PyTorch", Framework::kTorchCompile},
     {"FSDP", Framework::kTorchCompile},
     {"nanotron", Framework::kTorchCompile},
     {"xformers", Framework::kTorchCompile}}};

// NeMo, Megatron Bridge, Megatron-Core and what isn't known use Transformer Engine.
Framework framework_of(const MeasuredRow& row) {
  const std::string name = text_in(row, "framework");
  const auto found = std::ranges::find_if(
      kFrameworks, [&](const auto& one) { return name.starts_with(one.first); });
  if (found == kFrameworks.end()) return Framework::kTransformerEngine;
  const bool eager = found->second == Framework::kTorchCompile && !flag_or(row, "compile", true);
  return eager ? Framework::kPyTorch : found->second;
}

Precision precision_of(const MeasuredRow& row) {
  const std::string text = text_in(row, "precision");
  if (text.starts_with("fp8-subchannel")) return Precision::kFp8Blockwise;
  const auto precision = from_text<Precision>(text);
  if (!precision) throw ModelError(fmt::format("no precision {}", text));
  return *precision;
}

transformer::Experts experts_of(const MeasuredRow& row) {
  transformer::Experts out;
  out.num_experts = count(row, "experts", 0);
  if (!out.used()) return {};
  out.moe_router_topk = need(row, "active_experts");
  out.moe_ffn_hidden_size = need(row, "expert_feed_forward");
  out.moe_shared_expert_intermediate_size =
      count(row, "shared_experts", 0) * count(row, "shared_feed_forward", 0);
  out.dense_layers = count(row, "dense_layers", 0);
  return out;
}

transformer::Model model_of(const MeasuredRow& row) {
  transformer::Model out;
  out.name = text_in(row, "model");
  out.num_layers = need(row, "layers");
  out.hidden_size = need(row, "hidden");
  out.num_attention_heads = need(row, "heads");
  out.num_query_groups = count(row, "kv_heads", 0);
  out.kv_channels = count(row, "head_dim", 0);
  out.ffn_hidden_size = count(row, "feed_forward", 0);
  out.vocab_size = need(row, "vocabulary");
  out.gated_linear_unit = flag_in(row, "gated_mlp");
  out.tied_embeddings = flag_in(row, "tied_embeddings");
  out.learned_positions = flag_in(row, "learned_positions") || flag_in(row, "alibi");
  out.qk_norm = out.name.starts_with("qwen3");
  out.mtp_layers = count(row, "mtp_layers", 0);
  out.experts = experts_of(row);
  out.window_size = count(row, "sliding_window", 0);
  if (out.window_size > 0) {
    out.windowed_layers = out.num_layers / std::max(1U, count(row, "sliding_every", 1));
  }
  if (flag_in(row, "mla")) {
    out.latent = {count(row, "q_lora", 0), need(row, "kv_lora"), need(row, "qk_nope_head"),
                  need(row, "qk_rope_head"), need(row, "v_head")};
    out.kv_channels = out.latent.qk_head_dim + out.latent.qk_pos_emb_head_dim;
  }
  return out;
}

training::Recomputation recomputation_of(const MeasuredRow& row) {
  training::Recomputation out;
  const std::string text = text_in(row, "recompute");
  if (text == "full") out.granularity = Granularity::kFull;
  if (text == "partial") {
    out.granularity = Granularity::kFull;
    out.layers = count(row, "recompute_layers", 0);
  }
  if (text != "selective") return out;
  out.granularity = Granularity::kSelective;
  const auto found = row.case_->find("recompute_modules");
  const std::string modules = found == row.case_->end() ? "core_attn" : found->dump();
  const auto names = [&](const char* what) { return modules.find(what) != std::string::npos; };
  out.attention = names("core_att");
  out.up_projection = names("mla_up_proj");
  out.mlp = names("\"mlp\"") || names("except_mlp");
  out.activation = names("norm") || names("moe_act");
  return out;
}

bool bridge(const MeasuredRow& row) {
  return text_in(row, "framework").starts_with("Megatron Bridge");
}

training::Style style_of(const MeasuredRow& row) {
  training::Style out;
  out.framework = framework_of(row);
  out.precision = precision_of(row);
  const bool modern = out.framework != Framework::kMegatron;
  out.reduce_in_fp32 = text_in(row, "grad_reduce") == "fp32";
  out.flash_attention = flag_or(row, "flash_attention", modern);
  out.attention_dropout = !modern;
  out.grouped_gemm = flag_or(row, "grouped_gemm", true);
  out.tensor_overlap =
      flag_or(row, "tp_comm_overlap", out.framework == Framework::kTransformerEngine);
  out.reduce_overlap = modern;
  out.gather_overlap = modern;
  // tr11's chronicles: launches were blocking in the large jobs, which hung otherwise.
  out.synchronous = text_in(row, "framework") == "Megatron-DeepSpeed" && need(row, "gpus") >= 256;
  out.expert_overlap = flag_in(row, "overlap_1f1b_alltoall");
  // Megatron Bridge dispatches tokens by DeepEP, or HybridEP on NVLink domains (its recipes'
  // moe_flex_dispatcher_backend).
  const std::string dispatch = text_in(row, "moe_dispatch");
  out.fused_dispatch = dispatch == "DeepEP" || (dispatch.empty() && bridge(row));
  const std::string graph = text_in(row, "cuda_graph");
  if (graph.find("transformer_engine") == 0) out.graphs = training::Graphs::kLayers;
  if (graph.find("full_iteration") != std::string::npos) out.graphs = training::Graphs::kStep;
  if (flag_in(row, "cuda_graph")) out.graphs = training::Graphs::kLayers;
  return out;
}

// NeMo and its successors spread the optimizer's states; Megatron-LM of 2021 does not.
std::uint32_t zero_stage_of(const MeasuredRow& row, Framework framework) {
  if (const auto stage = number_in(row, "zero_stage")) return static_cast<std::uint32_t>(*stage);
  if (text_in(row, "fsdp_style") == "zero2") return 2;
  if (number_in(row, "fsdp").value_or(0) > 0) return 3;
  return framework == Framework::kMegatron ? 0 : 1;
}

}  // namespace

training::TrainingSpec training_of(const MeasuredRow& row) {
  training::TrainingSpec out;
  out.model = model_of(row);
  out.style = style_of(row);
  out.recompute = recomputation_of(row);
  out.seq_length = need(row, "sequence");
  out.micro_batch_size = std::max(1U, count(row, "micro_batch", 1));
  out.tensor_parallel_size = count(row, "tensor", 1);
  out.pipeline_parallel_size = count(row, "pipeline", 1);
  out.virtual_pipeline_size =
      out.pipeline_parallel_size == 1 ? 1 : count(row, "virtual_pipeline", 1);
  out.context_parallel_size = count(row, "context", 1);
  out.expert_parallel_size = count(row, "expert", 1);
  out.expert_tensor_parallel_size = count(row, "expert_tensor", 1);
  out.zero_stage = zero_stage_of(row, out.style.framework);
  out.offload_layers = count(row, "activation_offload_layers", 0);
  out.sequence_parallel =
      out.tensor_parallel_size > 1 &&
      flag_or(row, "sequence_parallel", out.style.framework == Framework::kTransformerEngine);
  const bool torch = out.style.framework != Framework::kMegatron &&
                     out.style.framework != Framework::kTransformerEngine;
  if (torch && out.zero_stage >= 2) out.style.states = training::States::kAutocast;
  out.data_parallel_size = std::max(1U, need(row, "gpus") / out.replica());
  out.shard_size = count(row, "fsdp_group", 0);
  if (out.shard_size > out.same_parameters()) out.shard_size = 0;
  const double batches = static_cast<double>(need(row, "global_batch")) /
                         (out.micro_batch_size * out.data_parallel_size);
  out.num_microbatches = std::max(1U, static_cast<std::uint32_t>(std::llround(batches)));
  out.bucket_size = Bytes(200'000'000);
  return out;
}

system::SystemSpec training_system(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kBytesPerGbit = 1e9 / 8;
  system::SystemSpec out = system;
  const std::string gpu = text_in(row, "gpu");
  const double usual = gpu.starts_with("a100") ? 200 : gpu.starts_with("gb300") ? 800 : 400;
  out.network.nic =
      ByteRate(kBytesPerGbit * number_in(row, "network_gbps_per_gpu").value_or(usual));
  out.network.gpus_per_node = count(row, "nvlink_domain", count(row, "gpus_per_node", 8));
  return out;
}

}  // namespace septet::validation
