// `septet export`: converts a result file to a timeline for other tools.
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/files/output_file.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/export/timeline_choice.hpp"
#include "tools/septet/export/timeline_reader.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {
namespace {

std::string default_output(const std::string& file, const std::string& format) {
  return std::filesystem::path(file).filename().replace_extension(extension_of(format)).string();
}

struct ExportOptions {
  CommonOptions common;
  std::string file;
  TimelineChoice timeline;
  std::string output;
};

bool read_options(const std::vector<std::string>& arguments, ExportOptions& target) {
  Options options(
      {"septet export", "FILE.h5 [options]",
       "Turns a result file of 'run' or 'replay' into a timeline: Perfetto (open it in\n"
       "ui.perfetto.dev), Chrome JSON (chrome://tracing, and 'septet replay' reads it\n"
       "back) or CSV. A name that ends in .gz is compressed.",
       "septet export out/run.h5 --format perfetto --output out/run.pftrace"});
  options.positional("FILE.h5", target.file);
  options.choice("format", target.timeline.format, {"perfetto", "chrome", "csv"},
                 "format of the output (default perfetto)");
  options.text("output", "PATH", target.output,
               "file to write (default: FILE with the format's extension, here)");
  options.value(
      "window", "BEGIN:END", "only entries that overlap this interval, such as '10 ms:12 ms'",
      [&target](const std::string& text) { read_window("window", text, target.timeline); });
  options.value(
      "gpus", "LIST", "only these GPUs, such as '0-7,12'",
      [&target](const std::string& text) { target.timeline.gpus = read_gpus("gpus", text); });
  options.common(target.common, {Common::kJson});
  if (!options.parse(arguments)) return false;
  if (target.output.empty()) target.output = default_output(target.file, target.timeline.format);
  return true;
}

void report(const ExportOptions& options, const Timeline& timeline) {
  if (!options.common.json) {
    fmt::print("{}: {} slices on {} tracks\n", options.output, timeline.slices.size(),
               timeline.tracks.size());
    return;
  }
  const nlohmann::ordered_json result = {{"output", options.output},
                                         {"format", options.timeline.format},
                                         {"slices", timeline.slices.size()},
                                         {"tracks", timeline.tracks.size()}};
  fmt::print("{}\n", result.dump(2));
}

}  // namespace

int command_export(const std::vector<std::string>& arguments) {
  ExportOptions options;
  if (!read_options(arguments, options)) return kExitOk;
  std::error_code ignored;
  if (std::filesystem::equivalent(options.file, options.output, ignored)) {
    throw ConfigError({options.output}, "is the input file; choose another output file");
  }
  files::OutputFile file(options.output);  // before the work that would be lost without it
  Timeline timeline = read_timeline(options.file);
  for (const std::string& note : timeline.notes) fmt::print(stderr, "septet: note: {}\n", note);
  narrow(timeline, options.timeline);
  write_timeline(timeline, options.timeline.format, file);
  file.finish();
  report(options, timeline);
  return kExitOk;
}

}  // namespace septet::command
