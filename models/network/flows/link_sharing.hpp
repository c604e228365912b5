// Transfers that share links: each has a known time alone and a load on some links; concurrent
// transfers progress at max-min fair rates.
//
// A transfer's rate is 1 without contention. It then takes of each link
//   load / (transfer time x share of the link's rate that its data can have),
// at most all of it: one that is bound by its links leaves nothing to others. On each link what all
// transfers take, times their rates, adds up to at most the link's rate; how they share is in
// models/network/flows/max_min.hpp. Rates change when a transfer starts or ends, and only for
// transfers connected to it by a chain of shared links. Ignored: that a chunk waits for its
// predecessor.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/network/collective/collective_model.hpp"
#include "models/network/flows/max_min.hpp"

namespace septet::network {

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
  // Of a transfer that has started and not ended: its rate, and the share of it that is done.
  double rate(std::uint32_t transfer) const { return transfers_.at(transfer).rate; }
  double done(std::uint32_t transfer, Instant now) const;

 private:
  struct Link {
    double capacity = 0;                   // bytes per second
    std::vector<std::uint32_t> transfers;  // on it now
    std::uint32_t mark = 0;                // of the last search that came here
    std::uint32_t place = 0;               // in the sharing problem at hand
  };
  struct Transfer {
    const CollectivePlan* plan = nullptr;
    std::vector<Link*> links{};  // in the order of the plan's loads
    double left = 0;             // picoseconds alone
    double rate = 0;
    double share = 1;  // of a link's rate that its data can have
    Instant since{};   // `left` was computed
    std::uint32_t mark = 0;

    double left_at(Instant now) const;
  };

  Link& link(std::uint32_t number);
  std::vector<std::uint32_t> met_by(std::span<Link* const> links);
  std::vector<Ending> share(const std::vector<std::uint32_t>& group, Instant now);
  std::vector<double> rates_of(const std::vector<std::uint32_t>& group);
  void add_to_problem(const Transfer& transfer);

  const CollectiveModel& network_;
  std::unordered_map<std::uint32_t, Transfer> transfers_;
  std::unordered_map<std::uint32_t, Link> links_;  // those that some transfer has used
  SharingProblem problem_;
  std::uint32_t mark_ = 0;
};

}  // namespace septet::network
