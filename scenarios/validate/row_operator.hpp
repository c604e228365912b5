// The operator of a measured row, read as any operator is written
// (scenarios/config/kernels/operator_text.hpp).
#pragma once

#include "models/program/operators/operator_kinds.hpp"
#include "scenarios/validate/measurement.hpp"

namespace septet::validation {

// Of the keys of the case that this kind of operator has; others say how it was measured. Throws
// ConfigError naming file, line and key.
program::Operator operator_of(const MeasuredRow& row, const program::OperatorKind& kind);

// Of a load, whose rows leave out what its program always has: written as a user asks for it.
program::Operator load_of(const MeasuredRow& row, const program::OperatorKind& kind);

}  // namespace septet::validation
