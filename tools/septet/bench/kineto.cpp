#include "tools/septet/bench/kineto.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <malloc.h>

#include "core/base/error.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "tools/septet/bench/thread_clock.hpp"

namespace septet::command {
namespace {

// A directory that goes with its content.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "septet-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw ConfigError({name}, "can't be created");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A line of /proc/self/status ("VmRSS:", "VmHWM:") in bytes; 0 where there is none.
std::uint64_t status_bytes(std::string_view key) {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::uint64_t kib = 0;
  while (status >> word) {
    if (word == key && status >> kib) return kib * 1024;
  }
  return 0;
}

// Makes VmHWM start again from what is resident now. Freed memory is given back first, so that the
// reading can't use it unnoticed.
std::uint64_t restart_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return status_bytes("VmRSS:");
}

void measure(const std::string& path, KinetoBenchReport& report) {
  const std::uint64_t before = restart_peak();
  const double cpu_before = thread_cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  const recorded::RecordedTrace trace = recorded::read_recorded(path);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  report.cpu_seconds = thread_cpu_seconds() - cpu_before;
  const std::uint64_t peak = status_bytes("VmHWM:");
  report.seconds = elapsed.count();
  report.peak_growth_bytes = peak > before ? peak - before : 0;
  report.entries = trace.entries;
  report.events = trace.events.size();
}

}  // namespace

KinetoBenchReport run_kineto(const KinetoBenchOptions& options) {
  KinetoBenchReport report;
  const TemporaryDirectory directory;
  std::string path = options.path;
  if (path.empty()) {
    path = (directory.path() / (options.gzip ? "trace.json.gz" : "trace.json")).string();
    report.bytes = write_kineto_example(path, options.bytes, options.gzip);
  }
  measure(path, report);
  report.file_bytes = std::filesystem::file_size(path);
  if (report.bytes == 0) report.bytes = report.file_bytes;
  const double megabytes = static_cast<double>(report.bytes) / 1e6;
  report.mb_per_s = megabytes / report.seconds;
  report.mb_per_cpu_s = megabytes / report.cpu_seconds;
  if (report.entries > 0) {
    report.bytes_per_entry =
        static_cast<double>(report.peak_growth_bytes) / static_cast<double>(report.entries);
  }
  return report;
}

}  // namespace septet::command
