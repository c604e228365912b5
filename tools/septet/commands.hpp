// The commands of `septet`. Each is in command_NAME.cpp, takes the arguments after its name and
// returns an exit code; errors are exceptions (dispatch.hpp).
#pragma once

#include <string>
#include <vector>

#include "tools/septet/dispatch.hpp"

namespace septet::command {

int command_capacity(const std::vector<std::string>& arguments);
int command_sweep(const std::vector<std::string>& arguments);
int command_bench(const std::vector<std::string>& arguments);
int command_compare(const std::vector<std::string>& arguments);
int command_config(const std::vector<std::string>& arguments);
int command_run(const std::vector<std::string>& arguments);
int command_replay(const std::vector<std::string>& arguments);
int command_validate(const std::vector<std::string>& arguments);
int command_report(const std::vector<std::string>& arguments);
int command_explain(const std::vector<std::string>& arguments);
int command_export(const std::vector<std::string>& arguments);
int command_hardware(const std::vector<std::string>& arguments);
int command_models(const std::vector<std::string>& arguments);
int command_plan(const std::vector<std::string>& arguments);
int command_occupancy(const std::vector<std::string>& arguments);

// Name, summary and function of every command, in the order of `septet --help`.
CommandGroup septet_commands();

}  // namespace septet::command
