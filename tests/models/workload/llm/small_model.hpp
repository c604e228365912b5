// A model that is counted by hand.
#pragma once

#include "models/workload/llm/deployment.hpp"

namespace septet::testing {

inline llm::Deployment small_deployment() {
  llm::Deployment out;
  out.model.name = "small";
  out.model.num_layers = 4;
  out.model.hidden_size = 512;
  out.model.num_attention_heads = 8;
  out.model.num_query_groups = 4;
  out.model.kv_channels = 64;
  out.model.ffn_hidden_size = 1024;
  out.model.vocab_size = 2048;
  return out;
}

}  // namespace septet::testing
