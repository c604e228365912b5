// `septet compare`: what differs between two results.
#include <cstdio>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/commands.hpp"
#include "tools/septet/compare/comparison.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

struct CompareRequest {
  CommonOptions common;
  std::string a;
  std::string b;
  std::vector<std::string> ignored;
  std::optional<double> limit_pct;
};

bool read_options(const std::vector<std::string>& arguments, CompareRequest& request) {
  Options options({"septet compare",
                   "A B [options]",
                   "Prints the values that differ between two results, and by how much. A and B\n"
                   "are result folders of 'run' or 'replay', or files with what --json printed.",
                   "septet compare out/before out/after --fail-above 2 --ignore events",
                   {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitObjective}});
  options.positional("A", request.a);
  options.positional("B", request.b);
  options.texts("ignore", "KEY", request.ignored,
                "leave out this key and all below it; may be repeated");
  options.value("fail-above", "PCT",
                "exit with 4 if a number changed by more than this many percent, came or went",
                [&request](const std::string& text) {
                  request.limit_pct =
                      read_number("fail-above", text, 0, std::numeric_limits<double>::max());
                });
  options.common(request.common, {Common::kJson});
  return options.parse(arguments);
}

}  // namespace

int command_compare(const std::vector<std::string>& arguments) {
  CompareRequest request;
  if (!read_options(arguments, request)) return kExitOk;
  const Comparison comparison =
      compare_values(read_values(request.a), read_values(request.b), request.ignored);
  fmt::print("{}", request.common.json
                       ? comparison_json(comparison).dump(2) + "\n"
                       : comparison_text(comparison, describe_terminal(stdout).columns));
  if (!request.limit_pct) return kExitOk;
  const std::size_t above = count_above(comparison, *request.limit_pct);
  if (above == 0) return kExitOk;
  fmt::print(stderr, "septet: {} values changed by more than {} %\n", above, *request.limit_pct);
  return kExitObjective;
}

}  // namespace septet::command
