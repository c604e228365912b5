// `septet validate`: compares predictions with measurements.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/files/output_file.hpp"
#include "scenarios/validate/row_check.hpp"
#include "scenarios/validate/validate_rows.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/study/provenance.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

constexpr const char* kDefaultHardware = "h200-sxm";

struct ValidateOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string hardware = kDefaultHardware;
  std::string per_row;
  std::uint64_t worst = 0;
  std::optional<validation::ErrorLimits> limits;
};

// "MEDIAN:P90", in per cent.
validation::ErrorLimits read_limits(const std::string& text) {
  constexpr double kMost = 1e6;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw UsageError(fmt::format("--fail-above: got '{}', wanted MEDIAN:P90, such as 10:25", text));
  }
  return {read_number("fail-above", text.substr(0, colon), 0, kMost),
          read_number("fail-above", text.substr(colon + 1), 0, kMost)};
}

bool read_options(const std::vector<std::string>& arguments, ValidateOptions& target) {
  Options options(
      {"septet validate",
       "FILE|FOLDER... [options]",
       "Simulates each measured row (the format is in data/measurements/README.md) and\n"
       "prints the errors by group. Measured values are never inputs. For a folder, all\n"
       "*.jsonl files and Nsight Compute reports in it are used.",
       "septet validate data/measurements/h200 --worst 10",
       {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitObjective}});
  options.positionals("FILE", target.files);
  options.text("hardware", "NAME|FILE.toml", target.hardware,
               "profile for rows that name no hardware (default h200-sxm)");
  options.text("per-row", "OUT.csv", target.per_row, "write every row with its prediction as CSV");
  options.count("worst", target.worst, "list the N rows with the largest errors", 0, 1000000);
  options.value("fail-above", "MEDIAN:P90",
                "exit with 4 if a group's median or 90th percentile of |error| is larger, in %",
                [&target](const std::string& text) { target.limits = read_limits(text); });
  target.common.threads = 0;
  options.common(target.common, {Common::kJson, Common::kQuiet, Common::kThreads, Common::kSet});
  return options.parse(arguments);
}

std::vector<std::string> files_of(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    for (std::string& file : validation::measurement_files(name)) out.push_back(std::move(file));
  }
  return out;
}

std::vector<validation::MeasuredRow> read_all(const std::vector<std::string>& files) {
  std::vector<validation::MeasuredRow> rows;
  for (const std::string& file : files) {
    for (validation::MeasuredRow& row : validation::read_measurements(file))
      rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<validation::ValidatedRow> validate_all(const ValidateOptions& options,
                                                   std::vector<validation::MeasuredRow> rows,
                                                   validation::RowSystems& systems) {
  Progress progress("validate", options.common.quiet);
  return validate_rows(std::move(rows), systems, static_cast<unsigned>(options.common.threads),
                       [&progress](double fraction) { progress.update(fraction); });
}

RunOrigin origin_of(const ValidateOptions& options, const std::vector<std::string>& files,
                    const validation::RowSystems& systems) {
  RunOrigin origin;
  origin.inputs = input_records({files.begin(), files.end()}, "measurements");
  origin.settings = options.common.settings;
  add_profiles(origin, systems.configurations());
  return origin;
}

nlohmann::ordered_json optional_json(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json group_json(const validation::GroupErrors& group) {
  const bool known = group.compared > 0;
  const auto figure = [&](double value) {
    return known ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  return {{"n", group.rows},
          {"unsupported", group.unsupported},
          {"median_abs_pct", figure(group.median_abs)},
          {"p90_abs_pct", figure(group.p90_abs)},
          {"max_abs_pct", figure(group.max_abs)},
          {"bias_pct", figure(group.bias)}};
}

nlohmann::ordered_json row_json(const validation::ValidatedRow& row) {
  return {{"file", row.row.file},
          {"line", row.row.line},
          {"group", row.row.group},
          {"case", *row.row.case_},
          {"metric", row.row.metric},
          {"measured", optional_json(row.row.value)},
          {"predicted", optional_json(row.prediction.value)},
          {"error_pct", optional_json(row.error_percent())},
          {"limiter", row.prediction.limiter}};
}

nlohmann::ordered_json report_json(const std::vector<validation::ValidatedRow>& rows,
                                   const std::vector<std::string>& warnings) {
  nlohmann::ordered_json out;
  out["groups"] = nlohmann::ordered_json::object();
  for (const auto& [name, group] : group_errors(rows)) out["groups"][name] = group_json(group);
  out["rows"] = nlohmann::ordered_json::array();
  for (const validation::ValidatedRow& row : rows) out["rows"].push_back(row_json(row));
  out["warnings"] = warnings;
  return out;
}

std::string groups_text(const std::vector<validation::ValidatedRow>& rows, std::size_t columns) {
  TablePrinter table({{"group"},
                      {"rows", Align::kRight},
                      {"unsupported", Align::kRight},
                      {"median |error|", Align::kRight},
                      {"p90", Align::kRight},
                      {"max", Align::kRight},
                      {"bias", Align::kRight}});
  for (const auto& [name, group] : group_errors(rows)) {
    const bool compared = group.compared > 0;
    const auto percent = [compared](double value, const char* form) {
      return !compared ? std::string("-") : fmt::format(fmt::runtime(form), value);
    };
    table.add_row({name, std::to_string(group.rows), std::to_string(group.unsupported),
                   percent(group.median_abs, "{:.2f} %"), percent(group.p90_abs, "{:.2f} %"),
                   percent(group.max_abs, "{:.2f} %"), percent(group.bias, "{:+.2f} %")});
  }
  return table.text(columns);
}

// Why rows have no prediction, and how many; empty where all have one.
std::string unsupported_text(const std::vector<validation::ValidatedRow>& rows,
                             std::size_t columns) {
  std::map<std::pair<std::string, std::string>, std::size_t> reasons;
  for (const validation::ValidatedRow& row : rows) {
    if (!row.prediction.value) ++reasons[{row.row.group, row.prediction.limiter}];
  }
  if (reasons.empty()) return "";
  TablePrinter table({{"unsupported"}, {"rows", Align::kRight}, {"why", Align::kLeft, true}});
  for (const auto& [what, count] : reasons) {
    table.add_row({what.first, std::to_string(count), what.second});
  }
  return "\n" + table.text(columns);
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

std::string worst_text(const std::vector<validation::ValidatedRow>& rows, std::size_t count,
                       std::size_t columns) {
  std::vector<const validation::ValidatedRow*> order;
  for (const validation::ValidatedRow& row : rows) {
    if (row.error_percent()) order.push_back(&row);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const validation::ValidatedRow* a, const validation::ValidatedRow* b) {
                     return std::abs(*a->error_percent()) > std::abs(*b->error_percent());
                   });
  TablePrinter table({{"group"},
                      {"metric"},
                      {"case", Align::kLeft, true},
                      {"measured", Align::kRight},
                      {"predicted", Align::kRight},
                      {"error", Align::kRight}});
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) {
    const validation::ValidatedRow& row = *order[i];
    table.add_row({row.row.group, row.row.metric, row.row.case_->dump(), number(row.row.value),
                   number(row.prediction.value), fmt::format("{:+.2f} %", *row.error_percent())});
  }
  return table.text(columns);
}

// A field in quotes, with quotes inside doubled.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string rows_csv(const std::vector<validation::ValidatedRow>& rows) {
  std::ostringstream file;
  file << "file,line,group,case,metric,measured,predicted,error_pct,limiter\n";
  for (const validation::ValidatedRow& row : rows) {
    file << quoted(row.row.file) << ',' << row.row.line << ',' << row.row.group << ','
         << quoted(row.row.case_->dump()) << ',' << row.row.metric << ',' << number(row.row.value)
         << ',' << number(row.prediction.value) << ',' << number(row.error_percent()) << ','
         << quoted(row.prediction.limiter) << '\n';
  }
  return file.str();
}

int verdict(const ValidateOptions& options, const std::vector<validation::ValidatedRow>& rows) {
  if (!options.limits) return kExitOk;
  const std::vector<std::string> found = above(rows, *options.limits);
  for (const std::string& line : found) fmt::print(stderr, "septet: --fail-above: {}\n", line);
  return found.empty() ? kExitOk : kExitObjective;
}

}  // namespace

int command_validate(const std::vector<std::string>& arguments) {
  ValidateOptions options;
  if (!read_options(arguments, options)) return kExitOk;
  if (options.common.threads == 0) options.common.threads = all_cores();
  const CommandClock circumstances("validate", arguments, options.common.threads);
  std::optional<files::OutputFile> per_row;  // before the work that would be lost without it
  if (!options.per_row.empty()) per_row.emplace(options.per_row);
  const std::vector<std::string> files = files_of(options.files);
  std::vector<validation::MeasuredRow> measured = read_all(files);
  std::vector<std::string> warnings = row_warnings(measured);
  validation::RowSystems systems({options.hardware, "--hardware", options.common.settings},
                                 config::data_directories());
  const std::vector<validation::ValidatedRow> rows =
      validate_all(options, std::move(measured), systems);
  warnings.insert(warnings.end(), systems.warnings().begin(), systems.warnings().end());
  if (const std::string text = unanswered_text(rows); !text.empty()) warnings.push_back(text);
  print_warnings(warnings);
  if (per_row) {
    per_row->write(rows_csv(rows));
    per_row->finish();
  }
  if (options.common.json) {
    using Json = nlohmann::ordered_json;
    Json json = report_json(rows, warnings);
    json["provenance"] =
        provenance_json(origin_of(options, files, systems), "", circumstances.so_far());
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    return verdict(options, rows);
  }
  const std::size_t columns = describe_terminal(stdout).columns;
  fmt::print("{}{}", groups_text(rows, columns), unsupported_text(rows, columns));
  if (options.worst > 0) fmt::print("\n{}", worst_text(rows, options.worst, columns));
  return verdict(options, rows);
}

}  // namespace septet::command
