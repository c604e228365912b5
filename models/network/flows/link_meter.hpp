// The traffic of links while transfers share them: bytes and utilization over time.
//
// A link's rate is the sum of what its transfers load it with, times their rates, and constant
// between two changes; each such stretch of time is one interval. What is reported over all
// intervals of a link adds up, to the byte, to the loads of the transfers that have ended.
//
// Bytes that a link could not carry within a transfer's time, since the library's protocol moves
// them while it starts up (a message of LL may have no other time at all), count for the start-up;
// those intervals may lie over others of the same link. Ignored: when inside a collective a link is
// busy; its bytes are spread evenly over the time of the transfer.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/network/flows/link_sharing.hpp"

namespace septet::network {

struct LinkInterval {
  std::uint32_t link = 0;
  Instant start, end;
  Bytes bytes{};           // carried between them
  double utilization = 0;  // bytes / (rate of the link * time)
};

class LinkMeter {
 public:
  // Watches the links whose code is not negative (traced_links.hpp). All must outlive it.
  LinkMeter(const CollectiveModel& network, const LinkSharing& sharing,
            const std::vector<std::int32_t>& codes)
      : network_(network), sharing_(sharing), codes_(codes) {}

  // To be called after the same call of the sharing, with what that returned. Both return the
  // intervals that end now, by link.
  std::vector<LinkInterval> start(std::uint32_t transfer, const CollectivePlan& plan, Instant now,
                                  const std::vector<LinkSharing::Ending>& changed);
  std::vector<LinkInterval> end(std::uint32_t transfer, Instant now,
                                const std::vector<LinkSharing::Ending>& changed);

  // What a collective moves between the arrival of its last rank and its transfer, by link.
  std::vector<LinkInterval> start_up(const CollectivePlan& plan, Instant begin) const;

 private:
  struct Carried {
    std::uint32_t transfer = 0;
    Bytes bytes{};      // of the transfer as a whole
    double demand = 0;  // bytes per second while nothing stretches it
  };
  struct Link {
    double capacity = 0;  // bytes per second
    std::vector<Carried> carried;
    std::int64_t ended = 0;     // bytes of transfers that have
    std::int64_t reported = 0;  // bytes
    double rate = 0;            // bytes per second since
    Instant since;
  };

  bool watches(const LinkLoad& load) const { return codes_[load.link] >= 0; }
  std::vector<LinkInterval> close(std::vector<std::uint32_t> links, Instant now,
                                  const std::vector<LinkSharing::Ending>& changed);
  void close(std::uint32_t number, Instant now, std::vector<LinkInterval>& out);

  const CollectiveModel& network_;
  const LinkSharing& sharing_;
  const std::vector<std::int32_t>& codes_;
  std::unordered_map<std::uint32_t, const CollectivePlan*> plans_;  // of transfers under way
  std::unordered_map<std::uint32_t, Link> links_;
};

}  // namespace septet::network
