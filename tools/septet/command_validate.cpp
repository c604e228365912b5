// `septet validate`: compares predictions with measurements.
#include <optional>
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
#include "tools/septet/terminal.hpp"
#include "tools/septet/validate/validate_report.hpp"

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
  const CommandClock circumstances("validate", arguments, options.common.threads);
  std::optional<files::OutputFile> per_row;  // before the work that would be lost without it
  if (!options.per_row.empty()) per_row.emplace(options.per_row);
  const std::vector<std::string> files = validation::measurement_files(options.files);
  std::vector<validation::MeasuredRow> measured = validation::read_measurements(files);
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
    Json json = validate_json(rows, warnings);
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
