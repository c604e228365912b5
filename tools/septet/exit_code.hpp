// What the command's exit status means. Scripts rely on these numbers; each command's --help lists
// those that it can give.
#pragma once

namespace septet::command {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailure = 1,       // the run failed: no space, a model used outside its range, ...
  kExitUsage = 2,         // the command line is wrong
  kExitInput = 3,         // an input file is wrong
  kExitObjective = 4,     // everything ran, but an objective of the scenario is not met
  kExitPartial = 5,       // some what-ifs or points of a sweep failed
  kExitInterrupted = 75,  // stopped by a signal; what was finished is kept
};

// "input file or scenario invalid" and so on, for --help.
const char* exit_code_text(ExitCode code);

}  // namespace septet::command
