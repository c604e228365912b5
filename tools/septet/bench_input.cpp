// `septet bench kineto`: reading recordings.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/units.hpp"
#include "tools/septet/bench/kineto.hpp"
#include "tools/septet/bench_commands.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {
namespace {

void print(const KinetoBenchReport& report, bool json) {
  if (json) {
    const nlohmann::ordered_json result = {{"bytes", report.bytes},
                                           {"file_bytes", report.file_bytes},
                                           {"entries", report.entries},
                                           {"events", report.events},
                                           {"seconds", report.seconds},
                                           {"cpu_seconds", report.cpu_seconds},
                                           {"mb_per_s", report.mb_per_s},
                                           {"mb_per_cpu_s", report.mb_per_cpu_s},
                                           {"bytes_per_entry", report.bytes_per_entry},
                                           {"peak_growth_bytes", report.peak_growth_bytes}};
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print("{:.0f} MB in {:.2f} s: {:.0f} MB/s ({:.0f} MB per second of CPU), {} entries\n",
             static_cast<double>(report.bytes) / 1e6, report.seconds, report.mb_per_s,
             report.mb_per_cpu_s, report.entries);
  fmt::print("{:.0f} bytes of memory per entry\n", report.bytes_per_entry);
}

}  // namespace

int bench_kineto(const std::vector<std::string>& arguments) {
  CommonOptions common;
  KinetoBenchOptions kineto;
  Options options({"septet bench kineto", "[options]",
                   "Measures how fast a profiler recording is read: FILE, or a generated one.",
                   "septet bench kineto --size '200 MB'"});
  options.text("file", "FILE", kineto.path, "read this recording instead of generating one");
  options.value("size", "SIZE", "size of the generated JSON (default '200 MB')",
                [&kineto](const std::string& text) {
                  try {
                    kineto.bytes = static_cast<std::uint64_t>(parse_bytes(text).count());
                  } catch (const UnitError& error) {
                    throw UsageError(fmt::format("--size: {}", error.what()));
                  }
                });
  options.flag("gzip", kineto.gzip, "compress the generated file");
  options.common(common, {Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  print(run_kineto(kineto), common.json);
  return kExitOk;
}

}  // namespace septet::command
