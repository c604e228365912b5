// Advice about an operator: the same operator, asked again with another state or shape.
#pragma once

#include <vector>

#include "scenarios/explain/advice.hpp"
#include "scenarios/explain/operator_help.hpp"

namespace septet::explain {

// Changes that gain more than 1 %, in no order. `submission` and `now`: of the operator as it is.
std::vector<Advice> operator_advice(const gpu::GpuSpec& gpu, const config::WrittenOperator& op,
                                    Duration submission, Duration now);

}  // namespace septet::explain
