#include "models/workload/nsight/nsight_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "core/files/input.hpp"
#include "models/workload/nsight/csv.hpp"

namespace septet::nsight {
namespace {

constexpr const char* kId = "ID";
constexpr const char* kKernelName = "Kernel Name";
constexpr const char* kDeviceName = "device__attribute_display_name";

struct Unit {
  const char* name;
  double factor;  // to base units
};

// What Nsight Compute writes; everything else is a count or a ratio.
constexpr Unit kUnits[] = {
    {"byte", 1},     {"Kbyte", 1e3},    {"Mbyte", 1e6},       {"Gbyte", 1e9},
    {"Tbyte", 1e12}, {"byte/block", 1}, {"Kbyte/block", 1e3}, {"Mbyte/block", 1e6},
    {"nsecond", 1},  {"usecond", 1e3},  {"msecond", 1e6},     {"second", 1e9},
    {"ns", 1},       {"us", 1e3},       {"ms", 1e6},          {"s", 1e9},
    {"Khz", 1e3},    {"Mhz", 1e6},      {"Ghz", 1e9}};

std::optional<double> factor_of(const std::string& unit) {
  for (const Unit& known : kUnits) {
    if (unit == known.name) return known.factor;
  }
  return std::nullopt;
}

// Of a size a unit that we don't know is no count.
bool has_dimension(const std::string& name) {
  return name.starts_with("launch__shared_mem") ||
         (name.find("bytes") != std::string::npos && name.ends_with(".sum"));
}

// A number with thousands separators; nothing where there is none.
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_missing(const std::string& text) { return text.empty() || text == "n/a"; }

// Parts of the names of what the kernel model reads. Other metrics may hold anything: percentages
// of a peak of a short kernel exceed 100, and answers are not looked at.
constexpr const char* kInputs[] = {"launch__", "inst_executed", "bytes", "sector", "conflicts"};

bool is_input(const std::string& name) {
  return std::ranges::any_of(
      kInputs, [&](const char* part) { return name.find(part) != std::string::npos; });
}

// What no counter can read, in place of what is wanted; null where the value is possible.
const char* why_impossible(const std::string& name, double value) {
  if (!is_input(name)) return nullptr;
  if (value < 0) return "a non-negative number";
  return name.find("hit_rate") != std::string::npos && value > 100 ? "at most 100 percent"
                                                                   : nullptr;
}

class Report {
 public:
  explicit Report(const std::string& path) : path_(path), in_(path), csv_(in_) {
    if (!in_) throw ConfigError({path, 0, 0, -1}, "cannot be opened");
  }

  std::vector<ProfiledKernel> read() {
    read_header();
    const auto metric = column("Metric Name");
    return metric ? read_long(*metric) : read_raw();
  }

 private:
  Location at(std::int64_t line) const { return {path_, line, 0, -1}; }

  std::optional<CsvRecord> next() {
    try {
      std::optional<CsvRecord> record = csv_.next();
      if (!record) files::check_read(in_, path_);
      return record;
    } catch (const ConfigError& error) {
      if (!error.where().file.empty()) throw;
      throw ConfigError(at(error.where().line), error.what());
    }
  }

  void read_header() {
    while (auto record = next()) {
      if (record->fields.front() != kId) continue;
      header_ = std::move(*record);
      return;
    }
    throw ConfigError(
        at(0),
        fmt::format("not an Nsight Compute report in CSV: no line that begins with \"{}\"", kId));
  }

  std::optional<std::size_t> column(const std::string& name) const {
    const auto found = std::find(header_.fields.begin(), header_.fields.end(), name);
    if (found == header_.fields.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header_.fields.begin());
  }

  std::size_t needed(const std::string& name) const {
    const auto found = column(name);
    if (!found) {
      throw ConfigError(at(header_.line), fmt::format("column \"{}\" is missing", name));
    }
    return *found;
  }

  void check(const CsvRecord& record) const {
    if (record.fields.size() == header_.fields.size()) return;
    throw ConfigError(at(record.line), fmt::format("{} fields, the header has {}",
                                                   record.fields.size(), header_.fields.size()));
  }

  ProfiledKernel kernel_of(const CsvRecord& record) const {
    ProfiledKernel kernel;
    kernel.where = at(record.line);
    kernel.id = record.fields[needed(kId)];
    kernel.name = record.fields[needed(kKernelName)];
    return kernel;
  }

  // Text columns ("Context", "(96, 1, 1)") are not metrics.
  void add(ProfiledKernel& kernel, const std::string& name, const std::string& unit,
           const std::string& text, std::int64_t line) const {
    if (is_missing(text)) return;
    if (name == kDeviceName) kernel.device = text;
    const auto value = number_of(text);
    if (const char* wanted = value ? why_impossible(name, *value) : nullptr) {
      throw ConfigError::value(at(line), name, "'" + text + "'", wanted);
    }
    if (value) {
      const std::optional<double> factor = factor_of(unit);
      if (!factor && has_dimension(name)) {
        throw ConfigError::value(at(line), name, "the unit '" + unit + "'",
                                 "a unit of Nsight Compute, such as Kbyte");
      }
      // A duration in a unit that we don't know is as good as none: it is no input.
      const bool unread = !factor && name.starts_with("gpu__time_duration.");
      if (!unread) kernel.metrics[name] = *value * factor.value_or(1);
    } else if (!unit.empty()) {
      throw ConfigError::value(at(line), name, "'" + text + "'", "a number in " + unit);
    }
  }

  std::vector<ProfiledKernel> read_raw() {
    const auto units = next();
    if (!units) throw ConfigError(at(header_.line), "no row of units, no kernels");
    check(*units);
    std::vector<ProfiledKernel> out;
    while (const auto record = next()) {
      check(*record);
      ProfiledKernel kernel = kernel_of(*record);
      for (std::size_t c = 0; c < record->fields.size(); ++c) {
        add(kernel, header_.fields[c], units->fields[c], record->fields[c], record->line);
      }
      out.push_back(std::move(kernel));
    }
    return out;
  }

  std::vector<ProfiledKernel> read_long(std::size_t metric) {
    const std::size_t unit = needed("Metric Unit");
    const std::size_t value = needed("Metric Value");
    std::vector<ProfiledKernel> out;
    while (const auto record = next()) {
      check(*record);
      ProfiledKernel kernel = kernel_of(*record);
      const bool same =
          !out.empty() && out.back().id == kernel.id && out.back().name == kernel.name;
      if (!same) out.push_back(std::move(kernel));
      add(out.back(), record->fields[metric], record->fields[unit], record->fields[value],
          record->line);
    }
    return out;
  }

  const std::string path_;
  std::ifstream in_;
  CsvReader csv_;
  CsvRecord header_;
};

}  // namespace

std::optional<double> ProfiledKernel::metric(const std::string& key) const {
  const auto found = metrics.find(key);
  if (found == metrics.end()) return std::nullopt;
  return found->second;
}

double ProfiledKernel::metric_or(const std::string& key, double otherwise) const {
  return metric(key).value_or(otherwise);
}

std::vector<ProfiledKernel> read_nsight_report(const std::string& path) {
  return Report(path).read();
}

}  // namespace septet::nsight
