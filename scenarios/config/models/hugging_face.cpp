#include "scenarios/config/models/hugging_face.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace septet::config {
namespace {

using Json = nlohmann::json;
using Names = std::initializer_list<const char*>;  // of one thing in different architectures

class ConfigJson {
 public:
  ConfigJson(Json json, std::string file) : json_(std::move(json)), file_(std::move(file)) {
    // Models of text and pictures keep the language model apart.
    for (const char* part : {"text_config", "llm_config"}) {
      if (json_.contains(part) && json_[part].is_object()) {
        Json inner = json_[part];
        for (const auto& [key, value] : json_.items()) {
          if (!inner.contains(key)) inner[key] = value;
        }
        json_ = std::move(inner);
      }
    }
  }

  std::uint32_t need(Names names) const {
    if (const auto value = number(names)) return *value;
    throw ConfigError({file_, 0, 0, -1}, std::string(*names.begin()) + " is missing");
  }
  std::uint32_t get(Names names, std::uint32_t otherwise = 0) const {
    return number(names).value_or(otherwise);
  }
  bool flag(const char* name, bool otherwise = false) const {
    const Json* value = find({name});
    return value != nullptr && value->is_boolean() ? value->get<bool>() : otherwise;
  }
  std::string text(const char* name) const {
    const Json* value = find({name});
    return value != nullptr && value->is_string() ? value->get<std::string>() : "";
  }
  const Json* find(Names names) const {
    for (const char* name : names) {
      const auto found = json_.find(name);
      if (found != json_.end() && !found->is_null()) return &*found;
    }
    return nullptr;
  }

 private:
  std::optional<std::uint32_t> number(Names names) const {
    constexpr std::int64_t kMost = 1 << 24;
    const Json* value = find(names);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number_integer() || value->get<std::int64_t>() < 0 ||
        value->get<std::int64_t>() > kMost) {
      throw ConfigError::value({file_, 0, 0, -1}, *names.begin(), value->dump(),
                               "a whole number up to 16777216");
    }
    return static_cast<std::uint32_t>(value->get<std::int64_t>());
  }

  Json json_;
  std::string file_;
};

// Architectures whose files leave out what their code fixes.
struct Habit {
  bool gated = true;
  bool tied = false;
  bool learned_positions = false;
  bool parallel = false;
  bool qk_norm = false;
};

Habit habit_of(const std::string& type) {
  static const std::map<std::string, Habit> kHabits = {
      {"gpt2", {.gated = false, .tied = true, .learned_positions = true}},
      {"gptj", {.gated = false, .parallel = true}},
      {"gpt_neox", {.gated = false, .parallel = true}},
      {"opt", {.gated = false, .tied = true, .learned_positions = true}},
      {"falcon", {.gated = false, .tied = true, .parallel = true}},
      {"qwen3", {.qk_norm = true}},
      {"qwen3_moe", {.qk_norm = true}},
  };
  const auto found = kHabits.find(type);
  return found == kHabits.end() ? Habit{} : found->second;
}

std::uint32_t groups_of(const ConfigJson& json) {
  // Falcon's first models share one head of keys and values and say a number that isn't used.
  if (json.flag("multi_query") && !json.flag("new_decoder_architecture")) return 1;
  return json.get({"num_key_value_heads", "num_kv_heads", "n_head_kv"});
}

transformer::LatentAttention latent_of(const ConfigJson& json) {
  transformer::LatentAttention out;
  out.kv_lora_rank = json.get({"kv_lora_rank"});
  if (!out.used()) return {};
  out.q_lora_rank = json.get({"q_lora_rank"});
  out.qk_head_dim = json.need({"qk_nope_head_dim"});
  out.qk_pos_emb_head_dim = json.need({"qk_rope_head_dim"});
  out.v_head_dim = json.need({"v_head_dim"});
  return out;
}

transformer::Experts experts_of(const ConfigJson& json) {
  transformer::Experts out;
  out.num_experts = json.get({"num_local_experts", "num_experts", "n_routed_experts"});
  if (!out.used()) return {};
  out.moe_router_topk = json.need({"num_experts_per_tok", "experts_per_token", "moe_topk"});
  out.moe_ffn_hidden_size = json.need({"moe_intermediate_size", "intermediate_size"});
  const std::uint32_t shared = json.get({"n_shared_experts", "num_shared_experts"});
  out.moe_shared_expert_intermediate_size =
      json.get({"shared_expert_intermediate_size"}, shared * out.moe_ffn_hidden_size);
  out.dense_layers = json.get({"first_k_dense_replace"});
  return out;
}

// Every other layer of a mixture may be dense.
void spread_experts(const ConfigJson& json, transformer::Model& model) {
  const std::uint32_t step = json.get({"interleave_moe_layer_step", "decoder_sparse_step"}, 1);
  if (step > 1) model.experts.dense_layers += model.num_layers - model.num_layers / step;
}

void read_window(const ConfigJson& json, transformer::Model& model) {
  const Json* size = json.find({"sliding_window", "attention_chunk_size"});
  const bool off = json.find({"use_sliding_window"}) != nullptr && !json.flag("use_sliding_window");
  if (size == nullptr || !size->is_number_unsigned() || off) return;
  model.window_size = size->get<std::uint32_t>();
  model.windowed_layers = model.num_layers;
  if (const Json* types = json.find({"layer_types"}); types != nullptr && types->is_array()) {
    model.windowed_layers = static_cast<std::uint32_t>(std::count_if(
        types->begin(), types->end(), [](const Json& type) { return type != "full_attention"; }));
  }
}

transformer::NumberFormat quantized_format(const Json& quantization) {
  using enum transformer::NumberFormat;
  const std::string text = quantization.dump();
  const auto says = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (says("mxfp4")) return kMxfp4;
  if (says("NVFP4") || says("nvfp4")) return kNvfp4;
  if (says("fp8") || says("FP8")) return kFp8;
  if (says("awq") || says("gptq") || says("\"num_bits\":4") || says("\"bits\":4")) return kInt4;
  return says("int8") || says("\"num_bits\":8") || says("\"bits\":8") ? kInt8 : kBf16;
}

void read_weights(const ConfigJson& json, transformer::Model& model) {
  const std::string type = json.text("torch_dtype") + json.text("dtype");
  if (type.find("float16") == 0) model.weights = transformer::NumberFormat::kFp16;
  if (type.find("float32") == 0) model.weights = transformer::NumberFormat::kFp32;
  if (const Json* quantization = json.find({"quantization_config"})) {
    model.weights = quantized_format(*quantization);
    // gpt-oss keeps all but its experts in sixteen bits.
    if (model.weights == transformer::NumberFormat::kMxfp4) {
      model.quantized = transformer::Quantized::kExperts;
    }
  }
}

transformer::Model model_of(const ConfigJson& json) {
  const Habit habit = habit_of(json.text("model_type"));
  transformer::Model out;
  out.num_layers = json.need({"num_hidden_layers", "n_layer", "num_layers"});
  out.hidden_size = json.need({"hidden_size", "n_embd", "d_model"});
  out.num_attention_heads = json.need({"num_attention_heads", "n_head"});
  out.num_query_groups = groups_of(json);
  out.kv_channels = json.get({"head_dim"});
  out.vocab_size = json.need({"vocab_size"});
  out.max_position_embeddings = json.get({"max_position_embeddings", "n_positions"});
  out.experts = experts_of(json);
  spread_experts(json, out);
  out.latent = latent_of(json);
  if (out.latent.used()) out.kv_channels = out.latent.qk_head_dim + out.latent.qk_pos_emb_head_dim;
  out.ffn_hidden_size = json.get(
      {"intermediate_size_mlp", "intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim"});
  if (out.ffn_hidden_size == 0) out.ffn_hidden_size = 4 * out.hidden_size;
  out.gated_linear_unit = habit.gated;
  out.tied_embeddings = json.flag("tie_word_embeddings", habit.tied);
  out.learned_positions = habit.learned_positions;
  out.parallel_block = habit.parallel;
  out.qk_norm = json.flag("use_qk_norm", habit.qk_norm);
  out.mtp_layers = json.get({"num_nextn_predict_layers"});
  read_window(json, out);
  read_weights(json, out);
  return out;
}

}  // namespace

transformer::Model read_hugging_face(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw ConfigError({file.string(), 0, 0, -1}, "can't be read");
  Json json;
  try {
    json = Json::parse(in);
  } catch (const Json::parse_error& error) {
    throw ConfigError({file.string(), 0, 0, static_cast<std::int64_t>(error.byte)}, "is no JSON");
  }
  if (!json.is_object()) throw ConfigError({file.string(), 0, 0, -1}, "is no JSON object");
  transformer::Model out = model_of(ConfigJson(std::move(json), file.string()));
  const bool named = file.filename() == "config.json" && file.has_parent_path();
  out.name = named ? file.parent_path().filename().string() : file.stem().string();
  out.description = "from " + file.filename().string();
  try {
    transformer::check(out);
  } catch (const ConfigError& error) {
    throw ConfigError({file.string(), 0, 0, -1}, error.what());
  }
  return out;
}

}  // namespace septet::config
