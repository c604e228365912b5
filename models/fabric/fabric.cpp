#include "models/fabric/fabric.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet {
namespace {

constexpr std::uint16_t kTransferBegins = kFirstInternalKind;    // a: meeting
constexpr std::uint16_t kTransferEnds = kFirstInternalKind + 1;  // a: meeting, b: generation

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

// What all ranks must agree on, whichever end of a message they are.
bool same_way(const Collective& a, const Collective& b) {
  return a.bytes == b.bytes && a.data_type == b.data_type && a.algorithm == b.algorithm &&
         a.protocol == b.protocol && a.channels == b.channels && a.recorded == b.recorded;
}

bool same_call(const Collective& a, const Collective& b) {
  const bool rooted = a.op == CollectiveOp::kBroadcast;
  return a.op == b.op && (!rooted || a.peer == b.peer) && same_way(a, b);
}

}  // namespace

Fabric::Fabric(const Wiring& wiring, std::uint32_t number)
    : wiring_(wiring), lookahead_(wiring.sites.lookahead(number)), links_(wiring.network) {
  if (wiring.traced_links != nullptr) {
    meter_.emplace(wiring.network, links_, wiring.traced_links->codes);
  }
}

void Fabric::handle(const Event& event, Context& context) {
  const std::uint32_t meeting = low(event.a);
  switch (event.kind) {
    case kCollectiveArrived:
      return arrived(event, context);
    case kTransferBegins:
      return begin_transfer(meeting, context);
    case kTransferEnds:
      if (meetings_[meeting].generation == event.b) end(meeting, context);
      return;
    default:
      SEPTET_ASSERT(!"unknown event");
  }
}

const Collective& Fabric::collective_of(const Arrival& arrival) const {
  return wiring_.program.collectives[wiring_.sites[arrival.site].collective];
}

void Fabric::arrived(const Event& event, Context& context) {
  Arrival arrival;
  arrival.site = high(event.a);
  arrival.work = low(event.a);
  arrival.device = high(event.b);
  arrival.stream = low(event.b);
  arrival.rank = wiring_.sites.rank(wiring_.sites[arrival.site].communicator, arrival.device);
  arrival.at = context.now() - lookahead_;
  if (point_to_point(collective_of(arrival).op)) return join_pair(arrival, context);
  join_group(arrival, context);
}

void Fabric::join_group(const Arrival& arrival, Context& context) {
  const std::uint32_t communicator = wiring_.sites[arrival.site].communicator;
  const std::size_t ranks = wiring_.program.communicators[communicator].devices.size();
  Group& group = groups_[communicator];
  if (group.ranks.empty()) group.ranks.resize(ranks);
  const std::uint64_t position = group.ranks[arrival.rank].calls++;
  while (position - group.first >= group.open.size()) group.open.push_back(meetings_.take());
  const std::uint32_t id = group.open[position - group.first];
  Meeting& meeting = meetings_[id];
  if (!meeting.arrivals.empty()) check_match(meeting, arrival, position);
  meeting.arrivals.push_back(arrival);
  if (meeting.arrivals.size() < ranks) return;
  // A rank comes to its positions in order, so the first one is complete first.
  SEPTET_ASSERT(id == group.open.front());
  group.open.pop_front();
  ++group.first;
  complete(id, context);
}

void Fabric::join_pair(const Arrival& arrival, Context& context) {
  const Collective& collective = collective_of(arrival);
  const bool sends = collective.op == CollectiveOp::kSend;
  Pair& pair =
      pairs_[{wiring_.sites[arrival.site].communicator, sends ? arrival.rank : collective.peer,
              sends ? collective.peer : arrival.rank}];
  if (pair.open.empty() || pair.op == collective.op) {
    pair.op = collective.op;
    pair.open.push_back(meetings_.take());
    meetings_[pair.open.back()].arrivals.push_back(arrival);
    return;
  }
  const std::uint32_t id = pair.open.front();
  pair.open.pop_front();
  check_match(meetings_[id], arrival, pair.met++);
  meetings_[id].arrivals.push_back(arrival);
  complete(id, context);
}

void Fabric::check_match(const Meeting& meeting, const Arrival& arrival,
                         std::uint64_t position) const {
  const Collective& mine = collective_of(arrival);
  const Collective& first = collective_of(meeting.arrivals.front());
  const bool match = point_to_point(mine.op) ? same_way(mine, first) : same_call(mine, first);
  if (!match) refuse(meeting, arrival, position);
}

void Fabric::refuse(const Meeting& meeting, const Arrival& arrival, std::uint64_t position) const {
  const Arrival& other = meeting.arrivals.front();
  const std::uint32_t communicator = wiring_.sites[arrival.site].communicator;
  throw ConfigError(
      {}, fmt::format("program: {}, position {}: rank {} (device {}) calls {}, rank {} (device {}) "
                      "calls {}; wanted the same calls in the same order on all ranks",
                      communicator_text(wiring_.program.communicators[communicator], communicator),
                      position, other.rank, other.device, text_of(collective_of(other)),
                      arrival.rank, arrival.device, text_of(collective_of(arrival))));
}

// All ranks are there.
void Fabric::complete(std::uint32_t id, Context& context) {
  Meeting& meeting = meetings_[id];
  std::sort(meeting.arrivals.begin(), meeting.arrivals.end(),
            [](const Arrival& a, const Arrival& b) { return a.rank < b.rank; });
  const auto sends = [&](const Arrival& a) { return collective_of(a).op == CollectiveOp::kSend; };
  const auto sender = std::find_if(meeting.arrivals.begin(), meeting.arrivals.end(), sends);
  meeting.site = (sender == meeting.arrivals.end() ? meeting.arrivals.front() : *sender).site;
  const CollectivePlan& plan = wiring_.sites[meeting.site].plan;
  const bool moves = plan.transfer > Duration(0);
  // Now is one lookahead after the last arrival; what happens at T is decided one before T.
  const Duration startup = std::max(Duration(0), plan.startup - lookahead_ * 2);
  context.schedule(startup, {moves ? kTransferBegins : kTransferEnds, 0, id, meeting.generation});
}

void Fabric::begin_transfer(std::uint32_t id, Context& context) {
  const CollectivePlan& plan = wiring_.sites[meetings_[id].site].plan;
  const std::vector<LinkSharing::Ending> changed = links_.start(id, plan, ahead(context));
  if (meter_) emit(meter_->start(id, plan, ahead(context), changed), context);
  schedule(changed, context);
}

void Fabric::schedule(const std::vector<LinkSharing::Ending>& endings, Context& context) {
  for (const LinkSharing::Ending& ending : endings) {
    const std::uint32_t generation = ++meetings_[ending.transfer].generation;
    context.schedule(ending.at - ahead(context), {kTransferEnds, 0, ending.transfer, generation});
  }
}

// The first of those that came last; the arrivals are in the order of ranks.
const Fabric::Arrival& Fabric::latest_of(const Meeting& meeting) {
  return *std::max_element(meeting.arrivals.begin(), meeting.arrivals.end(),
                           [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
}

// Others waited for those that came at `last`.
void Fabric::note_last(const Meeting& meeting, Instant last) {
  double waited = 0;
  std::uint64_t late = 0;
  for (const Arrival& arrival : meeting.arrivals) {
    waited += to_seconds(last - arrival.at);
    late += arrival.at == last ? 1 : 0;
  }
  if (late == meeting.arrivals.size()) return;
  Group& group = groups_[wiring_.sites[meeting.site].communicator];
  for (const Arrival& arrival : meeting.arrivals) {
    if (arrival.at != last) continue;
    WaitedFor& mine = group.ranks[arrival.rank].waited_for;
    mine.seconds += waited / static_cast<double>(late);
    ++mine.collectives;
  }
}

void Fabric::add_waited_for(std::vector<WaitedFor>& by_device) const {
  for (const auto& [communicator, group] : groups_) {
    const std::vector<std::uint32_t>& devices = wiring_.program.communicators[communicator].devices;
    for (std::size_t rank = 0; rank < group.ranks.size(); ++rank) {
      by_device[devices[rank]].seconds += group.ranks[rank].waited_for.seconds;
      by_device[devices[rank]].collectives += group.ranks[rank].waited_for.collectives;
    }
  }
}

void Fabric::end(std::uint32_t id, Context& context) {
  Meeting& meeting = meetings_[id];
  const CollectivePlan& plan = wiring_.sites[meeting.site].plan;
  const Arrival& latest = latest_of(meeting);
  if (!point_to_point(collective_of(latest).op)) note_last(meeting, latest.at);
  for (const Arrival& arrival : meeting.arrivals) {
    context.send(wiring_.gpus[arrival.device], lookahead_,
                 collective_done(arrival.work, latest.at));
  }
  emit(meeting, context);
  meeting.arrivals.clear();
  ++meeting.generation;
  meetings_.give_back(id);
  if (plan.transfer == Duration(0)) return;
  const std::vector<LinkSharing::Ending> changed = links_.end(id, ahead(context));
  if (meter_) emit(meter_->end(id, ahead(context), changed), context);
  schedule(changed, context);
}

// The rows of a collective that ends.
void Fabric::emit(const Meeting& meeting, Context& context) const {
  const CollectiveSite& site = wiring_.sites[meeting.site];
  const Instant last = latest_of(meeting).at;
  if (meter_) emit(meter_->start_up(site.plan, last), context);
  for (const Arrival& arrival : meeting.arrivals) {
    if (arrival.device >= wiring_.traced_gpus) continue;
    context.emit(wiring_.collectives,
                 {arrival.at, ahead(context), last - arrival.at,
                  static_cast<std::int64_t>(collective_of(arrival).op), site.communicator,
                  arrival.rank, arrival.device, arrival.stream, collective_of(arrival).bytes,
                  static_cast<std::int64_t>(site.plan.algorithm),
                  static_cast<std::int64_t>(site.plan.protocol), site.plan.channels,
                  wiring_.shortcut_codes[meeting.site]});
  }
}

void Fabric::emit(const std::vector<LinkInterval>& intervals, Context& context) const {
  for (const LinkInterval& one : intervals) {
    context.emit(wiring_.links, {one.start, one.end, wiring_.traced_links->codes[one.link],
                                 one.bytes, one.utilisation});
  }
}

std::vector<MeetingStanding> Fabric::standing() const {
  std::vector<MeetingStanding> out;
  const auto add = [&](std::uint32_t communicator, std::uint32_t id, std::uint64_t position) {
    const Meeting& meeting = meetings_[id];
    MeetingStanding& one = out.emplace_back();
    one.communicator = communicator;
    one.position = position;
    one.operation = text_of(collective_of(meeting.arrivals.front()));
    for (const Arrival& arrival : meeting.arrivals) one.present.push_back(arrival.rank);
    std::sort(one.present.begin(), one.present.end());
    return &one;
  };
  for (const auto& [communicator, group] : groups_) {
    if (group.open.empty()) continue;
    MeetingStanding* one = add(communicator, group.open.front(), group.first);
    for (std::uint32_t rank = 0; rank < group.ranks.size(); ++rank) {
      const bool there = std::binary_search(one->present.begin(), one->present.end(), rank);
      if (!there) one->missing.push_back(rank);
    }
  }
  for (const auto& [name, pair] : pairs_) {
    if (pair.open.empty()) continue;
    MeetingStanding* one = add(name.communicator, pair.open.front(), pair.met);
    one->missing.push_back(pair.op == CollectiveOp::kSend ? name.receiver : name.sender);
  }
  return out;
}

}  // namespace septet
