// `septet bench NAME`: the speed of Septet itself on this machine.
#include <vector>

#include "tools/septet/bench_commands.hpp"
#include "tools/septet/commands.hpp"

namespace septet::command {
namespace {

constexpr const char* kDescription =
    "Measures the speed of Septet itself. Each benchmark prints one line, or an object with "
    "--json.";

}  // namespace

int command_bench(const std::vector<std::string>& arguments) {
  return run_command({"septet bench", kDescription, nullptr, bench_commands()}, arguments);
}

}  // namespace septet::command
