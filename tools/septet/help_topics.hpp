// Pages of help that belong to no command: `septet help TOPIC`.
#pragma once

#include <span>
#include <string_view>

namespace septet::command {

struct HelpTopic {
  std::string_view name;
  std::string_view summary;  // one line of `septet --help`
  std::string_view text;
};

std::span<const HelpTopic> help_topics();

}  // namespace septet::command
