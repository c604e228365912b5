#include "core/engine/partition.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engine/digest.hpp"
#include "core/engine/prefetch.hpp"

namespace septet {
namespace {

bool any_foresees(const Model& model, std::span<const ProcessId> members) {
  return std::any_of(members.begin(), members.end(),
                     [&](ProcessId id) { return model.processes[id].process->foresees(); });
}

Duration lookahead_of(const Model& model, std::span<const ProcessId> members, const Mail* mail) {
  if (mail == nullptr) return Channels::kNoChannel;
  return smallest_lookahead(find_border(model, members));
}

}  // namespace

Partition::Partition(Model& model, const RunOptions& options, PartitionId id,
                     std::vector<ProcessId> members, Mail* mail)
    : model_(model),
      mail_(mail),
      sink_(options.rows),
      seed_(options.seed),
      id_(id),
      members_(std::move(members)),
      lookahead_(lookahead_of(model, members_, mail)),
      context_(*this) {}

void Partition::start() {
  if (mail_ != nullptr && any_foresees(model_, members_)) {
    promises_ = std::make_unique<PromiseBook>(model_, members_);
  }
  try {
    for (const ProcessId process : members_) start(process);
    last_ = {};
  } catch (...) {
    failure_ = {last_, std::current_exception()};
  }
}

void Partition::start(ProcessId process) {
  context_.self_ = process;
  current_ = &model_.processes[process];
  last_ = {Instant{}, pack_order(Phase::kCompletion, process, 0)};
  current_->process->start(context_);
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
      if (queue_.slot() != fetched_for_slot_) fetch_ahead();
      handle(event);
    }
  } catch (...) {
    failure_ = {last_, std::current_exception()};
  }
}

// Where many processes are simulated, those whose turn is next are not in the cache: fetches the
// records of processes that have events two slots of the queue ahead, and the objects of those that
// have some one slot ahead, whose records are there by now.
void Partition::fetch_ahead() {
  fetched_for_slot_ = queue_.slot();
  const ProcessTable& processes = model_.processes;
  queue_.for_each_following(
      1, [&](const Event& event) { prefetch(processes[event.target].process.get()); });
  queue_.for_each_following(2, [&](const Event& event) { prefetch(&processes[event.target]); });
}

inline void Partition::handle(const Event& event) {
  last_.order = event.at == last_.at ? std::max(last_.order, event.order) : event.order;
  last_.at = event.at;
  current_ = &model_.processes[event.target];
  current_->digest = extend_digest(current_->digest, event);
  ++events_;
  context_.now_ = event.at;
  context_.self_ = event.target;
  if (promises_ != nullptr) [[unlikely]] {
    promises_->note_handled(event);
  }
  current_->process->handle(event, context_);
}

void Partition::move_events_to(Partition& other) {
  queue_.for_each([&](const Event& event) { other.enqueue(event); });
  queue_ = {};
}

Outlook Partition::outlook() {
  own_ = {queue_.next(), earliest_output()};
  Outlook outlook = posted_;
  outlook.include(own_);
  return outlook;
}

Instant Partition::earliest_output() {
  const Instant next = queue_.next();
  if (promises_ == nullptr) return add_or_never(next, lookahead_);
  promises_->ask(next);
  return promises_->earliest_output(next);
}

inline Event Partition::make_event(Instant at, ProcessId to, const Message& message) {
  return {.at = at,
          .order = take_order(message.phase, context_.self_, current_->sequence),
          .a = message.a,
          .b = message.b,
          .target = to,
          .kind = message.kind,
          .tag = message.tag};
}

inline Instant Partition::later(Duration delay) const {
  SEPTET_ASSERT(delay >= Duration{} && delay <= Instant::max() - context_.now_);
  return context_.now_ + delay;
}

inline void Partition::enqueue(const Event& event) {
  queue_.push(event);
  if (promises_ != nullptr) [[unlikely]] {
    promises_->note_pending(event);
  }
}

inline void Partition::schedule(Duration delay, const Message& message) {
  queue_.push(make_event(later(delay), context_.self_, message));
}

inline void Partition::send(ProcessId to, Duration delay, const Message& message) {
  SEPTET_ASSERT(to < model_.processes.size());
  const Duration lookahead = model_.channels.lookahead(context_.self_, to);
  if (delay < lookahead || lookahead == Channels::kNoChannel) refuse_send(to, delay, lookahead);
  if (promises_ != nullptr) [[unlikely]] {
    check_promise(to);
  }
  const Event event = make_event(later(delay), to, message);
  const PartitionId there = mail_ == nullptr ? id_ : model_.processes.partition(to);
  if (there == id_) {
    enqueue(event);
  } else {
    post(there, event);
  }
}

void Partition::post(PartitionId to, const Event& event) {
  posted_.include({event.at, add_or_never(event.at, mail_->reaction(to))});
  mail_->post(thread_, to, event);
}

void Partition::check_promise(ProcessId to) const {
  const ProcessId self = context_.self_;
  if (model_.same_group(self, to) || !promises_->forbids(self, context_.now_)) return;
  throw ModelError(fmt::format("{} broke its promise: it sends to {} at {} ps",
                               model_.processes.label(self), model_.processes.label(to),
                               context_.now_.count()));
}

void Partition::refuse_send(ProcessId to, Duration delay, Duration lookahead) const {
  const std::string pair = fmt::format("{} sends to {}", model_.processes.label(context_.self_),
                                       model_.processes.label(to));
  if (lookahead == Channels::kNoChannel) {
    throw ModelError(
        fmt::format("{} at {} ps, but no channel connects the two", pair, context_.now_.count()));
  }
  throw ModelError(fmt::format(
      "{} at {} ps an event for {} ps: {} ps later, but the lookahead of their channel is {} ps",
      pair, context_.now_.count(), context_.now_.count() + delay.count(), delay.count(),
      lookahead.count()));
}

void Partition::emit(TableId table, std::initializer_list<Cell> cells) {
  if (sink_ == nullptr) return;
  rows_.append(last_.at, last_.order, table, cells);
  const bool pause = mail_ == nullptr && rows_.rows().size() >= kRowsPerPause;
  if (pause && last_.at < bound_) bound_ = std::min(bound_, last_.at + Duration(1));
}

void Context::schedule(Duration delay, const Message& message) {
  partition_->schedule(delay, message);
}

void Context::send(ProcessId to, Duration delay, const Message& message) {
  partition_->send(to, delay, message);
}

void Context::emit(TableId table, std::initializer_list<Cell> cells) {
  partition_->emit(table, cells);
}

RandomStream Context::random(std::uint32_t purpose) const {
  return RandomStream(RandomKey{partition_->seed_, self_, purpose});
}

}  // namespace septet
