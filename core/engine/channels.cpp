#include "core/engine/channels.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/base/error.hpp"

namespace septet::engine {

void Channels::add_all(Duration lookahead) { all_ = std::min(all_, lookahead); }

void Channels::freeze(std::uint32_t lps) {
  if (channels_.empty()) return;
  SEPTET_ASSERT(channels_.size() < std::numeric_limits<std::uint32_t>::max());
  std::sort(channels_.begin(), channels_.end(), [](const Channel& x, const Channel& y) {
    return std::tie(x.from, x.to, x.lookahead) < std::tie(y.from, y.to, y.lookahead);
  });
  first_.assign(lps + std::size_t{1}, 0);
  for (const Channel& channel : channels_) ++first_[channel.from + std::size_t{1}];
  for (std::size_t index = 1; index < first_.size(); ++index) first_[index] += first_[index - 1];
}

std::span<const Channels::Channel> Channels::from(LpId sender) const {
  if (first_.empty()) return {};
  const std::uint32_t begin = first_[sender];
  return std::span(channels_).subspan(begin, first_[sender + std::size_t{1}] - begin);
}

// The shortest of several channels of one pair is sorted first.
Duration Channels::lookahead_of_pair(LpId from, LpId to) const {
  const std::span<const Channel> own = this->from(from);
  const auto found = std::lower_bound(
      own.begin(), own.end(), to, [](const Channel& channel, LpId id) { return channel.to < id; });
  if (found == own.end() || found->to != to) return all_;
  return std::min(all_, found->lookahead);
}

}  // namespace septet::engine
