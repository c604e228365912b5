#include "tools/septet/dispatch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/files/file_error.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "tools/septet/bash_completion.hpp"
#include "tools/septet/exit_code.hpp"
#include "tools/septet/help_topics.hpp"
#include "tools/septet/interrupt.hpp"
#include "tools/septet/manual_page.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

// The failure as JSON and text.
struct Failure {
  ExitCode code = kExitFailure;
  std::string_view kind;
  std::string message;
  Location where = {};
};

constexpr int kVariableWidth = 11;  // of the longest environment variable

bool is_whole_program(const CommandGroup& group) { return group.version != nullptr; }

std::string group_help(const CommandGroup& group) {
  std::size_t widest = 0;
  for (const Subcommand& command : group.commands) widest = std::max(widest, command.name.size());
  std::string out = fmt::format("Usage: {} COMMAND [options]\n\n{}\n\nCommands:\n", group.program,
                                group.description);
  for (const Subcommand& command : group.commands) {
    out += fmt::format("  {:<{}}  {}\n", command.name, widest, command.summary);
  }
  if (is_whole_program(group)) out += "\nPages:\n";
  for (const HelpTopic& topic : help_topics()) {
    if (is_whole_program(group)) out += fmt::format("  help {}  {}\n", topic.name, topic.summary);
  }
  if (!group.environment.empty()) out += "\nEnvironment:\n";
  for (const NamedText& variable : group.environment) {
    out += fmt::format("  {:<{}}  {}\n", variable.name, kVariableWidth, variable.text);
  }
  out += fmt::format("\nRun {} COMMAND --help for details and an example.\n", group.program);
  return out;
}

// The manual pages of the group and of all that is in it, or its completions.
int print_help_as(HelpFormat format, const CommandGroup& group) {
  const bool manual = format == HelpFormat::kManual;
  if (is_whole_program(group)) {
    fmt::print("{}", manual ? manual_head(group.program, group.summary) : completion_begin());
  }
  fmt::print("{}", manual ? manual_body(group) : completion_entry(group));
  for (const Subcommand& command : group.commands) {
    run_command(group, {std::string(command.name), std::string(help_format_text(format))});
  }
  if (is_whole_program(group) && !manual) fmt::print("{}", completion_end());
  return kExitOk;
}

std::vector<std::string> command_names(const CommandGroup& group) {
  std::vector<std::string> out = {"help"};
  for (const Subcommand& command : group.commands) out.emplace_back(command.name);
  return out;
}

[[noreturn]] void throw_unknown(const CommandGroup& group, const std::string& word) {
  const bool option = word.starts_with("-");
  throw UsageError(fmt::format("unknown {} '{}'{}", option ? "option" : "command", word,
                               config::did_you_mean(word, command_names(group))));
}

// `help COMMAND` is `COMMAND --help`; `help` alone shows the list.
int run_help(const CommandGroup& group, const std::vector<std::string>& arguments) {
  for (const HelpTopic& topic : help_topics()) {
    if (!is_whole_program(group) || arguments.size() < 2 || arguments[1] != topic.name) continue;
    fmt::print("{}", topic.text);
    return kExitOk;
  }
  if (arguments.size() > 1) return run_command(group, {arguments[1], "--help"});
  fmt::print("{}", group_help(group));
  return kExitOk;
}

void report_json(const Failure& failure) {
  nlohmann::ordered_json error = {{"kind", failure.kind},
                                  {"message", failure.message},
                                  {"exit_code", static_cast<int>(failure.code)}};
  if (!failure.where.file.empty()) error["file"] = failure.where.file;
  if (failure.where.line > 0) error["line"] = failure.where.line;
  if (failure.where.column > 0) error["column"] = failure.where.column;
  if (failure.where.byte >= 0) error["byte"] = failure.where.byte;
  using Json = nlohmann::ordered_json;
  // Names from a corrupt file need not be valid UTF-8.
  fmt::print("{}\n", Json({{"error", error}}).dump(2, ' ', false, Json::error_handler_t::replace));
}

int report(const Failure& failure, bool json) {
  wait_if_ending();
  const bool color = describe_terminal(stderr).color;
  fmt::print(stderr, "septet: {}error:{} {}\n", color ? "\x1b[31m" : "", color ? "\x1b[0m" : "",
             failure.message);
  if (json) report_json(failure);
  return failure.code;
}

Failure output_failure(int error_number) {
  return {kExitFailure, "output",
          "standard output: cannot be written: " + files::reason_of(error_number)};
}

// A command's output is only good if all of it was written.
int flush_output(int code) {
  wait_if_ending();
  errno = 0;
  const bool complete = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (complete || code != kExitOk) return code;
  return report(output_failure(errno), false);
}

// Errors in a command's own options name that command; others name the group.
std::string usage_message(const CommandGroup& group, const UsageError& error) {
  const std::string program =
      error.command().empty() ? std::string(group.program) : error.command();
  return fmt::format("{}\nTry '{} --help'.", error.what(), program);
}

// An invalid option value is located at the option: "--set".
Failure failure_of(const ConfigError& error) {
  const bool option = error.where().file.starts_with("--");
  return {option ? kExitUsage : kExitInput, option ? "usage" : "input", error.what(),
          error.where()};
}

}  // namespace

int run_command(const CommandGroup& group, const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError("a command is missing");
  if (const auto format = help_format(arguments)) return print_help_as(*format, group);
  const std::string& word = arguments.front();
  if (word == "--help" || word == "-h" || word == "help") return run_help(group, arguments);
  if (word == "--version" && is_whole_program(group)) {
    fmt::print("{} {}\n", group.program, group.version());
    return kExitOk;
  }
  const auto found = std::ranges::find(group.commands, word, &Subcommand::name);
  if (found == group.commands.end()) throw_unknown(group, word);
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (help_format(rest) == HelpFormat::kManual) {
    fmt::print("{}", manual_head(fmt::format("{} {}", group.program, word), found->summary));
  }
  return found->run(rest);
}

int run_program(const CommandGroup& group, const std::vector<std::string>& arguments) {
  const bool json = std::ranges::find(arguments, "--json") != arguments.end();
  try {
    return flush_output(run_command(group, arguments));
  } catch (const UsageError& error) {
    return report({kExitUsage, "usage", usage_message(group, error)}, json);
  } catch (const ConfigError& error) {
    return report(failure_of(error), json);
  } catch (const RangeError& error) {
    return report({kExitInput, "range", error.what()}, json);
  } catch (const ModelError& error) {
    return report({kExitFailure, "model", error.what()}, json);
  } catch (const Interrupted& error) {
    return report({kExitInterrupted, "interrupted", error.what()}, json);
  } catch (const std::system_error& error) {  // of fmt, among others
    if (std::ferror(stdout) != 0) return report(output_failure(error.code().value()), false);
    return report({kExitFailure, "runtime", error.what()}, json);
  } catch (const std::bad_alloc&) {
    return report({kExitFailure, "memory", "out of memory"}, json);
  } catch (const std::exception& error) {
    return report({kExitFailure, "runtime", error.what()}, json);
  }
}

}  // namespace septet::command
