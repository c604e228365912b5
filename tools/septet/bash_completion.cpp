#include "tools/septet/bash_completion.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace septet::command {
namespace {

// What a placeholder stands for. The first that it contains counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kKinds = {{
    {"NAME|FILE.toml", "profile"},
    {"DIR", "folder"},
    {"FOLDER", "folder"},
    {".toml", "file:toml"},
    {".csv", "file:csv"},
    {".svg", "file:svg"},
    {".h5", "file:h5"},
    {"RECORDING", "file"},
    {"FILE", "file"},
    {"PATH", "file"},
    {"REPORT", "file"},
    {"TRACE", "file"},
}};

std::string kind_of(std::string_view shown) {
  for (const auto& [part, kind] : kKinds) {
    if (shown.find(part) != std::string_view::npos) return std::string(kind);
  }
  return "";
}

// The words that are themselves: "auto|SIZE" has "auto".
std::string literals_of(std::string_view shown) {
  std::string out;
  while (!shown.empty()) {
    const std::string_view word = shown.substr(0, shown.find('|'));
    const bool literal = std::ranges::all_of(
        word, [](char letter) { return (letter >= 'a' && letter <= 'z') || letter == '-'; });
    if (literal) out += (out.empty() ? "" : " ") + std::string(word);
    shown.remove_prefix(std::min(word.size() + 1, shown.size()));
  }
  return out;
}

// "run" of "septet run", "bench phold"; nothing of "septet".
std::string_view words_behind(std::string_view program) {
  const std::size_t space = program.find(' ');
  return space == std::string_view::npos ? "" : program.substr(space + 1);
}

// What the value of one option may be, or (label "*") words without a name.
std::string values_line(std::string_view label, std::string_view shown) {
  return fmt::format("        {}) takes='{}' kind='{}' values='{}' ;;\n", label,
                     label == "*" ? "" : "value", kind_of(shown), literals_of(shown));
}

constexpr std::string_view kHead = R"sh(# bash completion for septet, from its option tables.

# What may follow the command $1 or its option $2: sets options, commands, takes (a value), kind
# and values.
_septet_texts() {
  options='' commands='' takes='' kind='' values=''
  case $1 in
)sh";

constexpr std::string_view kTail = R"sh(  esac
}

# Fills COMPREPLY with what $1 may become: files of the kind $2, and the words $3.
_septet_reply() {
  local word=$1 kind=$2 words=$3
  [ "$kind" = profile ] && words="$words $(septet hardware 2>/dev/null | cut -d' ' -f1)"
  mapfile -t COMPREPLY < <({
    compgen -W "$words" -- "$word"
    case $kind in
      folder) compgen -d -- "$word" ;;
      file) compgen -f -- "$word" ;;
      file:*) compgen -d -- "$word"; compgen -f -X "!*.${kind#file:}" -- "$word" ;;
      profile) compgen -d -- "$word"; compgen -f -X '!*.toml' -- "$word" ;;
    esac
  } | sort -u)
  [ -z "$kind" ] || compopt -o filenames 2>/dev/null || true
}

_septet() {
  local options commands takes kind values command='' at=1
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  _septet_texts '' ''
  while [ "$at" -lt "$COMP_CWORD" ] && [[ " $commands " == *" ${COMP_WORDS[at]} "* ]]; do
    command="${command:+$command }${COMP_WORDS[at]}"
    _septet_texts "$command" ''
    at=$((at + 1))
  done
  # "--option=value" comes as three words.
  if [ "$word" = '=' ]; then
    word=''
  elif [ "$before" = '=' ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _septet_texts "$command" "$before"
  if [ -z "$takes" ] && [[ $word == -* ]]; then
    _septet_reply "$word" '' "$options"
  else
    _septet_reply "$word" "$kind" "$commands $values"
  fi
}

complete -F _septet septet
)sh";

}  // namespace

std::string completion_entry(const CommandText& command) {
  std::string options = "--help";
  std::string values;
  for (const OptionText& option : command.options) {
    options += " --" + option.name;
    if (!option.shown.empty()) values += values_line("--" + option.name, option.shown);
  }
  values += values_line("*", command.words.empty() ? "" : command.words.front());
  return fmt::format("    '{}')\n      options='{}'\n      case $2 in\n{}      esac ;;\n",
                     words_behind(command.help.command), options, values);
}

std::string completion_entry(const CommandGroup& group) {
  std::string commands = "help";
  for (const Subcommand& command : group.commands) commands += fmt::format(" {}", command.name);
  return fmt::format("    '{}')\n      options='--help{}'\n      commands='{}' ;;\n",
                     words_behind(group.program), group.version == nullptr ? "" : " --version",
                     commands);
}

std::string completion_begin() { return std::string(kHead); }
std::string completion_end() { return std::string(kTail); }

}  // namespace septet::command
