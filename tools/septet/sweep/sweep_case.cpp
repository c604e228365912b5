#include "tools/septet/sweep/sweep_case.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "core/files/sha256.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/sweep/result_table.hpp"
#include "scenarios/sweep/run_sweep.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string plain_command(const SweepRequest& request) {
  std::string out = fmt::format("septet sweep {} --output-dir {}", shell_quoted(request.file),
                                shell_quoted(request.common.output_dir));
  for (const std::string& setting : request.common.settings) {
    out += " --set " + shell_quoted(setting);
  }
  if (request.retries > 0) out += fmt::format(" --retries {}", request.retries);
  if (request.fail_fast) out += " --fail-fast";
  if (request.time_limit) {
    out += " --time-limit-per-point " + shell_quoted(to_text(*request.time_limit));
  }
  if (request.memory_limit) {
    out += " --memory-limit-per-point " + shell_quoted(to_text(*request.memory_limit));
  }
  return out;
}

std::string line_of_point(const SweepRequest& request, const Sweep& sweep,
                          const sweep::Point& point) {
  std::string out = fmt::format("septet {}", text_of(sweep.text.command));
  const std::vector<std::string> words = sweep.experiment->arguments_of(point);
  for (const std::string& word : words) out += " " + shell_quoted(word);
  if (words.front() != sweep::kPointFile) return out;
  return fmt::format("{} --point {} > {} && {}", plain_command(request), point.name,
                     sweep::kPointFile, out);
}

std::unique_ptr<Sweep> read_sweep(const SweepRequest& request) {
  return sweep_of(config::read_toml_file(request.file), request.common.settings);
}

std::unique_ptr<Sweep> sweep_of(config::ConfigValue file,
                                const std::vector<std::string>& settings) {
  auto out = std::make_unique<Sweep>();
  out->file = std::move(file);
  for (const std::string& setting : settings) {
    config::lay_over(out->file, config::read_setting(setting, "--set"));
  }
  out->text = sweep::read_sweep(out->file);
  out->scenario = out->file;
  std::erase_if(*out->scenario.table(),
                [](const config::ConfigEntry& entry) { return entry.key == "sweep"; });
  out->experiment =
      sweep::experiment_of(out->text.command, out->scenario, config::data_directories());
  out->points = points_of(out->text, out->scenario, out->experiment->data_version());
  const std::vector<const sweep::Point*> checked = points_with_new_values(out->points);
  check_points(*out->experiment, checked);
  out->id = files::sha256_of_text(
      fmt::format("{}\n{}\n{}\n{}", build_info().version, out->experiment->data_version(),
                  version_of_inputs(*out->experiment, checked), config::inline_toml(out->file)));
  table_of(out->points, {}, out->experiment->outputs(), out->text.outputs, out->text.place.where());
  return out;
}

}  // namespace septet::command
