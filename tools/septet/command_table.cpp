#include <array>

#include "tools/septet/commands.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

// To add a command: write command_NAME.cpp, declare it in commands.hpp, add a line here.
constexpr std::array kCommands = {
    Subcommand{"run", "simulate a scenario and its what-ifs", command_run},
    Subcommand{"replay", "show where the time of a recorded step goes, and simulate what-ifs",
               command_replay},
    Subcommand{"capacity", "find the smallest fleet that serves requests within objectives",
               command_capacity},
    Subcommand{"plan", "simulate a training step and find the fastest layout that fits",
               command_plan},
    Subcommand{"sweep", "run a scenario at many points, resumably, and collect one table",
               command_sweep},
    Subcommand{"report", "make one HTML file of results to hand on", command_report},
    Subcommand{"validate", "compare predictions with measurements", command_validate},
    Subcommand{"explain", "show a kernel's time by stage, what limits it, and what would help",
               command_explain},
    Subcommand{"occupancy",
               "show how many blocks fit on an SM, the limiter, and what one more would take",
               command_occupancy},
    Subcommand{"compare", "show what differs between two results, and by how much",
               command_compare},
    Subcommand{"export", "convert a result to a Perfetto, Chrome or CSV timeline", command_export},
    Subcommand{"config", "check a scenario and print every value with its origin", command_config},
    Subcommand{"hardware", "list the known GPUs and hosts, or show one", command_hardware},
    Subcommand{"models", "list the known language models, or show one and the memory it takes",
               command_models},
    Subcommand{"bench", "measure the speed of Septet itself", command_bench},
};

constexpr const char* kSummary = "simulates GPUs and clusters of them";

constexpr const char* kDescription =
    "Septet simulates GPUs and GPU clusters, from the CUDA call on the CPU to the last memory\n"
    "access, and answers what-if questions.";

constexpr std::array kEnvironment = {
    NamedText{"SEPTET_DATA",
              "a folder of profiles and measurements that come before those of the "
              "installation"},
    NamedText{"NO_COLOR", "if set, no colours on terminals"},
};

constexpr std::array kFiles = {
    NamedText{"PREFIX/share/septet/hardware",
              "profiles of GPUs and hosts; PREFIX is where septet "
              "is installed"},
    NamedText{"PREFIX/share/septet/nodes", "servers and NVLink domains that networks are built of"},
    NamedText{"PREFIX/share/septet/measurements", "what was measured on real GPUs"},
    NamedText{"PREFIX/share/septet/scenarios", "scenarios to begin with"},
    NamedText{"PREFIX/share/doc/septet",
              "what files contain, FORMAT.md, and what changes "
              "what-ifs can make, WHATIFS.md"},
};

}  // namespace

CommandGroup septet_commands() {
  return {"septet", kDescription, version_text, kCommands, kSummary, kEnvironment, kFiles};
}

}  // namespace septet::command
