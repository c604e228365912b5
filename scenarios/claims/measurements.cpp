#include "scenarios/claims/measurements.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/toml/value_json.hpp"
#include "scenarios/validate/row_check.hpp"

namespace septet::claims {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Measurements are found in the data directories, wherever the claim file is.
bool leaves_folder(const fs::path& file) {
  return file.is_absolute() || *file.lexically_normal().begin() == "..";
}

bool selects(const Json& keys, const std::string& metric, const validation::MeasuredRow& row) {
  if (!metric.empty() && row.metric != metric) return false;
  return std::all_of(keys.items().begin(), keys.items().end(), [&](const auto& entry) {
    return row.has(entry.key()) && row.case_->at(entry.key()) == entry.value();
  });
}

// Claims rest on these rows: none may be wrong.
std::vector<validation::MeasuredRow> rows_of(const fs::path& path) {
  std::vector<validation::MeasuredRow> rows = validation::read_measurements(path);
  for (const validation::MeasuredRow& row : rows) {
    if (row.mistake) throw ConfigError(row.where(), *row.mistake);
  }
  return rows;
}

}  // namespace

const std::vector<validation::MeasuredRow>& Measurements::rows(const PartText& part,
                                                               const std::string& file) {
  const auto known = files_.find(file);
  if (known != files_.end()) return known->second;
  for (const fs::path& directory : directories_) {
    if (leaves_folder(file)) break;
    const fs::path path = directory / "measurements" / file;
    if (fs::exists(path)) return files_.emplace(file, rows_of(path)).first->second;
  }
  part.place.fail(part.place.has("rows") ? "rows" : "reports", "\"" + file + "\"",
                  "a file in measurements/ of the data directories");
}

const validation::MeasuredRow& Measurements::row(const PartText& part) {
  const std::vector<validation::MeasuredRow>& all = rows(part, part.rows);
  const Json keys = json_of(part.case_.table);
  const validation::MeasuredRow* found = nullptr;
  std::size_t matches = 0;
  for (const validation::MeasuredRow& row : all) {
    if (!selects(keys, part.metric, row)) continue;
    ++matches;
    found = &row;
  }
  if (matches != 1) {
    part.place.fail("case", fmt::format("{} rows of {} with these keys", matches, part.rows),
                    "exactly one");
  }
  return *found;
}

validation::MeasuredRow unmeasured_row(const PartText& part) {
  validation::MeasuredRow out;
  out.file = part.place.where().file;
  out.line = part.place.where().line;
  out.group = part.group;
  out.metric = part.metric;
  // Numbers as a file of rows has them.
  out.case_ = validation::case_of(Json::parse(json_of(part.case_.table).dump()));
  check_case(out);
  return out;
}

}  // namespace septet::claims
