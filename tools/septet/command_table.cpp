#include <array>

#include "tools/septet/commands.hpp"

namespace septet::command {
namespace {

// To add a command: write command_NAME.cpp, declare it in commands.hpp, add a line here.
constexpr std::array kCommands = {
    Subcommand{"run", "simulate a scenario and its what-ifs", command_run},
    Subcommand{"replay", "show where the time of a recorded step goes, and simulate what-ifs",
               command_replay},
    Subcommand{"capacity", "find the smallest fleet that serves requests within objectives",
               command_capacity},
    Subcommand{"validate", "compare predictions with measurements", command_validate},
    Subcommand{"explain", "show a kernel's time by stage, what limits it, and what would help",
               command_explain},
    Subcommand{"occupancy",
               "show how many blocks fit on an SM, the limiter, and what one more would take",
               command_occupancy},
    Subcommand{"export", "convert a result to a Perfetto, Chrome or CSV timeline", command_export},
    Subcommand{"config", "check a scenario and print every value with its origin", command_config},
    Subcommand{"hardware", "list the known GPUs and hosts, or show one", command_hardware},
    Subcommand{"models", "list the known language models, or show one and the memory it takes",
               command_models},
    Subcommand{"bench", "measure the speed of Septet itself", command_bench},
};

constexpr const char* kDescription =
    "Septet simulates GPUs and GPU clusters, from the CUDA call on the CPU to the last memory\n"
    "access, and answers what-if questions.";

}  // namespace

CommandGroup septet_commands() { return {"septet", kDescription, SEPTET_VERSION, kCommands}; }

}  // namespace septet::command
