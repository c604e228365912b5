#include <array>

#include "tools/septet/commands.hpp"

namespace septet::command {
namespace {

// To add a command: write command_NAME.cpp, declare it in commands.hpp, add a line here.
constexpr std::array kCommands = {
    Subcommand{"run", "simulate a scenario and its what-ifs", command_run},
    Subcommand{"replay", "say where a recorded step's time goes, and simulate what-ifs",
               command_replay},
    Subcommand{"validate", "compare Septet's answers with measured ones", command_validate},
    Subcommand{"explain", "a kernel's time by stage, what limits it, and what would help",
               command_explain},
    Subcommand{"occupancy", "blocks per SM, what limits them, and what one more would take",
               command_occupancy},
    Subcommand{"export", "turn a result into a Perfetto, Chrome or CSV timeline", command_export},
    Subcommand{"config", "check a scenario and show every value with its origin", command_config},
    Subcommand{"hardware", "list the known GPUs and hosts, or show one", command_hardware},
    Subcommand{"bench", "measure the speed of Septet itself", command_bench},
};

constexpr const char* kDescription =
    "Septet simulates GPUs and clusters of them, from the CUDA call on the CPU to the last memory\n"
    "access, and answers what-if questions about it.";

}  // namespace

CommandGroup septet_commands() { return {"septet", kDescription, SEPTET_VERSION, kCommands}; }

}  // namespace septet::command
