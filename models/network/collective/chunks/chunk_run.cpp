#include "models/network/collective/chunks/chunk_run.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/engine/digest.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet::network {
namespace {

constexpr std::uint32_t kNoChannel = UINT32_MAX;
constexpr std::uint64_t kEventsBetweenLooks = 1U << 16U;

}  // namespace

ChunkRun::ChunkRun(Router& router, const AlgorithmPlan& plan, const ChunkWork& work)
    : router_(router),
      topology_(router.topology()),
      plan_(plan),
      work_(work),
      last_channel_(plan.endpoints.size(), kNoChannel),
      free_at_(topology_.link_count()) {
  result_.links.resize(topology_.link_count());
}

ChunkResult ChunkRun::run() {
  const std::uint32_t ranks = plan_.ranks();
  SEPTET_ASSERT(work_.repeats >= 1 && (work_.compute.empty() || work_.compute.size() == ranks));
  joined_.assign(ranks, 0);
  finished_.assign(ranks, 0);
  result_.finish_at.resize(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    schedule(Instant{} + compute(rank), kJoin, rank);
  }
  while (!queue_.empty()) {
    handle(queue_.pop());
    if (result_.events % kEventsBetweenLooks == 0) tell_observer();
  }
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    SEPTET_ASSERT(finished_[rank] == work_.repeats);  // a schedule that never ends is a bug
  }
  result_.time = *std::ranges::max_element(result_.finish_at);
  return std::move(result_);
}

void ChunkRun::tell_observer() const {
  if (!work_.observer) return;
  double carried = 0;
  for (const LinkUse& link : result_.links) carried += static_cast<double>(link.bytes.count());
  work_.observer(carried);
}

Duration ChunkRun::compute(std::uint32_t rank) const {
  return work_.compute.empty() ? Duration{} : work_.compute[rank];
}

void ChunkRun::schedule(Instant at, Kind kind, std::uint64_t a) {
  queue_.push({.at = at, .order = sequence_++, .a = a, .kind = kind});
}

void ChunkRun::handle(const engine::Event& event) {
  ++result_.events;
  engine::Event digested = event;
  const auto slot = static_cast<std::uint32_t>(event.a);
  if (event.kind != kJoin) {
    const Message& message = messages_[slot];
    digested.a = (static_cast<std::uint64_t>(message.channel) << 32U) | message.hop;
    digested.b = message.label;
    digested.target = message.collective;
  }
  result_.digest = extend_digest(result_.digest, digested);
  switch (event.kind) {
    case kJoin:
      return join(slot, event.at);
    case kHop:
      return transmit(slot, event.at);
    default:
      return deliver(slot, event.at);
  }
}

ChunkRun::Collective& ChunkRun::collective(std::uint32_t number) {
  while (number >= first_collective_ + collectives_.size()) {
    collectives_.push_back({.schedule = make_schedule(plan_), .unfinished = plan_.ranks()});
  }
  return collectives_[number - first_collective_];
}

void ChunkRun::join(std::uint32_t rank, Instant now) {
  const std::uint32_t number = joined_[rank]++;
  collective(number).schedule->join(rank, sends_);
  send_all(number, now);
  look_whether_finished(rank, number, now);
}

void ChunkRun::deliver(std::uint32_t slot, Instant now) {
  const Message message = messages_[slot];
  free_slots_.push_back(slot);
  const std::uint32_t to = channels_[message.channel].to;
  collective(message.collective).schedule->receive(to, message.label, sends_);
  send_all(message.collective, now);
  if (to < finished_.size()) look_whether_finished(to, message.collective, now);
}

void ChunkRun::look_whether_finished(std::uint32_t rank, std::uint32_t number, Instant now) {
  if (finished_[rank] != number || joined_[rank] != number + 1) return;
  if (!collective(number).schedule->finished(rank)) return;
  ++finished_[rank];
  --collective(number).unfinished;
  result_.finish_at[rank] = now - Instant{};
  if (number + 1 < work_.repeats) schedule(now + compute(rank), kJoin, rank);
  while (!collectives_.empty() && collectives_.front().unfinished == 0) {
    collectives_.pop_front();
    ++first_collective_;
  }
}

void ChunkRun::send_all(std::uint32_t number, Instant now) {
  for (const ChunkSend& send : sends_) {
    const std::uint32_t slot = new_slot();
    messages_[slot] = {.channel = channel(send.from, send.to),
                       .collective = number,
                       .label = send.label,
                       .bytes = send.bytes,
                       .tail = now};
    ++result_.sends;
    transmit(slot, now);
  }
  sends_.clear();
}

// The head of the message is at its next link: it starts when the link is free, and is done no
// earlier than its tail has arrived.
void ChunkRun::transmit(std::uint32_t slot, Instant now) {
  Message& message = messages_[slot];
  const Route& route = channels_[message.channel].route;
  const LinkId id = route[message.hop];
  const Link& link = topology_.link(id);
  const Instant start = std::max(now, free_at_[id]);
  const Instant end = std::max(start + transfer_time(message.bytes, link.rate), message.tail);
  free_at_[id] = end;
  result_.links[id].bytes += message.bytes;
  result_.links[id].busy += end - start;
  message.tail = end + link.latency;
  if (++message.hop == route.size()) return schedule(message.tail, kDelivery, slot);
  const bool whole = work_.forwarding == Forwarding::kStoreAndForward;
  schedule(whole ? message.tail : start + link.latency, kHop, slot);
}

std::uint32_t ChunkRun::new_slot() {
  if (free_slots_.empty()) {
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

std::uint32_t ChunkRun::channel(std::uint32_t from, std::uint32_t to) {
  std::uint32_t& last = last_channel_[from];
  if (last != kNoChannel && channels_[last].to == to) return last;
  const std::uint64_t key = (static_cast<std::uint64_t>(from) << 32U) | to;
  const auto [found, is_new] =
      channel_of_.emplace(key, static_cast<std::uint32_t>(channels_.size()));
  if (is_new) {
    SEPTET_ASSERT(from != to);
    channels_.push_back({.to = to, .route = route_of(router_, plan_, from, to)});
  }
  return last = found->second;
}

}  // namespace septet::network
