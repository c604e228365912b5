// `septet compare`: what differs between two results.
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/commands.hpp"
#include "tools/septet/compare/comparison.hpp"
#include "tools/septet/compare/sweep_comparison.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/report/result_reader.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommand = "septet compare";
constexpr const char* kSweepFile = "sweep.json";

struct CompareRequest {
  CommonOptions common;
  std::string a;
  std::string b;
  std::vector<std::string> ignored;
  std::optional<double> limit_pct;
};

bool read_options(const std::vector<std::string>& arguments, CompareRequest& request) {
  Options options(
      {kCommand,
       "A B [options]",
       "Prints the values that differ between two results, and by how much. A and B\n"
       "are result folders, or files with what --json printed; or folders of two\n"
       "sweeps, whose points are matched by their settings. Of repeats over seeds the\n"
       "mean change is shown with its 95 % interval (Student's t, paired by seed), of\n"
       "means over seeds in a result the interval of their difference: a change within\n"
       "it may be chance and exceeds no limit.",
       "septet compare out/before out/after --fail-above 2 --ignore events\n"
       "  septet compare out/sweep-v1 out/sweep-v2 --json",
       {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitObjective}});
  options.positional("A", request.a);
  options.positional("B", request.b);
  options.texts("ignore", "KEY", request.ignored,
                "leave out this key and all below it; may be repeated");
  options.value("fail-above", "PCT",
                "exit with 4 if a number changed by more than this many percent, came or went, or "
                "a point did, or its status changed",
                [&request](const std::string& text) {
                  request.limit_pct =
                      read_number("fail-above", text, 0, std::numeric_limits<double>::max());
                });
  options.common(request.common, {Common::kJson});
  return options.parse(arguments);
}

bool is_sweep(const std::string& path) { return fs::exists(fs::path(path) / kSweepFile); }

SweepPoints read_sweep(const fs::path& folder) {
  return read_sweep_points(folder / "sweep.csv", read_result(folder).summary);
}

// Prints the comparison, of results or of sweeps.
template <class Changes>
ExitCode tell(const CompareRequest& request, const Changes& changes) {
  fmt::print("{}", request.common.json
                       ? comparison_json(changes).dump(2) + "\n"
                       : comparison_text(changes, describe_terminal(stdout).columns));
  if (!request.limit_pct) return kExitOk;
  const std::size_t above = count_above(changes, *request.limit_pct);
  if (above == 0) return kExitOk;
  fmt::print(stderr, "septet: {} values changed by more than {} %\n", above, *request.limit_pct);
  return kExitObjective;
}

}  // namespace

int command_compare(const std::vector<std::string>& arguments) {
  CompareRequest request;
  if (!read_options(arguments, request)) return kExitOk;
  const int sweeps = (is_sweep(request.a) ? 1 : 0) + (is_sweep(request.b) ? 1 : 0);
  if (sweeps == 1) {
    throw UsageError("one is a sweep and the other is not: nothing to compare", kCommand);
  }
  if (sweeps == 2) {
    return tell(request,
                compare_sweeps(read_sweep(request.a), read_sweep(request.b), request.ignored));
  }
  return tell(request,
              compare_values(read_values(request.a), read_values(request.b), request.ignored));
}

}  // namespace septet::command
