// What a command says of itself, as --help, its manual page and the completions of a shell show it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/septet/exit_code.hpp"

namespace septet::command {

// What there is to say besides the options.
struct CommandHelp {
  std::string command;      // "septet export"
  std::string arguments;    // what follows it: "FILE.h5 [options]"
  std::string description;  // a few sentences
  std::string example;      // one or more full command lines
  std::vector<ExitCode> exit_codes = {kExitOk, kExitFailure, kExitUsage, kExitInput};
};

struct OptionText {
  std::string name;         // without dashes
  std::string shown;        // the placeholder of its value, or "one|of|these"; empty: a flag
  std::string description;  // what it means
};

struct CommandText {
  CommandHelp help;
  std::vector<OptionText> options;
  std::vector<std::string> words;  // placeholders of those without a name
};

// An environment variable, a file: what it is for.
struct NamedText {
  std::string_view name;
  std::string_view text;
};

enum class HelpFormat {
  kManual,          // --help=man
  kBashCompletion,  // --help=bash
};

// The format that these words ask for; nothing for a plain --help or none. Throws UsageError where
// there is no such format.
std::optional<HelpFormat> help_format(const std::vector<std::string>& arguments);
std::string_view help_format_text(HelpFormat format);  // "--help=man"

}  // namespace septet::command
