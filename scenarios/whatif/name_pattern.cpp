#include "scenarios/whatif/name_pattern.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "core/base/error.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/whatif/changes.hpp"

namespace septet::whatif {
namespace {

constexpr std::size_t kMostNames = 5;
constexpr std::size_t kLongestName = 90;

// Throws where `pattern` is not a regular expression, or needs more memory than RE2 gives it.
void check(const std::string& what_if, const RE2& pattern) {
  if (pattern.pattern().empty()) changes::wrong_value(what_if, "", "a regular expression");
  if (pattern.ok()) return;
  changes::wrong_value(what_if, pattern.pattern(),
                       fmt::format("a regular expression (RE2): {}", pattern.error()));
}

std::vector<bool> matches(const std::vector<std::string>& names, const RE2& pattern) {
  std::vector<bool> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(RE2::PartialMatch(name, pattern));
  return out;
}

std::vector<std::string> kernel_names(const program::Program& program) {
  std::vector<std::string> names;
  for (const program::Kernel& kernel : program.kernels) names.push_back(kernel.name);
  return names;
}

// Identifiers of three letters and more.
std::set<std::string> words(const std::string& text) {
  std::set<std::string> out;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    if (word.size() >= 3) out.insert(word);
    word.clear();
  }
  return out;
}

std::string shortened(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  return fmt::format("{}...", std::string_view(name).substr(0, kLongestName - 3));
}

}  // namespace

NamePattern::NamePattern(const std::string& what_if, const std::string& regex,
                         const program::Program& program)
    : what_if_(what_if), regex_(regex) {
  // Names are bytes: those of recordings need not be UTF-8.
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  const RE2 pattern(regex, options);
  check(what_if, pattern);
  kernels_ = matches(kernel_names(program), pattern);
  strings_ = matches(program.strings, pattern);
  copies_ = RE2::PartialMatch(name_of(program::CallKind::kCopy), pattern);
  memsets_ = RE2::PartialMatch(name_of(program::CallKind::kMemset), pattern);
}

template <class Thing>
bool NamePattern::memory(const Thing& thing) const {
  if (!program::is<program::Copy>(thing) && !program::is<program::Memset>(thing)) return false;
  if (thing.name != kNone) return strings_[thing.name];
  return program::is<program::Copy>(thing) ? copies_ : memsets_;
}

bool NamePattern::launch(const program::Call& call) const {
  const auto* launch = program::get_if<program::LaunchKernel>(call);
  return launch != nullptr && kernels_[launch->kernel];
}

bool NamePattern::launch(const program::GraphNode& node) const {
  const auto* launch = program::get_if<program::LaunchKernel>(node);
  return launch != nullptr && kernels_[launch->kernel];
}

bool NamePattern::work(const program::Call& call) const { return launch(call) || memory(call); }

bool NamePattern::work(const program::GraphNode& node) const {
  return launch(node) || memory(node);
}

void NamePattern::nothing_matches(const program::Program& program) const {
  const std::vector<std::string> near = near_kernels(regex_, program);
  throw ConfigError(
      {}, fmt::format("what-if {}: '{}' matches nothing that runs; there {} {}", what_if_, regex_,
                      near.size() == 1 ? "is" : "are",
                      near.empty() ? "no kernels" : fmt::format("{}", fmt::join(near, ", "))));
}

std::vector<std::string> near_kernels(const std::string& regex, const program::Program& program) {
  std::set<std::string> known;
  for (const program::Kernel& kernel : program.kernels) known.merge(words(kernel.name));
  const std::vector<std::string> candidates(known.begin(), known.end());
  std::set<std::string> near;
  for (const std::string& word : words(regex)) {
    for (const std::string& miss : config::near_misses(word, candidates)) near.insert(miss);
  }
  const auto is_near = [&](const std::string& name) {
    const std::set<std::string> of_name = words(name);
    return std::any_of(near.begin(), near.end(),
                       [&](const std::string& word) { return of_name.contains(word); });
  };
  std::vector<std::string> out;
  for (const bool wanted : {true, false}) {
    for (const std::string& name : kernel_names(program)) {
      const std::string text = "'" + shortened(name) + "'";
      const bool listed = std::find(out.begin(), out.end(), text) != out.end();
      if (out.size() < kMostNames && !listed && is_near(name) == wanted) out.push_back(text);
    }
    if (!out.empty()) break;
  }
  return out;
}

}  // namespace septet::whatif
