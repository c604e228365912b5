#include "core/engine/partition.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engine/digest.hpp"
#include "core/engine/prefetch.hpp"

namespace septet::engine {
namespace {

bool any_has_dynamic_lookahead(const Model& model, std::span<const LpId> members) {
  return std::any_of(members.begin(), members.end(),
                     [&](LpId id) { return model.lps[id].lp->has_dynamic_lookahead(); });
}

Duration lookahead_of(const Model& model, std::span<const LpId> members,
                      const Mailboxes* mailboxes) {
  if (mailboxes == nullptr) return Channels::kNoChannel;
  return smallest_lookahead(partition_boundary(model, members));
}

}  // namespace

Partition::Partition(Model& model, const RunOptions& options, PartitionId id,
                     std::vector<LpId> members, Mailboxes* mailboxes)
    : model_(model),
      mailboxes_(mailboxes),
      sink_(options.rows),
      seed_(options.seed),
      id_(id),
      members_(std::move(members)),
      lookahead_(lookahead_of(model, members_, mailboxes)),
      context_(*this) {}

void Partition::start() {
  if (mailboxes_ != nullptr && any_has_dynamic_lookahead(model_, members_)) {
    lookahead_table_ = std::make_unique<LookaheadTable>(model_, members_);
  }
  try {
    for (const LpId lp : members_) start(lp);
    last_ = {};
  } catch (...) {
    failure_ = {last_, std::current_exception()};
  }
}

void Partition::start(LpId lp) {
  context_.self_ = lp;
  current_ = &model_.lps[lp];
  last_ = {Instant{}, pack_order(Phase::kCompletion, lp, 0)};
  current_->lp->start(context_);
}

void Partition::begin(std::size_t thread) {
  thread_ = thread;
  posted_ = {};
  for (const Event& event : inbox_) {
    SEPTET_ASSERT(event.at >= bound_);  // or the last window was too long
    enqueue(event);
  }
  inbox_.clear();
}

void Partition::handle_before(Instant bound) {
  bound_ = bound;
  Event event;
  try {
    while (queue_.pop_before(bound_, event)) {
      if (queue_.bucket() != prefetched_for_bucket_) prefetch_ahead();
      handle(event);
    }
  } catch (...) {
    failure_ = {last_, std::current_exception()};
  }
}

// Where many LPs are simulated, those whose turn is next are not in the cache: fetches the records
// of LPs that have events two buckets of the queue ahead, and the objects of those that have some
// one bucket ahead, whose records are there by now.
void Partition::prefetch_ahead() {
  prefetched_for_bucket_ = queue_.bucket();
  const LpTable& lps = model_.lps;
  queue_.for_each_following(1, [&](const Event& event) { prefetch(lps[event.target].lp.get()); });
  queue_.for_each_following(2, [&](const Event& event) { prefetch(&lps[event.target]); });
}

inline void Partition::handle(const Event& event) {
  last_.order = event.at == last_.at ? std::max(last_.order, event.order) : event.order;
  last_.at = event.at;
  current_ = &model_.lps[event.target];
  current_->digest = extend_digest(current_->digest, event);
  ++events_;
  context_.now_ = event.at;
  context_.self_ = event.target;
  if (lookahead_table_ != nullptr) [[unlikely]] {
    lookahead_table_->note_handled(event);
  }
  current_->lp->handle(event, context_);
}

void Partition::move_events_to(Partition& other) {
  queue_.for_each([&](const Event& event) { other.enqueue(event); });
  queue_ = {};
}

TimestampBounds Partition::bounds() {
  own_ = {queue_.next(), earliest_output()};
  TimestampBounds bounds = posted_;
  bounds.include(own_);
  return bounds;
}

Instant Partition::earliest_output() {
  const Instant next = queue_.next();
  if (lookahead_table_ == nullptr) return add_or_never(next, lookahead_);
  lookahead_table_->refresh(next);
  return lookahead_table_->earliest_output(next);
}

inline Event Partition::make_event(Instant at, LpId to, const Message& message) {
  return {.at = at,
          .order = next_order(message.phase, context_.self_, current_->sequence),
          .a = message.a,
          .b = message.b,
          .target = to,
          .kind = message.kind,
          .tag = message.tag};
}

inline Instant Partition::later(Duration delay) const {
  SEPTET_ASSERT(delay >= Duration{});
  return context_.now_ + delay;
}

inline void Partition::enqueue(const Event& event) {
  queue_.push(event);
  if (lookahead_table_ != nullptr) [[unlikely]] {
    lookahead_table_->note_pending(event);
  }
}

inline void Partition::schedule(Duration delay, const Message& message) {
  queue_.push(make_event(later(delay), context_.self_, message));
}

inline void Partition::send(LpId to, Duration delay, const Message& message) {
  SEPTET_ASSERT(to < model_.lps.size());
  const Duration lookahead = model_.channels.lookahead(context_.self_, to);
  if (delay < lookahead || lookahead == Channels::kNoChannel) refuse_send(to, delay, lookahead);
  if (lookahead_table_ != nullptr) [[unlikely]] {
    check_output_bound(to);
  }
  const Event event = make_event(later(delay), to, message);
  const PartitionId there = mailboxes_ == nullptr ? id_ : model_.lps.partition(to);
  if (there == id_) {
    enqueue(event);
  } else {
    post(there, event);
  }
}

void Partition::post(PartitionId to, const Event& event) {
  posted_.include({event.at, add_or_never(event.at, mailboxes_->lookahead(to))});
  mailboxes_->post(thread_, to, event);
}

void Partition::check_output_bound(LpId to) const {
  const LpId self = context_.self_;
  if (model_.same_group(self, to) || !lookahead_table_->forbids_output(self, context_.now_)) return;
  throw ModelError(fmt::format("{} sends to {} at {} ps, before its earliest output time",
                               model_.lps.label(self), model_.lps.label(to),
                               context_.now_.count()));
}

void Partition::refuse_send(LpId to, Duration delay, Duration lookahead) const {
  const std::string pair =
      fmt::format("{} sends to {}", model_.lps.label(context_.self_), model_.lps.label(to));
  if (lookahead == Channels::kNoChannel) {
    throw ModelError(
        fmt::format("{} at {} ps, but no channel connects the two", pair, context_.now_.count()));
  }
  throw ModelError(fmt::format(
      "{} at {} ps an event for {} ps: {} ps later, but the lookahead of their channel is {} ps",
      pair, context_.now_.count(), context_.now_.count() + delay.count(), delay.count(),
      lookahead.count()));
}

void Partition::emit(trace::TableId table, std::span<const std::byte> row) {
  if (sink_ == nullptr) return;
  rows_.append(last_.at, last_.order, table, row);
  const bool pause = mailboxes_ == nullptr && rows_.rows().size() >= kRowsPerPause;
  if (pause && last_.at < bound_) bound_ = std::min(bound_, last_.at + Duration(1));
}

void Context::schedule(Duration delay, const Message& message) {
  partition_->schedule(delay, message);
}

void Context::send(LpId to, Duration delay, const Message& message) {
  partition_->send(to, delay, message);
}

void Context::emit_row(trace::TableId table, std::span<const std::byte> row) {
  partition_->emit(table, row);
}

RandomStream Context::random(std::uint32_t purpose) const {
  return RandomStream(RandomKey{partition_->seed_, self_, purpose});
}

}  // namespace septet::engine
