// Operations a cycle that one SM reaches in the main loop of a large tile.
#pragma once

#include "models/gpu/operators/operator_spec.hpp"
#include "models/program/data_type.hpp"

namespace septet::gpu {

// Operations a cycle that it can't exceed. Throws ModelError where the GPU has no matrix
// instructions of the type.
double peak_rate(const TensorSpec& spec, program::DataType type);
// What the main loop of a large tile reaches of it.
double tensor_rate(const TensorSpec& spec, program::DataType type);

}  // namespace septet::gpu
