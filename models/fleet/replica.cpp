#include "models/fleet/replica.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace septet::fleet {

using engine::Context;
using engine::Event;
using engine::Phase;
using serving::EngineStep;

Replica::Replica(const ReplicaSpec& spec)
    : spec_(spec),
      engine_(std::make_unique<serving::Engine>(*spec.engine, *spec.costs, spec.seed)) {}

void Replica::handle(const Event& event, Context& context) {
  if (event.kind == kRequest) return receive(attempt_of(event.a), context);
  if (event.kind == kFail) return fail();
  if (event.kind == kReceive) {
    return receive_prefilled(attempt_of(event.a), static_cast<std::uint32_t>(event.b), context);
  }
  if (event.kind == kRelease) return release(attempt_of(event.a), context);
  if (event.tag != life_) return;
  switch (event.kind) {
    case kQueued:
      return enqueue(attempt_of(event.a), context);
    case kWake:
      return wake(context);
    case kGpuBegins:
      return begin_gpu(context);
    case kStepEnds:
      return end_step(context);
    case kTransferred:
      return transferred(static_cast<std::uint32_t>(event.a), context);
    default:
      SEPTET_ASSERT(false);
  }
}

void Replica::schedule(Duration delay, std::uint16_t kind, std::uint64_t a, Context& context,
                       Phase phase) {
  context.schedule(delay, {kind, life_, a, 0, phase});
}

void Replica::receive(Attempt attempt, Context& context) {
  const serving::FrontEnd& front_end = spec_.engine->front_end;
  const Duration delay = front_end.request + front_end.per_prompt_token *
                                                 (*spec_.requests)[attempt.request].input_tokens;
  schedule(delay, kQueued, packed(attempt), context, Phase::kArrival);
}

void Replica::enqueue(Attempt attempt, Context& context) {
  const requests::Request& request = (*spec_.requests)[attempt.request];
  const std::uint32_t tag = active_.take();
  active_[tag] = {.attempt = attempt};
  const std::int64_t output = spec_.role == Role::kPrefill ? 1 : request.output_tokens;
  const serving::Entry entry =
      engine_->add({attempt.request, request.input_tokens, output, request.pieces, tag});
  if (entry != serving::Entry::kQueued) {
    active_.give_back(tag);
    return refuse(attempt, entry, context);
  }
  totals_.peak_waiting = std::max(totals_.peak_waiting, engine_->waiting());
  wake_if_idle(context);
}

void Replica::wake_if_idle(Context& context) {
  if (running_ || waking_) return;
  waking_ = true;
  schedule({}, kWake, 0, context, Phase::kLate);
}

void Replica::refuse(Attempt attempt, serving::Entry reason, Context& context) {
  served_.push_back({.attempt = attempt, .last_token = context.now(), .refusal = reason});
  report(attempt, context);
}

// The GPU is idle: a step is planned, and the host prepares it.
void Replica::wake(Context& context) {
  waking_ = false;
  if (running_) return;
  running_ = planned(context.now());
  if (!running_) return;
  if (spec_.engine->host.overlapped) return schedule(running_->host, kGpuBegins, 0, context);
  schedule(running_->host + running_->gpu, kStepEnds, 0, context, Phase::kCompletion);
}

// With overlap: `running_` begins on the GPU, and the host turns to the step after it.
void Replica::begin_gpu(Context& context) {
  schedule(running_->gpu, kStepEnds, 0, context, Phase::kCompletion);
  next_ = planned(context.now());
  if (next_) next_ready_ = context.now() + next_->host;
}

void Replica::end_step(Context& context) {
  const EngineStep step = std::move(*running_);
  running_.reset();
  deliver(step, context);
  if (spec_.role == Role::kDecode) stage(context);
  go_on(context);
}

// After a step: the planned one as soon as the host is through with it, or one that is planned now.
// Requests that arrive at this very instant are still to come.
void Replica::go_on(Context& context) {
  if (next_) {
    running_ = std::exchange(next_, std::nullopt);
    const Duration wait = std::max(Duration{}, next_ready_ - context.now());
    return schedule(wait, kGpuBegins, 0, context, Phase::kLate);
  }
  waking_ = true;
  schedule({}, kWake, 0, context, Phase::kLate);
}

std::optional<EngineStep> Replica::planned(Instant now) {
  EngineStep step = engine_->plan();
  const bool empty = std::ranges::all_of(step.ranks, &serving::StepPlan::empty);
  for (const serving::StepPlan& plan : step.ranks) {
    totals_.preemptions += plan.preempted.size();
    for (const std::uint32_t tag : plan.admitted) active_[tag].admitted = now;
  }
  if (empty) return std::nullopt;
  ++totals_.steps;
  totals_.gpu += step.gpu;
  totals_.energy += step.energy;
  totals_.host += step.host;
  totals_.prompt_tokens += step.prompt_tokens;
  totals_.peak_running = std::max(totals_.peak_running, engine_->running());
  totals_.peak_cache_use = std::max(totals_.peak_cache_use, engine_->cache_use());
  if (spec_.records_steps) record(step, now);
  return step;
}

void Replica::record(const EngineStep& step, Instant now) {
  records::ServingStepRecord row;
  row.planned = now;
  row.replica = static_cast<std::int32_t>(spec_.number);
  for (const serving::StepPlan& plan : step.ranks) {
    row.sequences += static_cast<std::int32_t>(plan.entries.size());
    row.preempted += static_cast<std::int32_t>(plan.preempted.size());
    for (const serving::Scheduled& entry : plan.entries) row.tokens += entry.tokens;
  }
  row.prompt_tokens = step.prompt_tokens;
  row.host = step.host;
  row.gpu = step.gpu;
  row.running = static_cast<std::int32_t>(engine_->running());
  row.waiting = static_cast<std::int32_t>(engine_->waiting());
  row.kv_use = engine_->cache_use();
  steps_.push_back(row);
}

void Replica::deliver(const EngineStep& step, Context& context) {
  emissions_.clear();
  engine_->complete(step, emissions_);
  gaps_of_earlier_steps_ = gaps_.size();
  for (const serving::Emission& emission : emissions_) take_tokens(emission, context);
}

void Replica::take_tokens(const serving::Emission& emission, Context& context) {
  ServedRequest& request = active_[emission.tag];
  if (spec_.role != Role::kPrefill) totals_.output_tokens += emission.tokens;
  // Of a first token that came with the prompt, the gap is counted where both times are known.
  const bool begins = emission.first || request.last_token == Instant();
  if (begins) {
    request.first_token = context.now();
  } else {
    count_gap(context.now() - request.last_token, 1);
  }
  // Tokens of one round of speculation arrive together.
  if (emission.tokens > 1) count_gap({}, emission.tokens - 1);
  request.last_token = context.now();
  if (!emission.finished) return;
  request.cached_tokens = emission.cached;
  request.preemptions = emission.preemptions;
  if (spec_.role == Role::kPrefill) return prefilled(emission.tag, context);
  served_.push_back(request);
  report(request.attempt, context);
  active_.give_back(emission.tag);
}

// Most of a step's gaps are equal: they are counted together.
void Replica::count_gap(Duration gap, std::int64_t count) {
  for (std::size_t i = gaps_of_earlier_steps_; i < gaps_.size(); ++i) {
    if (gaps_[i].gap == gap) {
      gaps_[i].count += count;
      return;
    }
  }
  gaps_.push_back({gap, count});
}

void Replica::report(Attempt attempt, Context& context) {
  if (!spec_.reports) return;
  context.send(kRouterLp, spec_.latency, {kEnded, 0, packed(attempt), spec_.number});
}

std::vector<ServedRequest> Replica::under_way() const {
  std::vector<ServedRequest> out;
  active_.for_each([&](std::uint32_t, const ServedRequest& request) { out.push_back(request); });
  return out;
}

// All that it had is gone; the router sends it again to others.
void Replica::fail() {
  ++life_;
  ++totals_.failures;
  engine_ = std::make_unique<serving::Engine>(*spec_.engine, *spec_.costs, spec_.seed);
  active_ = {};
  running_.reset();
  next_.reset();
  waking_ = false;
}

}  // namespace septet::fleet
