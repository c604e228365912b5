// `septet models`: the shapes of language models, their components and the memory they take.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/workload/llm/memory_budget.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/models/model_library.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;
using transformer::Model;
using transformer::NumberFormat;

struct ModelOptions {
  CommonOptions common;
  std::vector<std::string> names;
  std::string gpu = "h200-sxm";
  std::string weights;
  std::string kv;
  std::string of{text_of(llm::FractionOf::kTotal)};
  std::uint64_t tensor = 1;
  std::uint64_t pipeline = 1;
  std::uint64_t max_tokens = 8192;
  std::uint64_t max_sequences = 256;
  double fraction = 0.9;
  bool expert = false;
};

template <class Enum>
std::vector<std::string> choices() {
  const auto texts = texts_of<Enum>();
  return {texts.begin(), texts.end()};
}

bool read_options(const std::vector<std::string>& arguments, ModelOptions& target) {
  constexpr std::uint64_t kMost = 1024;
  Options options(
      {"septet models", "[NAME|FILE...] [options]",
       "Lists the known language models, or shows the named ones (a name, a TOML file, or the\n"
       "config.json of a Hugging Face repository): parameters, and memory per GPU.",
       "septet models llama-3.1-70b --gpu h100-sxm --tensor 4 --weights fp8"});
  options.positionals("NAME|FILE", target.names, 0);
  options.text("gpu", "NAME|FILE.toml", target.gpu,
               "GPU profile for the memory (default h200-sxm)");
  options.choice("weights", target.weights, choices<NumberFormat>(),
                 "format of the weights (default: that of the checkpoint)");
  options.choice("kv", target.kv, choices<NumberFormat>(),
                 "format of keys and values (default: that of activations)");
  options.count("tensor", target.tensor, "GPUs that share each layer (default 1)", 1, kMost);
  options.count("pipeline", target.pipeline, "pipeline stages (default 1)", 1, kMost);
  options.flag("expert-parallel", target.expert,
               "distribute experts over the GPUs instead of splitting them");
  options.count("max-tokens", target.max_tokens, "maximum tokens per step (default 8192)", 1,
                1U << 24);
  options.count("max-sequences", target.max_sequences, "sequences per step (default 256)", 1,
                1U << 24);
  options.number("memory-fraction", target.fraction,
                 "fraction of memory for the engine (default 0.9)", 0.01, 1);
  options.choice("fraction-of", target.of, choices<llm::FractionOf>(),
                 "meaning of the fraction: total (vLLM), static (SGLang), free (TensorRT-LLM)");
  options.common(target.common, {Common::kJson});
  return options.parse(arguments);
}

double gib(Bytes bytes) { return static_cast<double>(bytes.count()) / (1 << 30); }
double billions(double count) { return count / 1e9; }

llm::Deployment deployment_of(const ModelOptions& options, const Model& model) {
  llm::Deployment out;
  out.model = model;
  if (!options.weights.empty()) out.model.weights = *from_text<NumberFormat>(options.weights);
  if (!options.kv.empty()) out.kv = *from_text<NumberFormat>(options.kv);
  out.layout.tensor = static_cast<std::uint32_t>(options.tensor);
  out.layout.pipeline = static_cast<std::uint32_t>(options.pipeline);
  out.layout.expert = options.expert;
  llm::check(out);
  return out;
}

llm::MemoryBudget budget_of(const ModelOptions& options, const llm::Deployment& deployment,
                            Bytes memory) {
  llm::MemorySettings settings;
  settings.of = *from_text<llm::FractionOf>(options.of);
  settings.fraction = options.fraction;
  settings.max_tokens = static_cast<std::uint32_t>(options.max_tokens);
  settings.max_sequences = static_cast<std::uint32_t>(options.max_sequences);
  return llm::memory_budget(deployment, settings, memory);
}

Json shape_json(const Model& model) {
  Json out = {{"name", model.name},
              {"description", model.description},
              {"aliases", model.aliases},
              {"num_layers", model.num_layers},
              {"hidden_size", model.hidden_size},
              {"num_attention_heads", model.num_attention_heads},
              {"num_query_groups", model.groups()},
              {"kv_channels", model.head_dim()},
              {"ffn_hidden_size", model.ffn_hidden_size},
              {"vocab_size", model.vocab_size},
              {"weights", text_of(model.weights)},
              {"parameters", transformer::total_parameters(model)},
              {"active_parameters", transformer::active_parameters(model)}};
  if (model.experts.used()) {
    out["num_experts"] = model.experts.num_experts;
    out["moe_router_topk"] = model.experts.moe_router_topk;
    out["moe_ffn_hidden_size"] = model.experts.moe_ffn_hidden_size;
  }
  return out;
}

Json budget_json(const llm::MemoryBudget& budget, const llm::Deployment& deployment) {
  return {{"gpus", deployment.layout.gpus()},
          {"memory_bytes", budget.total.count()},
          {"weight_bytes", budget.weights.count()},
          {"activation_bytes", budget.activations.count()},
          {"kv_bytes", budget.kv.count()},
          {"kv_bytes_per_token", llm::kv_bytes_per_token(deployment)},
          {"kv_blocks", budget.kv_blocks},
          {"kv_tokens", budget.kv_tokens}};
}

std::string list_text(const std::vector<Model>& models, std::size_t columns) {
  TablePrinter table({{"model"},
                      {"parameters", Align::kRight},
                      {"active", Align::kRight},
                      {"layers", Align::kRight},
                      {"hidden", Align::kRight},
                      {"KV KiB/token", Align::kRight},
                      {"weights"},
                      {"what it is", Align::kLeft, true}});
  for (const Model& model : models) {
    llm::Deployment deployment;
    deployment.model = model;
    table.add_row({model.name, fmt::format("{:.4g} B", billions(total_parameters(model))),
                   fmt::format("{:.3g} B", billions(active_parameters(model))),
                   std::to_string(model.num_layers), std::to_string(model.hidden_size),
                   fmt::format("{:.4g}", llm::kv_bytes_per_token(deployment) / 1024),
                   std::string(text_of(model.weights)), model.description});
  }
  return table.text(columns);
}

std::string shape_text(const Model& model) {
  std::string out = fmt::format(
      "{}: {}\n{:.4g} billion parameters, {:.4g} active per token\n{} layers, hidden {}, {} heads "
      "of {}, {} key/value heads, feed-forward {}, vocabulary {}\n",
      model.name, model.description, billions(total_parameters(model)),
      billions(active_parameters(model)), model.num_layers, model.hidden_size,
      model.num_attention_heads, model.head_dim(), model.groups(), model.ffn_hidden_size,
      model.vocab_size);
  if (model.experts.used()) {
    out += fmt::format("{} experts of {} in {} layers, {} per token\n", model.experts.num_experts,
                       model.experts.moe_ffn_hidden_size, model.moe_layers(),
                       model.experts.moe_router_topk);
  }
  return out;
}

std::string budget_text(const llm::MemoryBudget& budget, const llm::Deployment& deployment,
                        const gpu::GpuSpec& gpu) {
  return fmt::format(
      "on each of {} x {} with {:.1f} GiB, weights {}, keys and values {}:\n"
      "  {}\n"
      "  keys and values {:.1f} GiB: {} blocks, {} tokens of {:.1f} KiB\n",
      deployment.layout.gpus(), gpu.name, gib(budget.total), text_of(deployment.model.weights),
      text_of(deployment.kv), sum_text(budget), gib(budget.kv), budget.kv_blocks, budget.kv_tokens,
      llm::kv_bytes_per_token(deployment) / 1024);
}

void show(const ModelOptions& options, const config::ModelLibrary& library) {
  const config::ProfileLibrary profiles(config::data_directories());
  const gpu::GpuSpec gpu = config::gpu_spec(
      profiles.find(config::ProfileKind::kGpu, options.gpu, {"--gpu", 0, 0, -1}, "--gpu"));
  Json all = Json::array();
  std::string text;
  for (const std::string& name : options.names) {
    const Model model = library.find(name, {}, "models");
    const llm::Deployment deployment = deployment_of(options, model);
    const llm::MemoryBudget budget =
        budget_of(options, deployment, llm::reported_memory(gpu.memory));
    Json& json = all.emplace_back(shape_json(model));
    json["memory"] = budget_json(budget, deployment);
    text += shape_text(model) + budget_text(budget, deployment, gpu);
  }
  fmt::print("{}", !options.common.json ? text
                   : all.size() == 1    ? all[0].dump(2) + "\n"
                                        : all.dump(2) + "\n");
}

void list(const ModelOptions& options, const config::ModelLibrary& library) {
  if (!options.common.json) {
    fmt::print("{}", list_text(library.all(), describe_terminal(stdout).columns));
    return;
  }
  Json all = Json::array();
  for (const Model& model : library.all()) all.push_back(shape_json(model));
  fmt::print("{}\n", all.dump(2));
}

}  // namespace

int command_models(const std::vector<std::string>& arguments) {
  ModelOptions options;
  if (!read_options(arguments, options)) return kExitOk;
  const config::ModelLibrary library(config::data_directories());
  options.names.empty() ? list(options, library) : show(options, library);
  return kExitOk;
}

}  // namespace septet::command
