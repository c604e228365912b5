#include "models/network/flows/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.hpp"

namespace septet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rounded up; a flow that never ends here ends beyond all times.
Instant end_of(Instant now, double bytes, double rate) {
  const double picoseconds = std::ceil(bytes / rate * static_cast<double>(kPicosecondsPerSecond));
  const auto room = static_cast<double>(Instant::max().count() - now.count());
  if (!(picoseconds < room)) return Instant::max();
  return now + Duration(static_cast<std::int64_t>(picoseconds));
}

}  // namespace

FlowNetwork::FlowNetwork(const Topology& topology) {
  links_.resize(topology.link_count());
  for (LinkId link = 0; link < links_.size(); ++link) {
    links_[link].capacity = topology.link(link).rate.count();
  }
}

FlowNetwork::FlowNetwork(const std::vector<ByteRate>& capacities) {
  links_.resize(capacities.size());
  for (LinkId link = 0; link < links_.size(); ++link) {
    SEPTET_ASSERT(capacities[link] > ByteRate{});
    links_[link].capacity = capacities[link].count();
  }
}

FlowId FlowNetwork::new_flow() {
  if (free_.empty()) {
    flows_.emplace_back();
    return static_cast<FlowId>(flows_.size() - 1);
  }
  const FlowId flow = free_.back();
  free_.pop_back();
  return flow;
}

FlowId FlowNetwork::add(Instant now, std::span<const LinkId> route, Bytes bytes, ByteRate cap) {
  SEPTET_ASSERT(now >= now_ && bytes >= Bytes{} && cap > ByteRate{});
  now_ = now;
  const FlowId id = new_flow();
  Flow& flow = flows_[id];
  flow.route.assign(route.begin(), route.end());
  flow.left = static_cast<double>(bytes.count());
  flow.rate = 0;
  flow.cap = cap == ByteRate::max() ? kInfinity : cap.count();
  flow.since = now;
  flow.active = true;
  for (const LinkId link : flow.route) {
    if (links_[link].flows.empty()) links_[link].busy_since = now;
    links_[link].flows.push_back(id);
  }
  if (flow.route.empty()) {
    set_rate(id, flow.cap);
  } else {
    share(flow.route);
  }
  return id;
}

// What moved since the last look.
void FlowNetwork::settle(FlowId id) {
  Flow& flow = flows_[id];
  const double moved = std::min(flow.left, flow.rate * to_seconds(now_ - flow.since));
  flow.since = now_;
  if (!(moved > 0)) return;
  flow.left -= moved;
  for (const LinkId link : flow.route) links_[link].bytes += moved;
}

void FlowNetwork::set_rate(FlowId id, double rate) {
  Flow& flow = flows_[id];
  if (rate == flow.rate) return;
  settle(id);
  flow.rate = rate;
  ends_.push({end_of(now_, flow.left, rate), id, ++flow.version});
}

void FlowNetwork::leave(FlowId id) {
  Flow& flow = flows_[id];
  for (const LinkId link : flow.route) {
    LinkState& state = links_[link];
    state.flows.erase(std::ranges::find(state.flows, id));
    if (state.flows.empty()) state.busy += now_ - state.busy_since;
  }
  flow.active = false;
  ++flow.version;
  free_.push_back(id);
}

void FlowNetwork::cancel(Instant now, FlowId id) {
  SEPTET_ASSERT(now >= now_ && flows_[id].active);
  now_ = now;
  settle(id);
  leave(id);
  share(flows_[id].route);
}

void FlowNetwork::set_capacity(Instant now, LinkId link, ByteRate rate) {
  SEPTET_ASSERT(now >= now_ && rate > ByteRate{});
  now_ = now;
  links_[link].capacity = rate.count();
  share({link});
}

// The flows on these links, those on their other links, and so on. `links` becomes all links that
// these flows use.
std::vector<FlowId> FlowNetwork::connected(std::vector<LinkId>& links) {
  std::vector<FlowId> flows;
  ++mark_;
  for (const LinkId link : links) links_[link].mark = mark_;
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (const FlowId id : links_[links[i]].flows) {
      if (std::exchange(flows_[id].mark, mark_) == mark_) continue;
      flows.push_back(id);
      for (const LinkId link : flows_[id].route) {
        if (std::exchange(links_[link].mark, mark_) != mark_) links.push_back(link);
      }
    }
  }
  std::ranges::sort(flows);
  return flows;
}

void FlowNetwork::share(std::vector<LinkId> links) {
  const std::vector<FlowId> flows = connected(links);
  if (flows.empty()) return;
  SharingProblem problem;
  for (const LinkId link : links) {
    links_[link].place = static_cast<std::uint32_t>(problem.capacities.size());
    problem.capacities.push_back(links_[link].capacity);
  }
  for (const FlowId id : flows) {
    const Flow& flow = flows_[id];
    problem.flows.push_back(
        {.first_link = static_cast<std::uint32_t>(problem.links_of_flows.size()),
         .link_count = static_cast<std::uint32_t>(flow.route.size()),
         .cap = flow.cap});
    for (const LinkId link : flow.route) problem.links_of_flows.push_back(links_[link].place);
  }
  const std::vector<double> rates = max_min_rates(problem);
  for (std::size_t i = 0; i < flows.size(); ++i) set_rate(flows[i], rates[i]);
}

void FlowNetwork::drop_stale_ends() const {
  while (!ends_.empty() && ends_.top().version != flows_[ends_.top().flow].version) ends_.pop();
}

std::optional<Instant> FlowNetwork::next_completion() const {
  drop_stale_ends();
  if (ends_.empty()) return std::nullopt;
  return ends_.top().at;
}

std::vector<FlowId> FlowNetwork::advance(Instant now) {
  SEPTET_ASSERT(now >= now_);
  std::vector<FlowId> ended;
  for (auto next = next_completion(); next && *next <= now; next = next_completion()) {
    now_ = *next;
    std::vector<LinkId> links;
    while (next_completion() == now_) {
      const FlowId id = ends_.top().flow;
      Flow& flow = flows_[id];
      for (const LinkId link : flow.route) links_[link].bytes += flow.left;
      links.insert(links.end(), flow.route.begin(), flow.route.end());
      leave(id);
      ended.push_back(id);
    }
    std::ranges::sort(links);
    const auto repeated = std::ranges::unique(links);
    links.erase(repeated.begin(), repeated.end());
    share(std::move(links));
  }
  now_ = now;
  return ended;
}

FlowNetwork::LinkTotal FlowNetwork::total(LinkId link) const {
  const LinkState& state = links_[link];
  double bytes = state.bytes;
  for (const FlowId id : state.flows) {
    const Flow& flow = flows_[id];
    bytes += std::min(flow.left, flow.rate * to_seconds(now_ - flow.since));
  }
  const Duration current = state.flows.empty() ? Duration{} : now_ - state.busy_since;
  return {.bytes = Bytes(std::llround(bytes)), .busy = state.busy + current};
}

}  // namespace septet
