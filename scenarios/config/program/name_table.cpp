#include "scenarios/config/program/name_table.hpp"

#include <utility>

#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::config {
namespace {

// More names than this are not useful in a message.
constexpr std::size_t kListedMost = 12;

std::string some_of(std::vector<std::string> names) {
  const std::size_t left_out = names.size() > kListedMost ? names.size() - kListedMost : 0;
  names.resize(names.size() - left_out);
  return listed(names) + (left_out > 0 ? " and " + std::to_string(left_out) + " more" : "");
}

}  // namespace

void NameTable::add(const Name& name, const std::string& path, std::vector<std::uint32_t> indices) {
  const auto [at, added] = entries_.try_emplace(name.text, Entry{name.where, std::move(indices)});
  if (!added) {
    throw ConfigError::value(name.where, path, toml_string(name.text) + " for the second time",
                             "another name (the first is at " + at->second.where.text() + ")");
  }
  order_.push_back(name.text);
}

const std::vector<std::uint32_t>& NameTable::find(const Name& name, const std::string& path) const {
  const auto at = entries_.find(name.text);
  if (at != entries_.end()) return at->second.indices;
  throw ConfigError::value(
      name.where, path, toml_string(name.text),
      "the name of " + kind_ + " (" + some_of(order_) + ")" + did_you_mean(name.text, order_));
}

}  // namespace septet::config
