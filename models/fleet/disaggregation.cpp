// Replicas that compute prompts alone, and those that write answers from their keys and values.
#include <algorithm>

#include "core/base/error.hpp"
#include "models/fleet/replica.hpp"

namespace septet::fleet {

using engine::Context;
using engine::Phase;

// The prompt of a request is computed. Its blocks stay until the decode replica has fetched them;
// an answer of a single token may end here.
void Replica::prefilled(std::uint32_t tag, Context& context) {
  const ServedRequest request = active_[tag];
  served_.push_back(request);
  const bool ends = spec_.disaggregation->first_token == FirstToken::kPrefill &&
                    (*spec_.requests)[request.attempt.request].output_tokens == 1;
  if (ends) {
    ++totals_.output_tokens;
    engine_->release(tag);
    active_.give_back(tag);
    return report(request.attempt, context);
  }
  kept_[request.attempt.request] = tag;
  context.send(kRouterLp, spec_.latency, {kPrefilled, 0, packed(request.attempt), spec_.number});
}

void Replica::release(Attempt attempt, Context& context) {
  const auto kept = kept_.find(attempt.request);
  SEPTET_ASSERT(kept != kept_.end());
  engine_->release(kept->second);
  active_.give_back(kept->second);
  kept_.erase(kept);
  if (engine_->waiting() > 0) wake_if_idle(context);
}

void Replica::receive_prefilled(Attempt attempt, std::uint32_t prefill, Context& context) {
  const requests::Request& request = (*spec_.requests)[attempt.request];
  const std::uint32_t tag = active_.take();
  active_[tag] = {.attempt = attempt};
  const serving::Entry entry = engine_->receive(
      {attempt.request, request.input_tokens, request.output_tokens, request.pieces, tag});
  if (entry != serving::Entry::kQueued) {
    active_.give_back(tag);
    context.send(lp_of_replica(prefill), spec_.latency, {kRelease, 0, packed(attempt)});
    return refuse(attempt, entry, context);
  }
  sender_[tag] = prefill;
  totals_.peak_waiting = std::max(totals_.peak_waiting, engine_->waiting());
  stage(context);
}

// Transfers of all for which there is room, one after the other.
void Replica::stage(Context& context) {
  for (const std::uint32_t tag : engine_->stage()) {
    ServedRequest& request = active_[tag];
    const std::int64_t tokens = (*spec_.requests)[request.attempt.request].input_tokens;
    const Instant begin = std::max(context.now(), link_free_);
    request.transfer_began = begin;
    link_free_ = begin + spec_.transfer->time(tokens);
    schedule(link_free_ - context.now(), kTransferred, tag, context, Phase::kArrival);
  }
  totals_.peak_cache_use = std::max(totals_.peak_cache_use, engine_->cache_use());
}

void Replica::transferred(std::uint32_t tag, Context& context) {
  ServedRequest& request = active_[tag];
  request.transferred = context.now();
  engine_->arrive(tag, spec_.disaggregation->first_token == FirstToken::kPrefill);
  const auto sender = sender_.find(tag);
  context.send(lp_of_replica(sender->second), spec_.latency,
               {kRelease, 0, packed(request.attempt)});
  sender_.erase(sender);
  wake_if_idle(context);
}

}  // namespace septet::fleet
