#include "tools/septet/manual_page.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "tools/septet/options.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

// What troff would take for a request, or for a dash that nobody can search for or copy.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
  }
  return out.starts_with(".") || out.starts_with("'") ? "\\&" + out : out;
}

std::string page_name(std::string_view program) {
  std::string out(program);
  std::ranges::replace(out, ' ', '-');
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

// Lines as they are: commands to type, tables.
std::string verbatim(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string out = ".EX\n";
  for (std::string line; std::getline(lines, line);) out += escaped(line) + "\n";
  return out + ".EE\n";
}

// Prose; empty lines part paragraphs, and what is indented keeps its lines.
std::string prose(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string out;
  std::string block;
  bool gap = false;
  const auto end_block = [&] {
    if (!block.empty()) out += (out.empty() ? "" : ".PP\n") + verbatim(block);
    gap = gap || !block.empty();
    block.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      block += line + "\n";
      continue;
    }
    end_block();
    if (line.empty()) {
      gap = !out.empty();
      continue;
    }
    if (gap) out += ".PP\n";
    gap = false;
    out += escaped(line) + "\n";
  }
  end_block();
  return out;
}

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

std::string item(const std::string& what, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", what, escaped(text));
}

std::string option_items(const CommandText& command) {
  std::string out = item(bold("-h") + ", " + bold("--help"), "show help and stop");
  for (const OptionText& option : command.options) {
    const std::string value = option.shown.empty() ? "" : " " + italic(option.shown);
    out += item(bold("--" + option.name) + value, option.description);
  }
  return out;
}

std::string exit_items(const CommandHelp& help) {
  std::string out;
  for (const ExitCode code : help.exit_codes) {
    out += item(bold(fmt::to_string(static_cast<int>(code))), exit_code_text(code));
  }
  return out;
}

std::string named_items(std::span<const NamedText> texts) {
  std::string out;
  for (const NamedText& each : texts) out += item(bold(each.name), each.text);
  return out;
}

// "septet bench" of "septet bench phold"; nothing above "septet".
std::string_view group_above(std::string_view program) {
  const std::size_t space = program.rfind(' ');
  return space == std::string_view::npos ? "" : program.substr(0, space);
}

std::string reference(std::string_view program) {
  return fmt::format(".BR {} (1)\n", escaped(page_name(program)));
}

}  // namespace

std::string manual_head(std::string_view program, std::string_view summary) {
  std::string title = page_name(program);
  std::ranges::transform(title, title.begin(),
                         [](unsigned char letter) { return std::toupper(letter); });
  return fmt::format(".TH {} 1 \"{}\" \"Septet {}\" \"Septet\"\n.SH NAME\n{} \\- {}\n", title,
                     build_info().date, build_info().version, escaped(page_name(program)),
                     escaped(summary));
}

std::string manual_body(const CommandText& command) {
  const CommandHelp& help = command.help;
  return section("SYNOPSIS", verbatim(help.command + " " + help.arguments)) +
         section("DESCRIPTION", prose(help.description)) +
         section("OPTIONS", option_items(command)) + section("EXAMPLE", verbatim(help.example)) +
         section("EXIT STATUS", exit_items(help)) +
         section("SEE ALSO", reference(group_above(help.command)));
}

std::string manual_body(const CommandGroup& group) {
  std::string commands;
  for (const Subcommand& command : group.commands) {
    commands += item(bold(command.name), command.summary);
  }
  std::string others;
  for (const Subcommand& command : group.commands) {
    others += reference(fmt::format("{} {}", group.program, command.name));
  }
  const std::string_view above = group_above(group.program);
  return section("SYNOPSIS", verbatim(fmt::format("{} COMMAND [options]", group.program))) +
         section("DESCRIPTION", prose(group.description)) + section("COMMANDS", commands) +
         section("ENVIRONMENT", named_items(group.environment)) +
         section("FILES", named_items(group.files)) +
         section("SEE ALSO", (above.empty() ? "" : reference(above)) + others);
}

}  // namespace septet::command
