// How far an operator's shape is from those that were measured, and how far the model is off there.
//
// The space of shapes: each field by its logarithm, since what matters is how many times larger a
// size is; a row of another type, or with another flag, is no neighbour. The rows are those that
// tools/operator_errors.py wrote (data/fit/operator_errors.jsonl).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/program/operators/operator_kinds.hpp"

namespace septet::explain {

struct MeasuredShape {
  std::string op;  // as rows call it
  std::string type;
  std::vector<std::pair<std::string, double>> fields;
  double error_pct = 0;
};

struct Neighbours {
  MeasuredShape nearest;
  std::string field;     // in which the nearest row is farthest
  double factor = 1;     // how many times, there
  std::size_t rows = 0;  // of the nearest ones, whose errors these are
  double median_pct = 0;
  double largest_pct = 0;
};

// Throws ConfigError for a line that is not such a row; none where there is no file.
std::vector<MeasuredShape> read_measured_shapes(const std::filesystem::path& file);

// Nothing where no row is of the operator, type and flags.
std::optional<Neighbours> neighbours_of(const std::vector<MeasuredShape>& rows,
                                        const program::OperatorKind& kind,
                                        const program::Operator& what);

// "the nearest of the measured rows (m 16, n 4096, k 4096) is 8 times away in m; the model is off
// by 6 % (median) and 15 % (max) in the 8 nearest".
std::string sentence_of(const Neighbours& neighbours);

}  // namespace septet::explain
