#include "scenarios/config/toml/near_miss.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/toml/renamed.hpp"

namespace septet::config {
namespace {

// Names are compared without case and separators, which are easily confused.
std::string folded(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c == '-' || c == '_' || c == ' ') continue;
    out += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the usual table; a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({replaced, row[j] + 1, next[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

std::vector<std::string> near_misses(std::string_view word,
                                     const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 64;  // longer ones are not compared
  std::vector<std::string> nearest;
  std::size_t least = kLongestWord;
  const std::string typed = folded(word);
  for (const std::string& candidate : candidates) {
    const std::string known = folded(candidate);
    if (typed.size() > kLongestWord || known.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(typed, known);
    if (distance > std::max(typed.size(), known.size()) / 3 || distance > least) continue;
    if (distance < least) nearest.clear();
    least = distance;
    nearest.push_back(candidate);
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  for (const RenamedName& name : renamed_names()) {
    if (name.before != word || std::ranges::find(candidates, name.now) == candidates.end())
      continue;
    return fmt::format(" ('{}' is now called '{}')", name.before, name.now);
  }
  std::vector<std::string> near = near_misses(word, candidates);
  if (near.empty()) return "";
  for (std::string& name : near) name = fmt::format("'{}'", name);
  return fmt::format(" (did you mean {}?)", fmt::join(near, " or "));
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace septet::config
