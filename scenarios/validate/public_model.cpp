// Model and layout of a published serving run.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/public_serving.hpp"

namespace septet::validation {
namespace {

using Json = nlohmann::ordered_json;

const Json* value_in(const MeasuredRow& row, const char* key) {
  const auto found = row.case_->find(key);
  return found == row.case_->end() || found->is_null() ? nullptr : &*found;
}

std::uint32_t count_in(const MeasuredRow& row, const char* key, std::uint32_t otherwise) {
  const std::optional<double> value = number_in(row, key);
  return value ? std::max(1U, static_cast<std::uint32_t>(*value)) : otherwise;
}

class Shape {
 public:
  explicit Shape(const MeasuredRow& row) : row_(row) {
    const Json* shape = value_in(row, "shape");
    if (shape == nullptr) throw ConfigError(row.where(), "case.shape is missing");
    json_ = shape;
  }
  std::uint32_t need(const char* key) const {
    const std::uint32_t value = get(key);
    if (value == 0) throw ConfigError(row_.where(), fmt::format("case.shape.{} is missing", key));
    return value;
  }
  std::uint32_t get(const char* key) const {
    const auto found = json_->find(key);
    const bool whole = found != json_->end() && found->is_number_integer();
    return whole && *found > 0 ? found->get<std::uint32_t>() : 0;
  }
  bool flag(const char* key) const {
    const auto found = json_->find(key);
    return found != json_->end() && found->is_boolean() && found->get<bool>();
  }

 private:
  const MeasuredRow& row_;
  const Json* json_ = nullptr;
};

transformer::NumberFormat format_in(const MeasuredRow& row, const char* key,
                                    transformer::NumberFormat otherwise) {
  const std::string text = text_in(row, key);
  if (text.empty()) return otherwise;
  if (text == "fp4") return transformer::NumberFormat::kNvfp4;
  const auto format = from_text<transformer::NumberFormat>(text);
  if (!format) throw ModelError(fmt::format("no format {} of {}", text, key));
  return *format;
}

transformer::Experts experts_of(const Shape& shape) {
  transformer::Experts out;
  out.num_experts = shape.get("experts");
  if (!out.used()) return {};
  out.moe_router_topk = shape.need("active_experts");
  out.moe_ffn_hidden_size = shape.need("expert_feed_forward");
  out.moe_shared_expert_intermediate_size = shape.get("shared_experts") * out.moe_ffn_hidden_size;
  out.dense_layers = shape.get("dense_layers");
  return out;
}

transformer::Model model_of(const MeasuredRow& row) {
  const Shape shape(row);
  transformer::Model out;
  out.name = text_in(row, "model");
  out.num_layers = shape.need("layers");
  out.hidden_size = shape.need("hidden");
  out.num_attention_heads = shape.need("heads");
  out.num_query_groups = shape.get("kv_heads");
  out.kv_channels = shape.get("head_dim");
  out.ffn_hidden_size = shape.get("feed_forward");
  out.vocab_size = shape.need("vocabulary");
  out.gated_linear_unit = shape.flag("gated_mlp");
  out.parallel_block = !out.gated_linear_unit;  // GPT-J and Falcon
  out.qk_norm = out.name.find("Qwen3") != std::string::npos;
  out.experts = experts_of(shape);
  out.window_size = shape.get("sliding_window");
  if (out.window_size > 0) {
    out.windowed_layers = out.num_layers / std::max(1U, shape.get("sliding_every"));
  }
  if (shape.flag("mla")) {
    out.latent = {shape.get("q_lora"), shape.need("kv_lora"), shape.need("qk_nope_head"),
                  shape.need("qk_rope_head"), shape.need("v_head")};
    out.kv_channels = out.latent.qk_head_dim + out.latent.qk_pos_emb_head_dim;
  }
  out.weights = format_in(row, "weights", transformer::NumberFormat::kBf16);
  if (out.weights == transformer::NumberFormat::kMxfp4) {
    out.quantized = transformer::Quantized::kExperts;
  }
  return out;
}

}  // namespace

std::optional<double> number_in(const MeasuredRow& row, const char* key) {
  const Json* value = value_in(row, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::string text_in(const MeasuredRow& row, const char* key) {
  const Json* value = value_in(row, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool flag_in(const MeasuredRow& row, const char* key) {
  const Json* value = value_in(row, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

llm::Deployment deployment_of(const MeasuredRow& row, llm::Style style) {
  llm::Deployment out;
  out.model = model_of(row);
  out.kv = format_in(row, "kv", transformer::NumberFormat::kBf16);
  out.style = style;
  out.layout.tensor = count_in(row, "tensor", 1);
  out.layout.pipeline = count_in(row, "pipeline", 1);
  out.layout.expert = count_in(row, "expert", 1) > 1;
  if (flag_in(row, "attention_dp")) {
    out.layout.data = out.layout.tensor;
    out.layout.tensor = 1;
    out.layout.expert = out.model.experts.used();
  }
  try {
    llm::check(out);
  } catch (const ConfigError& error) {
    throw ConfigError(row.where(), error.what());
  }
  return out;
}

}  // namespace septet::validation
