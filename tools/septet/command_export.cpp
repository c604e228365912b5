// `septet export`: converts a result file to a timeline for other tools.
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/export/timeline_reader.hpp"
#include "tools/septet/export/writers.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {
namespace {

struct Window {
  Instant begin;
  Instant end = Instant::max();
};

Instant read_instant(const std::string& text, Instant otherwise) {
  if (text.empty()) return otherwise;
  try {
    return Instant(parse_duration(text).count());
  } catch (const UnitError& error) {
    throw UsageError(fmt::format("--window: {}", error.what()));
  }
}

// "10 ms:12 ms"; either side may be empty.
Window read_window(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw UsageError(
        fmt::format("--window: got '{}', wanted BEGIN:END such as '10 ms:12 ms'", text));
  }
  Window window;
  window.begin = read_instant(text.substr(0, colon), window.begin);
  window.end = read_instant(text.substr(colon + 1), window.end);
  if (window.begin >= window.end) {
    throw UsageError(fmt::format("--window: '{}' ends before it begins", text));
  }
  return window;
}

std::string default_output(const std::string& file, const std::string& format) {
  const char* extension = format == "csv" ? "csv" : format == "chrome" ? "json.gz" : "pftrace";
  return std::filesystem::path(file).filename().replace_extension(extension).string();
}

void write_timeline(const Timeline& timeline, const std::string& format, OutputFile& file) {
  if (format == "perfetto") return write_perfetto(timeline, file);
  if (format == "chrome") return write_chrome(timeline, file);
  write_csv(timeline, file);
}

struct ExportOptions {
  CommonOptions common;
  std::string file;
  std::string format = "perfetto";
  std::string output;
  Window window;
};

bool read_options(const std::vector<std::string>& arguments, ExportOptions& target) {
  Options options(
      {"septet export", "FILE.h5 [options]",
       "Turns a result file of 'run' or 'replay' into a timeline: Perfetto (open it in\n"
       "ui.perfetto.dev), Chrome JSON (chrome://tracing, and 'septet replay' reads it\n"
       "back) or CSV. A name that ends in .gz is compressed.",
       "septet export out/run.h5 --format perfetto --output out/run.pftrace"});
  options.positional("FILE.h5", target.file);
  options.choice("format", target.format, {"perfetto", "chrome", "csv"},
                 "format of the output (default perfetto)");
  options.text("output", "PATH", target.output,
               "file to write (default: FILE with the format's extension, here)");
  options.value("window", "BEGIN:END",
                "only entries that overlap this interval, such as '10 ms:12 ms'",
                [&target](const std::string& text) { target.window = read_window(text); });
  options.common(target.common, {Common::kJson});
  if (!options.parse(arguments)) return false;
  if (target.output.empty()) target.output = default_output(target.file, target.format);
  return true;
}

void report(const ExportOptions& options, const Timeline& timeline) {
  if (!options.common.json) {
    fmt::print("{}: {} slices on {} tracks\n", options.output, timeline.slices.size(),
               timeline.tracks.size());
    return;
  }
  const nlohmann::ordered_json result = {{"output", options.output},
                                         {"format", options.format},
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
  Timeline timeline = read_timeline(options.file);
  for (const std::string& note : timeline.notes) fmt::print(stderr, "septet: note: {}\n", note);
  keep_window(timeline, options.window.begin, options.window.end);
  OutputFile file(options.output);
  write_timeline(timeline, options.format, file);
  file.finish();
  report(options, timeline);
  return kExitOk;
}

}  // namespace septet::command
