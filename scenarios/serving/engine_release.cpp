#include "scenarios/serving/engine_release.hpp"

#include <algorithm>
#include <charconv>

namespace septet::serving {
namespace {

bool has_alias(const EngineProfile& profile, const std::string& alias) {
  return std::ranges::find(profile.aliases, alias) != profile.aliases.end();
}

}  // namespace

std::vector<int> release_numbers(const std::string& text) {
  std::vector<int> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int number = 0;
    const auto [next, failed] = std::from_chars(at, end, number);
    if (failed != std::errc{}) break;
    out.push_back(number);
    at = next;
    if (at == end || *at != '.') break;
    ++at;
  }
  return out;
}

const EngineProfile* profile_of_release(const std::vector<EngineProfile>& profiles,
                                        const std::string& name) {
  const std::size_t space = name.find(' ');
  const std::string alias = name.substr(0, space);
  const bool latest = space == std::string::npos;
  const std::vector<int> release =
      latest ? std::vector<int>{} : release_numbers(name.substr(space + 1));
  if (!latest && release.empty()) return nullptr;
  const EngineProfile* out = nullptr;
  for (const EngineProfile& profile : profiles) {
    const std::vector<int> since = release_numbers(profile.since);
    if (!has_alias(profile, alias) || (!latest && since > release)) continue;
    if (out == nullptr || since > release_numbers(out->since)) out = &profile;
  }
  return out;
}

}  // namespace septet::serving
