// Transfers that share links: each would take a known time alone and loads some links; together
// they progress at max-min fair rates.
//
// A transfer's rate is 1 while nothing stretches it. It then takes of each link
//   load / (transfer time x share of the link's rate that its data can have),
// at most all of it: one that is bound by its links leaves nothing to others. On each link what all
// transfers take, times their rates, adds up to at most the link's rate; rates rise together until
// a link is full, then those on other links rise on (progressive filling; Bertsekas and Gallager,
// "Data Networks", section 6.5). Rates change when a transfer starts or ends, and only for those
// that it meets over some chain of links. Ignored: that a chunk waits for the one before it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/network/collective/collective_model.hpp"

namespace septet {

class LinkSharing {
 public:
  struct Ending {
    std::uint32_t transfer = 0;
    Instant at;
  };

  // `network` must outlive it.
  explicit LinkSharing(const CollectiveModel& network) : network_(network) {}

  // Both return the ends of all transfers whose rate changed or that are new, by number.
  std::vector<Ending> start(std::uint32_t transfer, const CollectivePlan& plan, Instant now);
  std::vector<Ending> end(std::uint32_t transfer, Instant now);

  std::size_t running() const { return transfers_.size(); }

 private:
  struct Transfer {
    const CollectivePlan* plan = nullptr;
    double left = 0;  // picoseconds alone
    double rate = 1;
    double share = 1;  // of a link's rate that its data can have
    Instant since;     // `left` was worked out
  };

  std::vector<std::uint32_t> met_by(std::span<const LinkLoad> loads) const;
  std::vector<Ending> share(std::vector<std::uint32_t> group, Instant now);
  std::vector<double> fill(const std::vector<std::uint32_t>& group) const;
  double demand(const Transfer& transfer, const LinkLoad& load) const;

  const CollectiveModel& network_;
  std::unordered_map<std::uint32_t, Transfer> transfers_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> on_link_;
};

}  // namespace septet
