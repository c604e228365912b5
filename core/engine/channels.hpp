// Which LPs may send to which others, and their minimum delays (lookahead).
//
// Channels are collected while a model is built and frozen before it runs: then the channels of one
// sender lie side by side, sorted by receiver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/quantity.hpp"
#include "core/engine/event.hpp"

namespace septet::engine {

class Channels {
 public:
  struct Channel {
    LpId from = 0;
    LpId to = 0;
    Duration lookahead;
  };

  // Longer than any delay: returned if there is no channel.
  static constexpr Duration kNoChannel = Duration::max();

  void add(const Channel& channel) { channels_.push_back(channel); }
  void add_all(Duration lookahead);
  void freeze(std::uint32_t lps);

  // The smallest delay with which `from` may send to `to`; the smaller one of several channels.
  Duration lookahead(LpId from, LpId to) const {
    if (first_.empty()) return all_;
    return lookahead_of_pair(from, to);
  }

  bool any_to_any() const { return all_ != kNoChannel; }
  Duration all() const { return all_; }
  std::span<const Channel> from(LpId sender) const;

 private:
  Duration lookahead_of_pair(LpId from, LpId to) const;

  Duration all_ = kNoChannel;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> first_;  // where each sender's channels start; empty without channels
};

}  // namespace septet::engine
