#include "tools/septet/export/timeline_choice.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "tools/septet/export/writers.hpp"

namespace septet::command {
namespace {

struct Format {
  const char* name;
  const char* extension;
  void (*write)(const Timeline&, files::OutputFile&);
};

constexpr std::array<Format, 3> kFormats = {{{"perfetto", "pftrace", write_perfetto},
                                             {"chrome", "json.gz", write_chrome},
                                             {"csv", "csv", write_csv}}};

const Format& format_of(const std::string& name) {
  for (const Format& format : kFormats) {
    if (name == format.name) return format;
  }
  throw UsageError(fmt::format("unknown format of a timeline '{}'", name));
}

Instant read_instant(const std::string& option, const std::string& text, Instant otherwise) {
  if (text.empty()) return otherwise;
  try {
    return Instant(parse_duration(text).count());
  } catch (const UnitError& error) {
    throw UsageError(fmt::format("--{}: {}", option, error.what()));
  }
}

}  // namespace

void read_window(const std::string& option, const std::string& text, TimelineChoice& choice) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw UsageError(
        fmt::format("--{}: got '{}', wanted BEGIN:END such as '10 ms:12 ms'", option, text));
  }
  choice.begin = read_instant(option, text.substr(0, colon), Instant());
  choice.end = read_instant(option, text.substr(colon + 1), Instant::max());
  if (choice.begin >= choice.end) {
    throw UsageError(fmt::format("--{}: '{}' ends before it begins", option, text));
  }
}

std::set<std::int64_t> read_gpus(const std::string& option, const std::string& text) {
  constexpr std::uint64_t kMost = 1U << 20U;
  std::set<std::int64_t> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string range = text.substr(begin, end - begin);
    const std::size_t dash = range.find('-');
    const std::uint64_t first = read_count(option, range.substr(0, dash), 0, kMost);
    const std::uint64_t last = dash == std::string::npos
                                   ? first
                                   : read_count(option, range.substr(dash + 1), first, kMost);
    for (std::uint64_t gpu = first; gpu <= last; ++gpu) out.insert(static_cast<std::int64_t>(gpu));
    begin = end + 1;
  }
  return out;
}

void add_timeline_options(Options& options, TimelineChoice& choice) {
  options.choice("timeline", choice.format, {"none", "perfetto", "chrome"},
                 "the timeline in --output-dir (default perfetto)");
  options.value(
      "timeline-window", "BEGIN:END", "only what touches this time, such as '10 ms:12 ms'",
      [&choice](const std::string& text) { read_window("timeline-window", text, choice); });
  options.value(
      "timeline-gpus", "LIST", "only these GPUs, such as '0-7,12'",
      [&choice](const std::string& text) { choice.gpus = read_gpus("timeline-gpus", text); });
}

std::string extension_of(const std::string& format) { return format_of(format).extension; }

void narrow(Timeline& timeline, const TimelineChoice& choice) {
  if (!choice.gpus.empty()) keep_gpus(timeline, choice.gpus);
  keep_window(timeline, choice.begin, choice.end);
}

void write_timeline(const Timeline& timeline, const std::string& format, files::OutputFile& file) {
  format_of(format).write(timeline, file);
}

}  // namespace septet::command
