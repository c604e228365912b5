#include "models/network/rendezvous/rendezvous.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/records/collective_record.hpp"
#include "models/records/link_records.hpp"

namespace septet::network {
namespace {

constexpr std::uint16_t kTransferBegins = program::kFirstInternalKind;  // a: pending collective
constexpr std::uint16_t kTransferEnds =
    program::kFirstInternalKind + 1;  // a: pending collective, b: generation

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

// What all ranks must agree on, whichever end of a message they are.
bool same_way(const program::Collective& a, const program::Collective& b) {
  return a.bytes == b.bytes && a.data_type == b.data_type && a.algorithm == b.algorithm &&
         a.protocol == b.protocol && a.channels == b.channels && a.recorded == b.recorded;
}

bool same_call(const program::Collective& a, const program::Collective& b) {
  return a.op == b.op && (!has_root(a.op) || a.peer == b.peer) && same_way(a, b);
}

}  // namespace

Rendezvous::Rendezvous(const Wiring& wiring, std::uint32_t number)
    : wiring_(wiring), lookahead_(wiring.calls.lookahead(number)), links_(wiring.network) {
  if (wiring.traced_links != nullptr) {
    meter_.emplace(wiring.network, links_, wiring.traced_links->codes);
  }
}

void Rendezvous::handle(const engine::Event& event, engine::Context& context) {
  const std::uint32_t pending = low(event.a);
  switch (event.kind) {
    case program::kCollectiveArrived:
      return arrived(event, context);
    case kTransferBegins:
      return begin_transfer(pending, context);
    case kTransferEnds:
      if (pending_[pending].generation == event.b) end(pending, context);
      return;
    default:
      SEPTET_ASSERT(!"unknown event");
  }
}

const program::Collective& Rendezvous::collective_of(const Arrival& arrival) const {
  return wiring_.program.collectives[wiring_.calls[arrival.call].collective];
}

void Rendezvous::arrived(const engine::Event& event, engine::Context& context) {
  Arrival arrival;
  arrival.call = high(event.a);
  arrival.work = low(event.a);
  arrival.device = high(event.b);
  arrival.stream = low(event.b);
  arrival.rank = wiring_.calls.rank(wiring_.calls[arrival.call].communicator, arrival.device);
  arrival.at = context.now() - lookahead_;
  if (point_to_point(collective_of(arrival).op)) return join_pair(arrival, context);
  join_group(arrival, context);
}

void Rendezvous::join_group(const Arrival& arrival, engine::Context& context) {
  const std::uint32_t communicator = wiring_.calls[arrival.call].communicator;
  const std::size_t ranks = wiring_.program.communicators[communicator].devices.size();
  Group& group = groups_[communicator];
  if (group.ranks.empty()) group.ranks.resize(ranks);
  const std::uint64_t position = group.ranks[arrival.rank].calls++;
  while (position - group.first >= group.open.size()) group.open.push_back(pending_.take());
  const std::uint32_t id = group.open[position - group.first];
  Pending& pending = pending_[id];
  if (!pending.arrivals.empty()) check_match(pending, arrival, position);
  pending.arrivals.push_back(arrival);
  if (pending.arrivals.size() < ranks) return;
  // A rank comes to its positions in order, so the first one is complete first.
  SEPTET_ASSERT(id == group.open.front());
  group.open.pop_front();
  ++group.first;
  complete(id, context);
}

void Rendezvous::join_pair(const Arrival& arrival, engine::Context& context) {
  const program::Collective& collective = collective_of(arrival);
  const bool sends = collective.op == program::CollectiveOp::kSend;
  Pair& pair =
      pairs_[{wiring_.calls[arrival.call].communicator, sends ? arrival.rank : collective.peer,
              sends ? collective.peer : arrival.rank}];
  if (pair.open.empty() || pair.op == collective.op) {
    pair.op = collective.op;
    pair.open.push_back(pending_.take());
    pending_[pair.open.back()].arrivals.push_back(arrival);
    return;
  }
  const std::uint32_t id = pair.open.front();
  pair.open.pop_front();
  check_match(pending_[id], arrival, pair.met++);
  pending_[id].arrivals.push_back(arrival);
  complete(id, context);
}

void Rendezvous::check_match(const Pending& pending, const Arrival& arrival,
                             std::uint64_t position) const {
  const program::Collective& mine = collective_of(arrival);
  const program::Collective& first = collective_of(pending.arrivals.front());
  const bool match = point_to_point(mine.op) ? same_way(mine, first) : same_call(mine, first);
  if (!match) refuse(pending, arrival, position);
}

void Rendezvous::refuse(const Pending& pending, const Arrival& arrival,
                        std::uint64_t position) const {
  const Arrival& other = pending.arrivals.front();
  const std::uint32_t communicator = wiring_.calls[arrival.call].communicator;
  throw ConfigError(
      {}, fmt::format("program: {}, position {}: rank {} (device {}) calls {}, rank {} (device {}) "
                      "calls {}; wanted the same calls in the same order on all ranks",
                      communicator_text(wiring_.program.communicators[communicator], communicator),
                      position, other.rank, other.device,
                      program::collective_text(collective_of(other)), arrival.rank, arrival.device,
                      program::collective_text(collective_of(arrival))));
}

// All ranks have arrived.
void Rendezvous::complete(std::uint32_t id, engine::Context& context) {
  Pending& pending = pending_[id];
  std::sort(pending.arrivals.begin(), pending.arrivals.end(),
            [](const Arrival& a, const Arrival& b) { return a.rank < b.rank; });
  const auto sends = [&](const Arrival& a) {
    return collective_of(a).op == program::CollectiveOp::kSend;
  };
  const auto sender = std::find_if(pending.arrivals.begin(), pending.arrivals.end(), sends);
  pending.call = (sender == pending.arrivals.end() ? pending.arrivals.front() : *sender).call;
  const CollectivePlan& plan = wiring_.calls[pending.call].plan;
  const bool moves = plan.transfer > Duration(0);
  // Now is one lookahead after the last arrival; what happens at T is decided one before T.
  const Duration startup = std::max(Duration(0), plan.startup - lookahead_ * 2);
  context.schedule(startup, {moves ? kTransferBegins : kTransferEnds, 0, id, pending.generation});
}

void Rendezvous::begin_transfer(std::uint32_t id, engine::Context& context) {
  const CollectivePlan& plan = wiring_.calls[pending_[id].call].plan;
  const std::vector<LinkSharing::Ending> changed = links_.start(id, plan, ahead(context));
  if (meter_) emit(meter_->start(id, plan, ahead(context), changed), context);
  schedule(changed, context);
}

void Rendezvous::schedule(const std::vector<LinkSharing::Ending>& endings,
                          engine::Context& context) {
  for (const LinkSharing::Ending& ending : endings) {
    const std::uint32_t generation = ++pending_[ending.transfer].generation;
    context.schedule(ending.at - ahead(context), {kTransferEnds, 0, ending.transfer, generation});
  }
}

// The first of those that came last; the arrivals are in the order of ranks.
const Rendezvous::Arrival& Rendezvous::last_arrival(const Pending& pending) {
  return *std::max_element(pending.arrivals.begin(), pending.arrivals.end(),
                           [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
}

// Others waited for those that came at `last`.
void Rendezvous::charge_stragglers(const Pending& pending, Instant last) {
  double waited = 0;
  std::uint64_t late = 0;
  for (const Arrival& arrival : pending.arrivals) {
    waited += to_seconds(last - arrival.at);
    late += arrival.at == last ? 1 : 0;
  }
  if (late == pending.arrivals.size()) return;
  Group& group = groups_[wiring_.calls[pending.call].communicator];
  for (const Arrival& arrival : pending.arrivals) {
    if (arrival.at != last) continue;
    StragglerWait& mine = group.ranks[arrival.rank].straggler_wait;
    mine.seconds += waited / static_cast<double>(late);
    ++mine.collectives;
  }
}

void Rendezvous::add_straggler_waits(std::vector<StragglerWait>& by_device) const {
  for (const auto& [communicator, group] : groups_) {
    const std::vector<std::uint32_t>& devices = wiring_.program.communicators[communicator].devices;
    for (std::size_t rank = 0; rank < group.ranks.size(); ++rank) {
      by_device[devices[rank]].seconds += group.ranks[rank].straggler_wait.seconds;
      by_device[devices[rank]].collectives += group.ranks[rank].straggler_wait.collectives;
    }
  }
}

void Rendezvous::end(std::uint32_t id, engine::Context& context) {
  Pending& pending = pending_[id];
  const CollectivePlan& plan = wiring_.calls[pending.call].plan;
  const Arrival& latest = last_arrival(pending);
  if (!point_to_point(collective_of(latest).op)) charge_stragglers(pending, latest.at);
  for (const Arrival& arrival : pending.arrivals) {
    context.send(wiring_.gpus[arrival.device], lookahead_,
                 program::collective_done(arrival.work, latest.at));
  }
  emit(pending, context);
  pending.arrivals.clear();
  ++pending.generation;
  pending_.give_back(id);
  if (plan.transfer == Duration(0)) return;
  const std::vector<LinkSharing::Ending> changed = links_.end(id, ahead(context));
  if (meter_) emit(meter_->end(id, ahead(context), changed), context);
  schedule(changed, context);
}

// The rows of a collective that ends.
void Rendezvous::emit(const Pending& pending, engine::Context& context) const {
  const CollectiveCall& call = wiring_.calls[pending.call];
  const Instant last = last_arrival(pending).at;
  if (meter_) emit(meter_->start_up(call.plan, last), context);
  for (const Arrival& arrival : pending.arrivals) {
    if (arrival.device >= wiring_.traced_gpus) continue;
    records::CollectiveRecord row;
    row.start = arrival.at;
    row.end = ahead(context);
    row.waited = last - arrival.at;
    row.operation = collective_of(arrival).op;
    row.communicator = static_cast<std::int32_t>(call.communicator);
    row.rank = static_cast<std::int32_t>(arrival.rank);
    row.device = static_cast<std::int32_t>(arrival.device);
    row.stream = static_cast<std::int32_t>(arrival.stream);
    row.bytes = collective_of(arrival).bytes;
    row.algorithm = call.plan.algorithm;
    row.protocol = call.plan.protocol;
    row.channels = static_cast<std::int32_t>(call.plan.channels);
    row.timing_method = wiring_.timing_method_codes[pending.call];
    context.emit(wiring_.collectives, row);
  }
}

void Rendezvous::emit(const std::vector<LinkInterval>& intervals, engine::Context& context) const {
  for (const LinkInterval& one : intervals) {
    context.emit(wiring_.links,
                 records::LinkRecord{one.start, one.end, wiring_.traced_links->codes[one.link],
                                     one.bytes, one.utilization});
  }
}

std::vector<program::IncompleteCollective> Rendezvous::incomplete() const {
  std::vector<program::IncompleteCollective> out;
  const auto add = [&](std::uint32_t communicator, std::uint32_t id, std::uint64_t position) {
    const Pending& pending = pending_[id];
    program::IncompleteCollective& one = out.emplace_back();
    one.communicator = communicator;
    one.position = position;
    one.operation = program::collective_text(collective_of(pending.arrivals.front()));
    for (const Arrival& arrival : pending.arrivals) one.present.push_back(arrival.rank);
    std::sort(one.present.begin(), one.present.end());
    return &one;
  };
  for (const auto& [communicator, group] : groups_) {
    if (group.open.empty()) continue;
    program::IncompleteCollective* one = add(communicator, group.open.front(), group.first);
    for (std::uint32_t rank = 0; rank < group.ranks.size(); ++rank) {
      const bool there = std::binary_search(one->present.begin(), one->present.end(), rank);
      if (!there) one->missing.push_back(rank);
    }
  }
  for (const auto& [name, pair] : pairs_) {
    if (pair.open.empty()) continue;
    program::IncompleteCollective* one = add(name.communicator, pair.open.front(), pair.met);
    one->missing.push_back(pair.op == program::CollectiveOp::kSend ? name.receiver : name.sender);
  }
  return out;
}

}  // namespace septet::network
