// The fields of a model: what its file in data/models and a table [model] of a scenario may say.
#pragma once

#include "models/workload/transformer/model.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet::config {

const Fields<transformer::Model>& model_fields();
const Fields<transformer::Experts>& expert_fields();
const Fields<transformer::LatentAttention>& latent_fields();

}  // namespace septet::config
