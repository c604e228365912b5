#include "tools/septet/command_text.hpp"

#include <array>
#include <utility>

#include "tools/septet/options.hpp"

namespace septet::command {
namespace {

constexpr std::string_view kPrefix = "--help=";
constexpr std::array<std::pair<HelpFormat, std::string_view>, 2> kFormats = {{
    {HelpFormat::kManual, "--help=man"},
    {HelpFormat::kBashCompletion, "--help=bash"},
}};

}  // namespace

std::optional<HelpFormat> help_format(const std::vector<std::string>& arguments) {
  if (arguments.empty() || !arguments.front().starts_with(kPrefix)) return std::nullopt;
  for (const auto& [format, text] : kFormats) {
    if (arguments.front() == text) return format;
  }
  throw UsageError("--help: got '" + arguments.front().substr(kPrefix.size()) +
                   "', wanted man, bash or nothing");
}

std::string_view help_format_text(HelpFormat format) {
  for (const auto& [known, text] : kFormats) {
    if (known == format) return text;
  }
  return "";
}

}  // namespace septet::command
