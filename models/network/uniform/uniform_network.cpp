#include "models/network/uniform/uniform_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/protocol.hpp"

namespace septet::network {
namespace {

// The links of a GPU, in the order of their numbers.
enum LinkOfGpu : std::uint32_t { kLinkOut, kLinkIn, kNicOut, kNicIn, kLinksOfGpu };

std::uint32_t link_of(std::uint32_t gpu, LinkOfGpu which) { return gpu * kLinksOfGpu + which; }

// How a group lies on nodes.
struct Spread {
  std::map<std::uint32_t, std::uint32_t> ranks;  // by node
  std::uint32_t fewest = 0;                      // ranks on the node that has fewest of them
  std::uint32_t most = 0;
  bool inside_node() const { return ranks.size() == 1; }
};

Spread spread_of(const CollectiveRequest& request, std::uint32_t gpus_per_node) {
  Spread out;
  for (const std::uint32_t gpu : request.gpus) ++out.ranks[gpu / gpus_per_node];
  out.fewest = out.ranks.begin()->second;
  for (const auto& [node, ranks] : out.ranks) {
    out.fewest = std::min(out.fewest, ranks);
    out.most = std::max(out.most, ranks);
  }
  return out;
}

// Share of the bytes that the busiest GPU sends, and the steps one after another.
double share_sent(program::CollectiveOp op, double n) {
  if (op == program::CollectiveOp::kAllReduce) return 2 * (n - 1) / n;
  const bool split = op == program::CollectiveOp::kAllGather ||
                     op == program::CollectiveOp::kReduceScatter ||
                     op == program::CollectiveOp::kAllToAll;
  return split ? (n - 1) / n : 1;
}

std::int64_t steps(program::CollectiveOp op, std::int64_t n) {
  if (goes_direct(op)) return 1;
  return op == program::CollectiveOp::kAllReduce ? 2 * (n - 1) : n - 1;
}

program::CollectiveAlgorithm algorithm_of(const CollectiveRequest& request) {
  const auto own = goes_direct(request.op) ? program::CollectiveAlgorithm::kDirect
                                           : program::CollectiveAlgorithm::kRing;
  const auto refuse = [&](const char* kind, std::string_view name, std::string_view wanted) {
    throw ConfigError::value(
        {}, group_text(request), fmt::format("{} {}", kind, name),
        fmt::format("auto or {}: the uniform network supports no other", wanted));
  };
  const bool known =
      request.algorithm == program::CollectiveAlgorithm::kAuto || request.algorithm == own;
  if (!known) refuse("algorithm", text_of(request.algorithm), text_of(own));
  const bool simple = request.protocol == program::CollectiveProtocol::kAuto ||
                      request.protocol == program::CollectiveProtocol::kSimple;
  if (!simple) refuse("protocol", text_of(request.protocol), "simple");
  return own;
}

// Bytes of the busiest GPU.
struct Moved {
  double by_link = 0;
  double by_nic = 0;
};

// Of a ring, what passes a GPU leaves its node through all NICs of the group there; of a message,
// all that goes to another node leaves through the GPU's own NIC, and of an all-to-all its part.
Moved moved_by(const CollectiveRequest& request, const Spread& spread) {
  const auto n = static_cast<double>(request.gpus.size());
  const double sent = static_cast<double>(request.bytes.count()) * share_sent(request.op, n);
  if (request.op == program::CollectiveOp::kAllToAll && n > 1) {
    return {sent * (spread.most - 1) / (n - 1), sent * (n - spread.fewest) / (n - 1)};
  }
  const bool ring = !goes_direct(request.op);
  Moved out{spread.most > 1 ? sent : 0, 0};
  if (!spread.inside_node()) out.by_nic = sent / (ring ? spread.fewest : 1);
  return out;
}

// Every rank sends to the next one: over its links inside the node, else over its NIC.
std::vector<LinkLoad> shift_loads(const CollectiveRequest& request, std::uint32_t gpus_per_node) {
  std::vector<LinkLoad> loads;
  if (request.bytes <= Bytes(0)) return loads;
  for (std::size_t rank = 0; rank < request.gpus.size(); ++rank) {
    const std::uint32_t from = request.gpus[rank];
    const std::uint32_t to = request.gpus[(rank + 1) % request.gpus.size()];
    const bool near = from / gpus_per_node == to / gpus_per_node;
    loads.push_back({link_of(from, near ? kLinkOut : kNicOut), request.bytes});
    loads.push_back({link_of(to, near ? kLinkIn : kNicIn), request.bytes});
  }
  return loads;
}

std::vector<LinkLoad> loads_of(const CollectiveRequest& request, Bytes link_bytes,
                               Bytes nic_bytes) {
  const bool peer = point_to_point(request.op);
  std::vector<LinkLoad> loads;
  for (std::size_t rank = 0; rank < request.gpus.size(); ++rank) {
    const bool sends = !peer || rank == 0;  // of a pair, the first sends and the second receives
    const bool receives = !peer || rank == 1;
    const std::uint32_t gpu = request.gpus[rank];
    if (link_bytes > Bytes(0) && sends) loads.push_back({link_of(gpu, kLinkOut), link_bytes});
    if (link_bytes > Bytes(0) && receives) {
      loads.push_back({link_of(gpu, kLinkIn), link_bytes});
    }
    if (nic_bytes > Bytes(0) && sends) loads.push_back({link_of(gpu, kNicOut), nic_bytes});
    if (nic_bytes > Bytes(0) && receives) {
      loads.push_back({link_of(gpu, kNicIn), nic_bytes});
    }
  }
  return loads;
}

}  // namespace

UniformNetwork::UniformNetwork(const NetworkSpec& spec, std::uint32_t gpus)
    : spec_(spec), gpus_(gpus) {
  const auto wanted = [](const char* key, const char* got, const char* what) {
    throw ConfigError::value({}, std::string("network.") + key, got, what);
  };
  if (spec.gpus_per_node == 0) wanted("gpus_per_node", "0", "at least 1");
  if (!(spec.link.count() > 0)) wanted("link", "0 B/s", "more than 0");
  if (!(spec.nic.count() > 0)) wanted("nic", "0 B/s", "more than 0");
  if (spec.channels == 0) wanted("channels", "0", "at least 1");
  if (spec.peer_channels == 0) wanted("peer_channels", "0", "at least 1");
}

std::uint32_t UniformNetwork::link_count() const { return gpus_ * kLinksOfGpu; }

std::uint32_t UniformNetwork::link_out_of(std::uint32_t gpu) { return link_of(gpu, kLinkOut); }

std::uint32_t UniformNetwork::gpu_of(std::uint32_t link) { return link / kLinksOfGpu; }

ByteRate UniformNetwork::link_rate(std::uint32_t link) const {
  return link % kLinksOfGpu < kNicOut ? spec_.link : spec_.nic;
}

CollectivePlan UniformNetwork::plan(const CollectiveRequest& request) const {
  CollectivePlan plan;
  plan.algorithm = algorithm_of(request);
  plan.protocol = program::CollectiveProtocol::kSimple;
  const Spread spread = spread_of(request, spec_.gpus_per_node);
  const auto n = static_cast<std::int64_t>(request.gpus.size());
  const bool peer = point_to_point(request.op);
  plan.channels = request.channels > 0 ? request.channels
                  : peer               ? spec_.peer_channels
                                       : spec_.channels;
  const auto nodes = static_cast<std::int64_t>(spread.ranks.size());
  const std::int64_t all = steps(request.op, n);
  const std::int64_t between =
      spread.inside_node() ? 0 : std::max<std::int64_t>(1, all * nodes / n);
  plan.startup = spec_.startup + spec_.link_latency * (all - between) + spec_.nic_latency * between;

  const Moved moved = moved_by(request, spread);
  const Bytes link_bytes = whole_bytes(moved.by_link);
  const Bytes nic_bytes = whole_bytes(moved.by_nic);
  plan.transfer =
      std::max(transfer_time(link_bytes, spec_.link), transfer_time(nic_bytes, spec_.nic));
  plan.timing_method = spread.inside_node() ? "alpha-beta" : "alpha-beta, nodes";
  plan.loads = request.op == program::CollectiveOp::kSendReceive
                   ? shift_loads(request, spec_.gpus_per_node)
                   : loads_of(request, link_bytes, nic_bytes);
  return plan;
}

}  // namespace septet::network
