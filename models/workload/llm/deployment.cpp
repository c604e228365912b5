#include "models/workload/llm/deployment.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::llm {
namespace {

[[noreturn]] void fail(const char* key, std::uint32_t got, const std::string& wanted) {
  throw ConfigError::value({}, fmt::format("layout.{}", key), std::to_string(got), wanted);
}

}  // namespace

void check(const Deployment& deployment) {
  const transformer::Model& model = deployment.model;
  const Layout& layout = deployment.layout;
  transformer::check(model);
  if (layout.tensor == 0 || model.num_attention_heads % layout.tensor != 0) {
    fail("tensor", layout.tensor,
         fmt::format("a divisor of the {} attention heads", model.num_attention_heads));
  }
  if (layout.pipeline == 0 || layout.pipeline > model.num_layers) {
    fail("pipeline", layout.pipeline, fmt::format("from 1 to the {} layers", model.num_layers));
  }
  if (layout.data == 0) fail("data", 0, "at least 1");
  if (layout.expert && model.experts.num_experts < layout.expert_gpus()) {
    fail("expert", layout.expert_gpus(),
         fmt::format("tensor * data of at most the {} experts", model.experts.num_experts));
  }
}

}  // namespace septet::llm
