// `septet hardware`: the shipped descriptions of GPUs and hosts, with the source of every number.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/hardware_text.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {

int command_hardware(const std::vector<std::string>& arguments) {
  CommonOptions common;
  std::vector<std::string> names;
  Options options({"septet hardware", "[NAME|FILE.toml...] [options]",
                   "Lists the known GPUs and hosts, or shows every parameter of the named ones,\n"
                   "with its unit and source.",
                   "septet hardware h200-sxm"});
  options.positionals("NAME|FILE.toml", names, 0);
  options.common(common, {Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  const config::ProfileLibrary library(config::data_directories());
  if (names.empty()) {
    fmt::print("{}", common.json ? hardware_list_json(library) : hardware_list_text(library));
  }
  std::vector<std::string> shown;  // all of them before any is printed
  for (const std::string& name : names) {
    shown.push_back(common.json ? hardware_json(library, name) : hardware_text(library, name));
  }
  const bool list = common.json && shown.size() > 1;
  fmt::print("{}{}{}", list ? "[" : "", fmt::join(shown, list ? "," : ""), list ? "]\n" : "");
  return kExitOk;
}

}  // namespace septet::command
