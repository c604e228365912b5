#include "models/network/rendezvous/call_table.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/program/collective_check.hpp"

namespace septet::network {
namespace {

// A collective call, or one of a launched graph.
struct Use {
  std::uint32_t collective = 0;
  std::uint32_t stream = 0;
  std::size_t call = 0;  // the first such one
  bool operator<(const Use& other) const {
    return collective != other.collective ? collective < other.collective : stream < other.stream;
  }
};

void add_collectives(const program::Program& program, std::uint32_t graph,
                     std::set<std::uint32_t>& out) {
  for (const program::GraphNode& node : program.graphs[graph].nodes) {
    if (const auto* join = program::get_if<program::JoinCollective>(node))
      out.insert(join->collective);
    if (const auto* child = program::get_if<program::ChildGraph>(node))
      add_collectives(program, child->graph, out);
  }
}

// Finds what each list of calls uses.
class UseFinder {
 public:
  explicit UseFinder(const program::Program& program) : in_graph_(program.graphs.size()) {
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      add_collectives(program, g, in_graph_[g]);
    }
  }

  std::set<Use> operator()(std::span<const program::Call> calls) const {
    std::set<Use> uses;
    for (std::size_t c = 0; c < calls.size(); ++c) {
      const program::Call& call = calls[c];
      if (const auto* join = program::get_if<program::JoinCollective>(call)) {
        uses.insert({join->collective, call.stream, c});
      }
      const auto* launch = program::get_if<program::LaunchGraph>(call);
      if (launch == nullptr) continue;
      for (const std::uint32_t collective : in_graph_[launch->graph]) {
        uses.insert({collective, call.stream, c});
      }
    }
    return uses;
  }

 private:
  std::vector<std::set<std::uint32_t>> in_graph_;
};

std::uint64_t key_of(std::uint32_t collective, std::uint32_t communicator, std::uint32_t rank) {
  constexpr int kRankBits = 20;
  constexpr int kCommunicatorBits = 22;
  SEPTET_ASSERT(communicator >> kCommunicatorBits == 0 && rank >> kRankBits == 0);
  return (static_cast<std::uint64_t>(collective) << (kRankBits + kCommunicatorBits)) |
         (static_cast<std::uint64_t>(communicator) << kRankBits) | rank;
}

// Sets that are joined one by one.
class Joined {
 public:
  explicit Joined(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::size_t find(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(b)] = find(a); }

 private:
  std::vector<std::size_t> parent_;
};

// Says whose collective it is that the network refuses.
template <class Name>
CollectivePlan plan_with_names(const CollectiveRequest& request, const CollectiveModel& network,
                               Name name) {
  try {
    check_terms(request, std::string(text_of(request.op)));
    return network.plan(request);
  } catch (const ModelError& error) {
    throw ModelError(name() + ": " + error.what());
  } catch (const ConfigError& error) {
    throw ConfigError(error.where(), name() + ": " + error.what());
  }
}

}  // namespace

CollectiveCallTable::CollectiveCallTable(const program::Program& program,
                                         const CollectiveModel& network)
    : program_(program), network_(network) {
  for (const program::Communicator& communicator : program.communicators) {
    auto& ranks = ranks_.emplace_back();
    for (std::uint32_t r = 0; r < communicator.devices.size(); ++r) {
      ranks.push_back({communicator.devices[r], r});
    }
    std::sort(ranks.begin(), ranks.end());
  }
  const UseFinder find_uses(program);
  std::vector<std::set<Use>> list_uses;
  for (const auto& list : program.call_lists) list_uses.push_back(find_uses(list));
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const program::HostThread& thread = program.threads[t];
    const bool own = thread.list == kNone;
    for (const Use& use : own ? find_uses(thread.calls) : list_uses[thread.list]) {
      const program::Stream& stream = program.streams[use.stream + thread.offsets.stream];
      check_rank(program, thread, program.collectives[use.collective], stream.device,
                 {t, use.call});
      add(thread, use.collective, stream.device);
    }
  }
  group_links();
  assign_rendezvous(network.link_count());
}

void CollectiveCallTable::group_links() {
  std::vector<const CollectivePlan*> plans;
  for (const CollectiveCall& call : calls_) plans.push_back(&call.plan);
  const LinkGroups groups(network_, plans);
  for (CollectiveCall& call : calls_) groups.reduce(call.plan);
  link_groups_ = groups.all();
}

void CollectiveCallTable::add(const program::HostThread& thread, std::uint32_t index,
                              std::uint32_t device) {
  const program::Collective& collective = program_.collectives[index];
  const std::uint32_t communicator = communicator_of(thread, collective);
  const std::uint32_t rank = point_to_point(collective.op) ? this->rank(communicator, device) : 0;
  const auto number = static_cast<std::uint32_t>(calls_.size());
  const bool fresh = numbers_.emplace(key_of(index, communicator, rank), number).second;
  if (!fresh) return;
  calls_.push_back(
      {index, communicator, rank, plan_of(collective, communicator, device, network_)});
}

CollectivePlan CollectiveCallTable::plan_of(const program::Collective& collective,
                                            std::uint32_t communicator, std::uint32_t device,
                                            const CollectiveModel& network) const {
  const std::vector<std::uint32_t>& devices = program_.communicators[communicator].devices;
  CollectiveRequest request{collective.op,      collective.bytes,     devices,
                            collective.peer,    collective.algorithm, collective.protocol,
                            collective.channels};
  if (point_to_point(collective.op)) {
    const std::uint32_t peer = devices[collective.peer];
    const bool sends = collective.op == program::CollectiveOp::kSend;
    request.gpus = sends ? std::vector{device, peer} : std::vector{peer, device};
    request.peer = sends ? 1 : 0;
  }
  CollectivePlan plan = plan_with_names(request, network, [&] {
    return fmt::format("{}, {} called by rank {} (device {})",
                       communicator_text(program_.communicators[communicator], communicator),
                       collective_text(collective), rank(communicator, device), device);
  });
  if (collective.recorded == program::kModelled) return plan;
  plan.startup = collective.recorded;  // what it met on busy links is part of the recording
  plan.transfer = Duration(0);
  plan.loads.clear();
  plan.timing_method = "recorded";
  return plan;
}

void CollectiveCallTable::assign_rendezvous(std::uint32_t links) {
  const std::size_t communicators = program_.communicators.size();
  Joined joined(communicators + links);
  for (const CollectiveCall& call : calls_) {
    for (const LinkLoad& load : call.plan.loads) {
      joined.join(call.communicator, communicators + load.link);
    }
  }
  constexpr Duration kLeast{1};
  rendezvous_of_.assign(communicators, kNone);
  std::unordered_map<std::size_t, std::uint32_t> number;
  for (const CollectiveCall& call : calls_) {
    const auto fresh = static_cast<std::uint32_t>(number.size());
    const auto rendezvous = number.emplace(joined.find(call.communicator), fresh).first->second;
    if (rendezvous == lookaheads_.size()) lookaheads_.push_back(Duration::max());
    rendezvous_of_[call.communicator] = rendezvous;
    lookaheads_[rendezvous] =
        std::max(kLeast, std::min(lookaheads_[rendezvous], call.plan.startup / 2));
  }
}

std::uint32_t CollectiveCallTable::find(std::uint32_t collective, std::uint32_t communicator,
                                        std::uint32_t device) const {
  const bool pair = point_to_point(program_.collectives[collective].op);
  return numbers_.at(key_of(collective, communicator, pair ? rank(communicator, device) : 0));
}

std::uint32_t CollectiveCallTable::rank(std::uint32_t communicator, std::uint32_t device) const {
  const auto& ranks = ranks_[communicator];
  const auto found = std::lower_bound(ranks.begin(), ranks.end(), std::pair{device, 0U});
  SEPTET_ASSERT(found != ranks.end() && found->first == device);
  return found->second;
}

std::vector<bool> rendezvous_between_nodes(const program::Program& program,
                                           const CollectiveCallTable& calls,
                                           const CollectiveModel& model) {
  std::vector<bool> between(calls.rendezvous_count());
  std::vector<std::uint32_t> node(calls.rendezvous_count(), kNone);
  for (std::uint32_t c = 0; c < program.communicators.size(); ++c) {
    const std::uint32_t rendezvous = calls.rendezvous_of(c);
    if (rendezvous == kNone) continue;
    for (const std::uint32_t device : program.communicators[c].devices) {
      const std::uint32_t here = model.node_of(device);
      if (node[rendezvous] == kNone) node[rendezvous] = here;
      if (node[rendezvous] != here) between[rendezvous] = true;
    }
  }
  return between;
}

}  // namespace septet::network
