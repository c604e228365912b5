// Operations a cycle that one SM reaches in the main loop of a large tile.
#pragma once

#include "models/gpu/operators/operator_spec.hpp"
#include "models/program/data_type.hpp"

namespace septet::gpu {

// Throws ModelError where the GPU has no matrix instructions of the type.
double tensor_rate(const TensorSpec& spec, program::DataType type);

}  // namespace septet::gpu
