// Where a Program's collectives are called, and the network's plan for each: computed once, before
// the run, and shared by GPUs and rendezvous.
//
// A call is one collective over one communicator (of sends and receives: of one rank).
// Communicators whose transfers can meet on a link belong to one rendezvous, others to different
// ones, so that those inside one node don't wait for the rest of the cluster.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/network/collective/collective_model.hpp"
#include "models/network/flows/link_groups.hpp"
#include "models/program/program.hpp"

namespace septet::network {

struct CollectiveCall {
  std::uint32_t collective = 0;
  std::uint32_t communicator = 0;
  std::uint32_t rank = 0;  // of a send or receive: who calls it
  CollectivePlan plan;  // of links that carry the same, only the first one's loads: link_groups.hpp
};

class CollectiveCallTable {
 public:
  // Throws ConfigError where a graph's collective is launched on a device that is no rank of its
  // group, and whatever the network throws. The program must outlive it.
  CollectiveCallTable(const program::Program& program, const CollectiveModel& network);

  // The number of the call that some thread makes on `device`.
  std::uint32_t find(std::uint32_t collective, std::uint32_t communicator,
                     std::uint32_t device) const;
  const CollectiveCall& operator[](std::uint32_t call) const { return calls_[call]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(calls_.size()); }
  std::uint32_t rank(std::uint32_t communicator, std::uint32_t device) const;
  // The links that carry something, those together that carry the same; by the first of each.
  const std::vector<std::vector<std::uint32_t>>& link_groups() const { return link_groups_; }

  std::uint32_t rendezvous_count() const { return static_cast<std::uint32_t>(lookaheads_.size()); }
  // kNone: no collective of this communicator is called.
  std::uint32_t rendezvous_of(std::uint32_t communicator) const {
    return rendezvous_of_[communicator];
  }
  // A rendezvous is notified of an arrival with this delay, and announces the end of a collective
  // this long before it: half the shortest start-up of its collectives, so that both fit in each.
  Duration lookahead(std::uint32_t rendezvous) const { return lookaheads_[rendezvous]; }

 private:
  void add(const program::HostThread& thread, std::uint32_t collective, std::uint32_t device);
  CollectivePlan plan_of(const program::Collective& collective, std::uint32_t communicator,
                         std::uint32_t device, const CollectiveModel& network) const;
  void group_links();
  void assign_rendezvous(std::uint32_t links);

  const program::Program& program_;
  const CollectiveModel& network_;
  std::vector<CollectiveCall> calls_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  // By communicator: devices with their ranks, sorted.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> ranks_;
  std::vector<std::vector<std::uint32_t>> link_groups_;
  std::vector<std::uint32_t> rendezvous_of_;
  std::vector<Duration> lookaheads_;
};

// By rendezvous: whether it joins GPUs of several nodes.
std::vector<bool> rendezvous_between_nodes(const program::Program& program,
                                           const CollectiveCallTable& calls,
                                           const CollectiveModel& model);

}  // namespace septet::network
