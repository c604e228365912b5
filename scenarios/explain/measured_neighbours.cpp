#include "scenarios/explain/measured_neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace septet::explain {
namespace {

MeasuredShape shape_of(const nlohmann::ordered_json& row) {
  MeasuredShape out;
  out.op = row.at("op").get<std::string>();
  out.type = row.at("dtype").get<std::string>();
  out.error_pct = row.at("error_pct").get<double>();
  for (const auto& [key, value] : row.at("shape").items()) {
    out.fields.emplace_back(key, value.get<double>());
  }
  return out;
}

struct Distance {
  double sum = 0;      // of octaves, over the fields
  double octaves = 0;  // in the field where it is largest
  std::string field{};
};

// Nothing for a row that is no neighbour.
std::optional<Distance> distance_to(const MeasuredShape& row, const program::OperatorKind& kind,
                                    const program::Operator& what) {
  const auto& names = kind.measured.names;
  if (std::ranges::find(names, row.op) == names.end()) return std::nullopt;
  if (row.type != text_of(type_of(what))) return std::nullopt;
  Distance out;
  for (const auto& [key, value] : row.fields) {
    const program::ShapeField* field = kind.field(key);
    if (field == nullptr) continue;
    const double asked = field->get(what);
    if (field->flag && asked != value) return std::nullopt;
    const double octaves = std::abs(std::log2(std::max(1.0, asked) / std::max(1.0, value)));
    out.sum += octaves;
    if (octaves > out.octaves) {
      out.octaves = octaves;
      out.field = key;
    }
  }
  return out;
}

}  // namespace

std::vector<MeasuredShape> read_measured_shapes(const std::filesystem::path& file) {
  std::vector<MeasuredShape> out;
  std::ifstream in(file);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      out.push_back(shape_of(nlohmann::ordered_json::parse(line)));
    } catch (const nlohmann::json::exception& problem) {
      throw ConfigError::value({file.string(), number}, "", problem.what(),
                               "op, dtype, shape and error_pct");
    }
  }
  return out;
}

std::optional<Neighbours> neighbours_of(const std::vector<MeasuredShape>& rows,
                                        const program::OperatorKind& kind,
                                        const program::Operator& what) {
  constexpr std::size_t kRows = 8;
  std::vector<std::pair<Distance, const MeasuredShape*>> near;
  for (const MeasuredShape& row : rows) {
    if (auto distance = distance_to(row, kind, what)) near.emplace_back(*distance, &row);
  }
  if (near.empty()) return std::nullopt;
  std::ranges::stable_sort(near, {}, [](const auto& one) { return one.first.sum; });
  near.resize(std::min(near.size(), kRows));
  std::vector<double> errors;
  for (const auto& [distance, row] : near) errors.push_back(std::abs(row->error_pct));
  std::ranges::sort(errors);
  Neighbours out;
  out.nearest = *near.front().second;
  out.field = near.front().first.field;
  out.factor = std::exp2(near.front().first.octaves);
  out.rows = near.size();
  out.median_pct = errors[errors.size() / 2];
  out.largest_pct = errors.back();
  return out;
}

std::string sentence_of(const Neighbours& n) {
  std::string shape;
  for (const auto& [key, value] : n.nearest.fields) {
    shape += fmt::format("{}{} {:.6g}", shape.empty() ? "" : ", ", key, value);
  }
  return fmt::format(
      "the nearest of the measured rows ({}) is {:.3g} times away in {}; the model is off by "
      "{:.2g} "
      "% (median) and {:.2g} % (max) in the {} nearest",
      shape, n.factor, n.field, n.median_pct, n.largest_pct, n.rows);
}

}  // namespace septet::explain
