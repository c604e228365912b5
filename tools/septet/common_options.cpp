// The options with the same meaning in every command, and the texts of the exit codes.
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {
namespace {

constexpr std::uint64_t kMostThreads = 1024;

unsigned all_cores() { return std::max(1U, std::thread::hardware_concurrency()); }

std::uint64_t read_threads(const std::string& text) {
  const std::uint64_t threads = read_count("threads", text, 0, kMostThreads);
  return threads > 0 ? threads : all_cores();
}

bool is_bare_number(const std::string& text) {
  return text.find_first_not_of("0123456789.") == std::string::npos;
}

void check_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw UsageError(fmt::format("--set: got '{}', wanted KEY=VALUE", text));
  }
}

}  // namespace

const char* exit_code_text(ExitCode code) {
  switch (code) {
    case kExitOk:
      return "success";
    case kExitFailure:
      return "failure while running";
    case kExitUsage:
      return "invalid command line";
    case kExitInput:
      return "an input file is missing or invalid";
    case kExitObjective:
      return "everything ran, but an objective is not met";
    case kExitPartial:
      return "some what-ifs or points of a sweep failed; the others have results";
    case kExitInterrupted:
      return "interrupted by a signal";
  }
  return "";
}

void Options::common(CommonOptions& target, std::initializer_list<Common> which) {
  for (const Common option : which) common_option(target, option);
}

void Options::common_option(CommonOptions& target, Common which) {
  switch (which) {
    case Common::kJson:
      return flag("json", target.json, "print the result, or the error, as JSON");
    case Common::kQuiet:
      return flag("quiet", target.quiet, "do not show progress and notes");
    case Common::kThreads:
      value("threads", "N",
            fmt::format("number of threads; 0: all cores (default {})", target.threads),
            [&target](const std::string& text) { target.threads = read_threads(text); });
      if (target.threads == 0) target.threads = all_cores();
      return;
    case Common::kSeed:
      return count("seed", target.seed, "random seed (default 1)");
    case Common::kOutputDir:
      return text("output-dir", "DIR", target.output_dir,
                  "folder for result files; created if missing");
    case Common::kSet:
      return value(
          "set", "KEY=VALUE", "override a value of the scenario; may be repeated",
          [&target](const std::string& text) {
            check_setting(text);
            target.settings.push_back(text);
          },
          true);
  }
}

void Options::duration(const std::string& name, Duration& target, const std::string& description,
                       const std::string& unit) {
  value(name, "TIME", description, [name, &target, unit](const std::string& text) {
    try {
      target = parse_duration(is_bare_number(text) ? text + unit : text);
    } catch (const std::exception& error) {
      throw UsageError(fmt::format("--{}: {}", name, error.what()));
    }
  });
}

}  // namespace septet::command
