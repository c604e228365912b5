#include "models/workload/recorded/recording/string_table.hpp"

#include <utility>

namespace septet::recorded {

std::uint32_t StringTable::index(std::string_view text) {
  if (const auto found = indices_.find(text); found != indices_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(indices_.size());
  indices_.emplace(text, index);
  return index;
}

std::vector<std::string> StringTable::take() {
  std::vector<std::string> texts(indices_.size());
  while (!indices_.empty()) {
    auto node = indices_.extract(indices_.begin());
    texts[node.mapped()] = std::move(node.key());
  }
  return texts;
}

}  // namespace septet::recorded
