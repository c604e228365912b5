// From the words of a command line to a command and its exit code. Errors are handled here: a
// message on standard error, with --json also `{"error": {...}}` on standard output.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/septet/command_text.hpp"

namespace septet::command {

struct Subcommand {
  std::string_view name;
  std::string_view summary;  // one line of `septet --help`
  int (*run)(const std::vector<std::string>& arguments);
};

// `program` is the command as typed: "septet", "septet bench".
struct CommandGroup {
  std::string_view program;
  std::string_view description;
  std::string (*version)();  // what --version prints; null: there is no such option
  std::span<const Subcommand> commands;
  std::string_view summary = {};  // one line, where there is a version
  std::span<const NamedText> environment = {};
  std::span<const NamedText> files = {};
};

// Runs one command of the group and lets its exceptions pass.
int run_command(const CommandGroup& group, const std::vector<std::string>& arguments);

// The whole program: every exception becomes a message and an exit code.
int run_program(const CommandGroup& group, const std::vector<std::string>& arguments);

}  // namespace septet::command
