#include "scenarios/validate/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/row_check.hpp"

namespace septet::validation {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostNumber = 1e18;
constexpr double kMostMicroseconds = 1e12;  // 12 days; Duration holds 106

const Json& member(const MeasuredRow& row, const Json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw ConfigError(row.where(), fmt::format("key '{}' is missing", key));
  }
  return *found;
}

[[noreturn]] void wrong(const MeasuredRow& row, const std::string& key, const Json& got,
                        const char* wanted) {
  throw ConfigError::value(row.where(), key, got.dump().substr(0, 60), wanted);
}

std::string text_of(const MeasuredRow& row, const Json& object, const std::string& key) {
  const Json& value = member(row, object, key);
  if (!value.is_string()) wrong(row, key, value, "a string");
  return value.get<std::string>();
}

// Notices a key that one object has twice, of which the parser would keep the last.
class DuplicateKeys {
 public:
  Json::parser_callback_t callback() {
    return [this](int, Json::parse_event_t event, Json& parsed) {
      if (event == Json::parse_event_t::object_start) open_.emplace_back();
      if (event == Json::parse_event_t::object_end) open_.pop_back();
      if (event == Json::parse_event_t::key) see(parsed.get<std::string>());
      return true;
    };
  }
  const std::optional<std::string>& found() const { return found_; }

 private:
  void see(const std::string& key) {
    if (!open_.back().insert(key).second && !found_) found_ = key;
  }

  std::vector<std::set<std::string>> open_;  // keys of the objects that are being read
  std::optional<std::string> found_;
};

// What an object says of its row. Throws ConfigError where it is none that was measured.
void read_object(const Json& object, MeasuredRow& row) {
  row.group = text_of(row, object, "group");
  row.metric = text_of(row, object, "metric");
  row.case_ = case_of(member(row, object, "case"));
  if (!row.case_->is_object()) wrong(row, "case", *row.case_, "an object");
  if (object.contains("hardware")) row.hardware = text_of(row, object, "hardware");
  if (row.hardware.empty() && row.has("gpu") && row.case_->at("gpu").is_string()) {
    row.hardware = row.text("gpu");  // published rows name it in their case
  }
  if (object.contains("unit")) row.unit = text_of(row, object, "unit");
  const auto value = object.find("value");
  row.null_value = value != object.end() && value->is_null();
  if (value != object.end() && !row.null_value) {
    if (!value->is_number()) wrong(row, "value", *value, "a number");
    row.value = value->get<double>();
  }
  check_keys(row, object);
  check_value(row);
  check_case(row);
}

MeasuredRow parse_row(const std::string& path, std::int64_t line, const std::string& text) {
  MeasuredRow row;
  row.file = path;
  row.line = line;
  DuplicateKeys duplicates;
  const Json object = Json::parse(text, duplicates.callback(), false);
  if (object.is_discarded() || !object.is_object()) {
    throw ConfigError(row.where(), "not a measured row: wanted one JSON object per line, got '" +
                                       text.substr(0, 40) + "'");
  }
  try {
    read_object(object, row);
    if (const auto& twice = duplicates.found()) {
      throw ConfigError(row.where(), "key '" + *twice + "' occurs twice in one object");
    }
  } catch (const ConfigError& error) {
    row.mistake = error.reason();
  }
  return row;
}

MeasuredRow profiled_row(const std::string& path, nsight::ProfiledKernel kernel) {
  constexpr const char* kDuration = "gpu__time_duration";
  MeasuredRow row;
  row.file = path;
  row.line = kernel.where.line;
  row.group = "kernels";
  row.metric = kDuration;
  row.hardware = kernel.device;
  row.case_ = case_of({{"id", kernel.id}, {"kernel", kernel.name}});
  row.value = kernel.metric(std::string(kDuration) + ".sum");
  if (row.value && !(*row.value >= 0)) {
    row.mistake =
        fmt::format("{}.sum: got {:g}, wanted a time of at least 0", kDuration, *row.value);
  }
  row.profiled = std::make_shared<nsight::ProfiledKernel>(std::move(kernel));
  return row;
}

std::vector<MeasuredRow> read_profiled(const std::string& path) {
  std::vector<MeasuredRow> rows;
  for (nsight::ProfiledKernel& kernel : nsight::read_nsight_report(path)) {
    rows.push_back(profiled_row(path, std::move(kernel)));
  }
  if (rows.empty()) throw ConfigError({path}, "has no measured rows");
  return rows;
}

}  // namespace

CaseKeys case_of(Json keys) { return std::make_shared<const Json>(std::move(keys)); }

CaseKeys no_case() {
  static const CaseKeys nothing = case_of({});
  return nothing;
}

bool MeasuredRow::has(const std::string& key) const { return case_->contains(key); }

double MeasuredRow::number(const std::string& key) const {
  const Json& got = member(*this, *case_, key);
  const bool time = key.ends_with("_us");
  const double most = time ? kMostMicroseconds : kMostNumber;
  const double out = got.is_number() ? got.get<double>() : -1.0;
  if (!(out >= 0 && out <= most)) {
    wrong(*this, "case." + key, got, time ? "a number from 0 to 1e12" : "a number from 0 to 1e18");
  }
  return out;
}

std::int64_t MeasuredRow::integer(const std::string& key) const {
  const double got = number(key);
  const bool whole = got == std::floor(got) && got >= 0 && got < 1e15;
  if (!whole) wrong(*this, "case." + key, case_->at(key), "a non-negative whole number");
  return static_cast<std::int64_t>(got);
}

std::string MeasuredRow::text(const std::string& key) const { return text_of(*this, *case_, key); }

bool MeasuredRow::flag(const std::string& key) const {
  const Json& got = member(*this, *case_, key);
  if (!got.is_boolean()) wrong(*this, "case." + key, got, "true or false");
  return got.get<bool>();
}

program::DataType MeasuredRow::data_type() const {
  const auto type = from_text<program::DataType>(text("dtype"));
  if (!type)
    wrong(*this, "case.dtype", case_->at("dtype"), listed_texts<program::DataType>().c_str());
  return *type;
}

namespace {

// Other tables of measurements have no column of kernels.
bool begins_as_report(const std::filesystem::path& file) {
  constexpr std::size_t kLook = 4096;
  std::ifstream stream(file);
  std::string text(kLook, '\0');
  stream.read(text.data(), kLook);
  return text.find("Kernel Name") != std::string::npos;
}

}  // namespace

std::vector<std::string> measurement_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (!entry.is_regular_file()) continue;
    const fs::path& file = entry.path();
    const bool rows = file.extension() == ".jsonl";
    if (rows || (file.extension() == ".csv" && begins_as_report(file))) {
      files.push_back(file.string());
    }
  }
  if (files.empty()) throw ConfigError({path}, "has no measured rows (*.jsonl, *.csv)");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<MeasuredRow> read_rows(std::istream& in, const std::string& path) {
  std::vector<MeasuredRow> rows;
  std::string text;
  std::int64_t line = 1;
  for (; std::getline(in, text); ++line) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    rows.push_back(parse_row(path, line, text));
  }
  if (in.bad()) throw ConfigError({path, line}, "cannot be read: input error");
  if (rows.empty()) throw ConfigError({path}, "has no measured rows");
  return rows;
}

std::vector<MeasuredRow> read_measurements(const std::string& path) {
  if (path.ends_with(".csv")) return read_profiled(path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ConfigError({path}, "is a folder, wanted a file");
  }
  std::ifstream file(path);
  if (!file) throw ConfigError({path}, "cannot be read");
  return read_rows(file, path);
}

}  // namespace septet::validation
