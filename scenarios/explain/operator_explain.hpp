// Where the time of an operator goes. Operators whose kernel is described by its instructions are
// explained as any kernel; those of tiles (products, attention) have their time divided among the
// stages by its elasticities in the numbers of the hardware (elasticity.hpp).
//
// Advice: the operator asked again with another state or shape. Several calls in one count by the
// call: they share what does not grow with them, weights above all.
#pragma once

#include "models/host/host_spec.hpp"
#include "scenarios/explain/explain.hpp"
#include "scenarios/explain/operator_help.hpp"

namespace septet::explain {

// Throws as operator_answer does.
Explanation explain_operator(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                             const config::WrittenOperator& op);

}  // namespace septet::explain
