// Traffic as flows that share links fairly: fluid instead of messages.
//
// Modelled: every flow has at each moment its max-min fair rate (max_min.hpp) on the links of its
// route; bytes and busy time of every link. Ignored: latency, which is the caller's to add,
// packets, how long rates take to settle, unfair congestion control.
//
// A plain state machine: the caller says what time it is and asks when the next flow ends. When a
// flow comes or goes, only flows that share links with it, directly or through others, are looked
// at. Times are rounded up to whole picoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/network/flows/max_min.hpp"
#include "models/network/topology/topology.hpp"

namespace septet {

using FlowId = std::uint32_t;

class FlowNetwork {
 public:
  explicit FlowNetwork(const Topology& topology);
  // Links numbered as in `capacities`, all above 0.
  explicit FlowNetwork(const std::vector<ByteRate>& capacities);

  // Time never goes back: `now` is at least that of the call before, and no later than
  // next_completion(). A flow without links moves at its cap. The number is that of no other flow
  // under way; ended flows' numbers are used again.
  FlowId add(Instant now, std::span<const LinkId> route, Bytes bytes,
             ByteRate cap = ByteRate::max());
  void cancel(Instant now, FlowId flow);
  // A link becomes slower or faster.
  void set_capacity(Instant now, LinkId link, ByteRate rate);

  std::optional<Instant> next_completion() const;
  // Ends the flows that complete up to `now`; they are listed in the order of their ends.
  std::vector<FlowId> advance(Instant now);

  std::size_t size() const { return flows_.size() - free_.size(); }
  ByteRate rate(FlowId flow) const { return ByteRate(flows_[flow].rate); }

  struct LinkTotal {
    Bytes bytes{};    // so far, to the nearest byte
    Duration busy{};  // with at least one flow
  };
  LinkTotal total(LinkId link) const;  // up to the last call

 private:
  struct Flow {
    std::vector<LinkId> route;  // each link once
    double left = 0;            // bytes
    double rate = 0;
    double cap = 0;
    Instant since{};            // `left` is as of this time
    std::uint32_t version = 0;  // of its entry in `ends_`
    std::uint32_t mark = 0;
    bool active = false;
  };
  struct LinkState {
    double capacity = 0;
    std::vector<FlowId> flows;
    double bytes = 0;
    Duration busy{};
    Instant busy_since{};
    std::uint32_t mark = 0;
    std::uint32_t place = 0;  // in the sharing problem at hand
  };
  struct End {
    Instant at;
    FlowId flow;
    std::uint32_t version;
    bool operator>(const End& other) const {
      return at != other.at ? at > other.at : flow > other.flow;
    }
  };

  FlowId new_flow();
  void settle(FlowId flow);
  void leave(FlowId flow);
  void set_rate(FlowId flow, double rate);
  // Shares the links anew among the flows that are connected to these links.
  void share(std::vector<LinkId> links);
  std::vector<FlowId> connected(std::vector<LinkId>& links);
  void drop_stale_ends() const;

  std::vector<Flow> flows_;
  std::vector<FlowId> free_;
  std::vector<LinkState> links_;
  // Entries of flows whose rate has changed since are skipped.
  mutable std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  Instant now_{};
  std::uint32_t mark_ = 0;
};

}  // namespace septet
