// Group train_step: steps of PyTorch models on one or two GPUs of a node (source-train.py and
// source-train2.py beside the rows), simulated as published steps are.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "models/workload/training/training_memory.hpp"
#include "scenarios/training/simulated_step.hpp"
#include "scenarios/validate/public_serving.hpp"
#include "scenarios/validate/public_training.hpp"

namespace septet::validation {
namespace {

using training::TrainingSpec;

std::uint32_t whole(const MeasuredRow& row, const char* key) {
  const std::int64_t value = row.integer(key);
  if (value < 1 || value > (1LL << 24)) {
    throw ConfigError(row.where(), fmt::format("case.{} is not a size", key));
  }
  return static_cast<std::uint32_t>(value);
}

// Of the measuring program's models, by name: source-train.py beside the rows.
transformer::Model named_model(const MeasuredRow& row) {
  struct Shape {
    std::string_view name;
    std::uint32_t layers, hidden, heads, kv_heads, dim, feed_forward, vocabulary;
    bool llama;  // gated, with rotary positions; others are of GPT-2's kind
  };
  constexpr std::array kShapes = {
      Shape{"gpt2-small", 12, 768, 12, 12, 64, 3072, 50304, false},
      Shape{"gpt2-medium", 24, 1024, 16, 16, 64, 4096, 50304, false},
      Shape{"llama-1b", 16, 2048, 32, 8, 64, 8192, 128256, true},
      Shape{"llama-8b-8-layers", 8, 4096, 32, 8, 128, 14336, 128256, true},
      Shape{"qwen-3b-12-layers", 12, 2048, 16, 2, 128, 11008, 151936, true},
      Shape{"llama-300m", 20, 1024, 16, 16, 64, 2816, 32000, true}};
  const std::string name = row.text("model");
  const auto found = std::ranges::find(kShapes, name, &Shape::name);
  if (found == kShapes.end()) throw ConfigError(row.where(), "no model " + name);
  transformer::Model out;
  out.name = name;
  out.num_layers = found->layers;
  out.hidden_size = found->hidden;
  out.num_attention_heads = found->heads;
  out.num_query_groups = found->kv_heads;
  out.kv_channels = found->dim;
  out.ffn_hidden_size = found->feed_forward;
  out.vocab_size = found->vocabulary;
  out.gated_linear_unit = found->llama;
  out.learned_positions = !found->llama;
  return out;
}

transformer::Model model_of(const MeasuredRow& row) {
  if (!row.has("layers")) return named_model(row);
  transformer::Model out;
  out.name = row.text("model");
  out.num_layers = whole(row, "layers");
  out.hidden_size = whole(row, "hidden");
  out.num_attention_heads = whole(row, "heads");
  out.num_query_groups = whole(row, "kv_heads");
  out.kv_channels = whole(row, "dim");
  out.ffn_hidden_size = whole(row, "feed_forward");
  out.vocab_size = whole(row, "vocabulary");
  out.gated_linear_unit = row.flag("gated");
  out.learned_positions = row.text("positions") == "learned";
  return out;
}

training::Style style_of(const MeasuredRow& row) {
  training::Style out;
  out.framework = text_in(row, "mode") == "compile" ? training::Framework::kTorchCompile
                                                    : training::Framework::kPyTorch;
  out.states =
      row.text("precision") == "amp" ? training::States::kAutocast : training::States::kHalf;
  return out;
}

TrainingSpec spec_of(const MeasuredRow& row) {
  constexpr double kMega = 1024 * 1024;  // of DistributedDataParallel's bucket_cap_mb
  TrainingSpec out;
  out.model = model_of(row);
  out.style = style_of(row);
  out.seq_length = whole(row, "sequence");
  out.micro_batch_size = whole(row, "micro_batch");
  out.num_microbatches = row.has("accumulate") ? whole(row, "accumulate") : 1;
  if (row.text("recompute") == "full") {
    out.recompute.granularity = training::Granularity::kFull;
  }
  const std::string style = text_in(row, "style");
  if (style == "ddp" || style == "fsdp2") out.data_parallel_size = whole(row, "gpus");
  if (style == "fsdp2") out.zero_stage = 3;
  if (const auto bucket = number_in(row, "bucket_mb")) {
    out.bucket_size = Bytes(static_cast<std::int64_t>(*bucket * kMega));
  }
  return out;
}

std::optional<double> time_of(const std::string& metric, const training::StepTime& step) {
  if (metric == "step_wall") return to_us(step.total);
  if (metric == "forward_device") return to_us(step.forward);
  if (metric == "backward_device") return to_us(step.backward);
  if (metric == "optimizer_device") return to_us(step.optimizer);
  return std::nullopt;
}

Prediction predict_step(const MeasuredRow& row, const system::SystemSpec& system) {
  const TrainingSpec spec = spec_of(row);
  if (row.metric == "peak_memory") {
    return {static_cast<double>(training::largest_memory(spec).allocated().count()), "memory"};
  }
  const training::SimulatedStep step = training::simulate_step(spec, system);
  const std::optional<double> time = time_of(row.metric, step.time);
  if (!time) return unsupported("no metric " + row.metric);
  return {time, where_it_goes(step.time)};
}

}  // namespace

training::StepTime named_training_step(const MeasuredRow& row, const system::SystemSpec& system) {
  return training::simulate_step(spec_of(row), system).time;
}

std::vector<CaseKind> train_step_cases() { return {{"train_step", "train_step", predict_step}}; }

}  // namespace septet::validation
