// The command line of one command: its options, its --help and its errors.
//
// Boost.Program_options splits the words (with the guessing of shortened names off); turning a word
// into a value is done here, because its numbers accept "-1" as a huge unsigned one. An error is a
// UsageError that names the option, what was found and what was expected.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>

#include "core/base/quantity.hpp"
#include "tools/septet/command_text.hpp"
#include "tools/septet/exit_code.hpp"

namespace septet::command {

class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, std::string command = {})
      : std::runtime_error(message), command_(std::move(command)) {}

  const std::string& command() const { return command_; }  // whose --help to read, if known

 private:
  std::string command_;
};

// Options with the same meaning in every command that has them.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  // 0 on the command line becomes the number of cores. A command whose default that is says 0 here.
  std::uint64_t threads = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> settings;  // "key=value" of each --set
  std::string output_dir;
};
enum class Common { kJson, kQuiet, kThreads, kSeed, kSet, kOutputDir };

class Options {
 public:
  using Reader = std::function<void(const std::string& text)>;  // throws UsageError

  explicit Options(CommandHelp help);

  // Each target keeps its value where the option isn't given. `shown` is the placeholder in --help.
  // A name "output,o" has the short form -o.
  void flag(const std::string& name, bool& target, const std::string& description);
  void text(const std::string& name, const std::string& shown, std::string& target,
            const std::string& description);
  void texts(const std::string& name, const std::string& shown, std::vector<std::string>& target,
             const std::string& description);
  void count(const std::string& name, std::uint64_t& target, const std::string& description,
             std::uint64_t least = 0,
             std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  void number(const std::string& name, double& target, const std::string& description, double least,
              double most);
  // `unit`: what a number without one means; none where it is empty, which is an error.
  void duration(const std::string& name, Duration& target, const std::string& description,
                const std::string& unit = {});
  void choice(const std::string& name, std::string& target, const std::vector<std::string>& choices,
              const std::string& description);
  // Anything else: `read` is called once for each time that the option is given.
  void value(const std::string& name, const std::string& shown, const std::string& description,
             Reader read, bool repeatable = false);
  void common(CommonOptions& target, std::initializer_list<Common> which);

  // A word without a name, in this order; at least `least` of the list.
  void positional(const std::string& shown, std::string& target);
  void positionals(const std::string& shown, std::vector<std::string>& target,
                   std::size_t least = 1);

  // Reads the command line. False: --help was given and printed, in any format.
  [[nodiscard]] bool parse(const std::vector<std::string>& arguments);
  std::string help() const;
  CommandText text() const;

 private:
  struct Entry {
    std::string name;
    std::string shown;  // what stands for its value in --help; empty: it takes none
    bool repeatable;
    Reader read;
    std::string description;
  };
  struct Positional {
    std::string shown;
    std::size_t least;
    std::size_t most;
    Reader read;
  };

  void common_option(CommonOptions& target, Common which);
  bool parse_words(const std::vector<std::string>& arguments);
  void check_value(const Entry& entry, const boost::program_options::option& option) const;
  void read_named(const boost::program_options::option& option,
                  std::vector<std::string>& seen) const;
  void read_positionals(const std::vector<std::string>& words) const;
  std::vector<std::string> names() const;
  boost::program_options::parsed_options split(const std::vector<std::string>& arguments) const;

  CommandHelp help_;
  boost::program_options::options_description described_;
  std::vector<Entry> entries_;
  std::vector<Positional> positionals_;
};

// Whole words to values, for an option's Reader; `name` appears in the UsageError.
std::uint64_t read_count(const std::string& name, const std::string& text, std::uint64_t least,
                         std::uint64_t most);
double read_number(const std::string& name, const std::string& text, double least, double most);

}  // namespace septet::command
