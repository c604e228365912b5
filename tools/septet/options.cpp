#include "tools/septet/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "tools/septet/bash_completion.hpp"
#include "tools/septet/manual_page.hpp"
#include "tools/septet/shipped_places.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

namespace po = boost::program_options;

constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
constexpr const char* kWords = "septet-words";  // where Program_options puts words without a name

std::string count_range(std::uint64_t least, std::uint64_t most) {
  if (most == std::numeric_limits<std::uint64_t>::max()) {
    return fmt::format("a whole number of at least {}", least);
  }
  return fmt::format("a whole number from {} to {}", least, most);
}

std::string exit_code_lines(const std::vector<ExitCode>& codes) {
  std::string out;
  for (const ExitCode code : codes) {
    out += fmt::format("  {:<3} {}\n", static_cast<int>(code), exit_code_text(code));
  }
  return out;
}

std::string strip_dashes(const std::string& word) {
  const std::size_t first = word.find_first_not_of('-');
  return first == std::string::npos ? word : word.substr(first);
}

}  // namespace

std::uint64_t read_count(const std::string& name, const std::string& text, std::uint64_t least,
                         std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > most) {
    throw UsageError(
        fmt::format("--{}: got '{}', wanted {}", name, text, count_range(least, most)));
  }
  return value;
}

double read_number(const std::string& name, const std::string& text, double least, double most) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool inside = std::isfinite(value) && value >= least && value <= most;
  if (error != std::errc() || rest != end || !inside) {
    throw UsageError(
        fmt::format("--{}: got '{}', wanted a number from {} to {}", name, text, least, most));
  }
  return value;
}

Options::Options(CommandHelp help)
    : help_(std::move(help)),
      described_("Options", static_cast<unsigned>(
                                std::min<std::size_t>(100, describe_terminal(stdout).columns))) {
  described_.add_options()("help,h", "show this help and stop");
}

void Options::value(const std::string& name, const std::string& shown,
                    const std::string& description, Reader read, bool repeatable) {
  auto* semantic = po::value<std::vector<std::string>>()->value_name(shown);
  described_.add_options()(name.c_str(), semantic, description.c_str());
  entries_.push_back(
      {name.substr(0, name.find(',')), shown, repeatable, std::move(read), description});
}

void Options::flag(const std::string& name, bool& target, const std::string& description) {
  described_.add_options()(name.c_str(), description.c_str());
  entries_.push_back(
      {name, "", false, [&target](const std::string&) { target = true; }, description});
}

void Options::text(const std::string& name, const std::string& shown, std::string& target,
                   const std::string& description) {
  value(name, shown, description, [&target](const std::string& word) { target = word; });
}

void Options::texts(const std::string& name, const std::string& shown,
                    std::vector<std::string>& target, const std::string& description) {
  const auto read = [&target](const std::string& word) { target.push_back(word); };
  value(name, shown, description, read, true);
}

void Options::count(const std::string& name, std::uint64_t& target, const std::string& description,
                    std::uint64_t least, std::uint64_t most) {
  value(name, "N", description, [name, &target, least, most](const std::string& word) {
    target = read_count(name, word, least, most);
  });
}

void Options::number(const std::string& name, double& target, const std::string& description,
                     double least, double most) {
  value(name, "X", description, [name, &target, least, most](const std::string& word) {
    target = read_number(name, word, least, most);
  });
}

void Options::choice(const std::string& name, std::string& target,
                     const std::vector<std::string>& choices, const std::string& description) {
  const std::string shown = fmt::format("{}", fmt::join(choices, "|"));
  value(name, shown, description, [name, &target, choices](const std::string& word) {
    if (std::ranges::find(choices, word) == choices.end()) {
      throw UsageError(fmt::format("--{}: got '{}', wanted one of {}{}", name, word,
                                   fmt::join(choices, ", "), config::did_you_mean(word, choices)));
    }
    target = word;
  });
}

void Options::positional(const std::string& shown, std::string& target) {
  positionals_.push_back({shown, 1, 1, [&target](const std::string& word) { target = word; }});
}

void Options::positionals(const std::string& shown, std::vector<std::string>& target,
                          std::size_t least) {
  positionals_.push_back({shown, least, std::numeric_limits<std::size_t>::max(),
                          [&target](const std::string& word) { target.push_back(word); }});
}

std::vector<std::string> Options::names() const {
  std::vector<std::string> out = {"--help"};
  for (const Entry& entry : entries_) out.push_back("--" + entry.name);
  return out;
}

po::parsed_options Options::split(const std::vector<std::string>& arguments) const {
  po::options_description all;
  all.add(described_);
  all.add_options()(kWords, po::value<std::vector<std::string>>());
  po::positional_options_description words;
  words.add(kWords, -1);
  try {
    return po::command_line_parser(arguments).options(all).positional(words).style(kStyle).run();
  } catch (const po::unknown_option& error) {
    const std::string name = "--" + strip_dashes(error.get_option_name());
    throw UsageError(
        fmt::format("unknown option '{}'{}", name, config::did_you_mean(name, names())));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
}

// A word that looks like an option is one whose value was forgotten; `--name=--value` is meant so.
void Options::check_value(const Entry& entry, const po::option& option) const {
  const std::string& value = option.value.front();
  const bool next_word = option.original_tokens.size() > 1;
  if (next_word && (value.starts_with("--") || value == "-h")) {
    throw UsageError(
        fmt::format("--{}: got the option '{}', wanted {}", entry.name, value, entry.shown));
  }
  if (value.empty()) {
    throw UsageError(fmt::format("--{}: got an empty text, wanted {}", entry.name, entry.shown));
  }
}

void Options::read_named(const po::option& option, std::vector<std::string>& seen) const {
  const std::string& name = option.string_key;
  const auto entry = std::ranges::find(entries_, name, &Entry::name);
  const bool again = std::ranges::find(seen, name) != seen.end();
  if (again && !entry->repeatable) {
    throw UsageError(fmt::format("--{} is given more than once", name));
  }
  seen.push_back(name);
  if (entry->shown.empty()) return entry->read({});
  check_value(*entry, option);
  entry->read(option.value.front());
}

void Options::read_positionals(const std::vector<std::string>& words) const {
  std::size_t next = 0;
  if (std::ranges::find(words, "") != words.end()) {
    throw UsageError(fmt::format("got an empty text, wanted {}",
                                 positionals_.empty() ? "an option" : positionals_.front().shown));
  }
  for (const Positional& positional : positionals_) {
    std::size_t taken = 0;
    for (; next < words.size() && taken < positional.most; ++taken) positional.read(words[next++]);
    if (taken < positional.least) throw UsageError(fmt::format("{} is missing", positional.shown));
  }
  if (next < words.size()) {
    throw UsageError(fmt::format("unexpected argument '{}'", words[next]));
  }
}

bool Options::parse(const std::vector<std::string>& arguments) {
  try {
    return parse_words(arguments);
  } catch (const UsageError& error) {
    throw UsageError(error.what(), help_.command);
  }
}

bool Options::parse_words(const std::vector<std::string>& arguments) {
  if (const auto format = help_format(arguments)) {
    const bool manual = *format == HelpFormat::kManual;
    fmt::print("{}", manual ? manual_body(text()) : completion_entry(text()));
    return false;
  }
  const po::parsed_options parsed = split(arguments);
  const auto is_help = [](const po::option& option) { return option.string_key == "help"; };
  if (std::ranges::any_of(parsed.options, is_help)) {
    fmt::print("{}", help());
    return false;
  }
  std::vector<std::string> words;
  std::vector<std::string> seen;
  for (const po::option& option : parsed.options) {
    if (option.string_key != kWords) {
      read_named(option, seen);
    } else {
      words.insert(words.end(), option.value.begin(), option.value.end());
    }
  }
  read_positionals(words);
  return true;
}

CommandText Options::text() const {
  CommandText out{help_, {}, {}};
  for (const Entry& entry : entries_) {
    out.options.push_back({entry.name, entry.shown, entry.description});
  }
  for (const Positional& positional : positionals_) out.words.push_back(positional.shown);
  return out;
}

namespace {

// With paths that work also where Septet is installed.
std::string example_text(const CommandHelp& help) {
  try {
    return with_places(help.example, config::data_directories());
  } catch (const ConfigError&) {
    return help.example;  // a wrong SEPTET_DATA, which is for commands that look for data to say
  }
}

}  // namespace

std::string Options::help() const {
  std::ostringstream options;
  options << described_;
  return fmt::format("Usage: {} {}\n\n{}\n\n{}\nExample:\n  {}\n\nExit codes:\n{}", help_.command,
                     help_.arguments, help_.description, options.str(), example_text(help_),
                     exit_code_lines(help_.exit_codes));
}

}  // namespace septet::command
