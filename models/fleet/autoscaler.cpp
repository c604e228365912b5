// The router as the one who starts and stops replicas.
#include <algorithm>
#include <cmath>

#include "models/fleet/router.hpp"

namespace septet::fleet {

using engine::Context;

void Router::set_state(std::uint32_t replica, State state, Instant now) {
  Managed& it = managed_[replica];
  const bool was_there = it.state != State::kOff;
  const bool is_there = state != State::kOff;
  if (!was_there && is_there) it.since = now;
  if (was_there && !is_there) it.provided += now - it.since;
  it.state = state;
  loads_[replica].takes_requests = state == State::kUp;
}

std::vector<Duration> Router::provided(Instant end) const {
  std::vector<Duration> out;
  for (const Managed& it : managed_) {
    out.push_back(it.state == State::kOff ? it.provided : it.provided + (end - it.since));
  }
  return out;
}

// Those that take requests or are about to.
std::uint32_t Router::provided_replicas() const {
  return static_cast<std::uint32_t>(std::ranges::count_if(managed_, [](const Managed& it) {
    return it.state == State::kUp || it.state == State::kStarting || it.state == State::kFailed;
  }));
}

void Router::scale(Context& context) {
  const Autoscaling& scaling = *spec_.autoscaling;
  const auto waiting = static_cast<double>(under_way_ + held_.size());
  const double wanted =
      std::clamp(std::ceil(waiting / scaling.requests_per_replica),
                 static_cast<double>(scaling.least), static_cast<double>(scaling.most));
  const auto count = static_cast<std::uint32_t>(wanted);
  const std::uint32_t now = provided_replicas();
  if (count >= now) {
    fewer_enough_ = false;
    scale_up(count - now, context);
  } else {
    if (!fewer_enough_) enough_since_ = context.now();
    fewer_enough_ = true;
    if (context.now() - enough_since_ >= scaling.scale_down_delay) {
      scale_down(now - count, context);
    }
  }
  if (!all_ended()) context.schedule(scaling.interval, {kScale});
}

// Those that drain are taken back first, then others start.
void Router::scale_up(std::uint32_t count, Context& context) {
  for (std::uint32_t i = 0; i < managed_.size() && count > 0; ++i) {
    if (managed_[i].state != State::kDraining) continue;
    set_state(i, State::kUp, context.now());
    --count;
  }
  for (std::uint32_t i = 0; i < managed_.size() && count > 0; ++i) {
    if (managed_[i].state != State::kOff) continue;
    set_state(i, State::kStarting, context.now());
    context.schedule(spec_.autoscaling->start_up, {kStarted, 0, i});
    --count;
  }
}

// The last ones take no more requests and end once theirs are answered.
void Router::scale_down(std::uint32_t count, Context& context) {
  for (std::size_t i = managed_.size(); i-- > 0 && count > 0;) {
    const auto replica = static_cast<std::uint32_t>(i);
    if (managed_[i].state == State::kStarting) {
      set_state(replica, State::kOff, context.now());
      --count;
    } else if (managed_[i].state == State::kUp) {
      set_state(replica, State::kDraining, context.now());
      switch_off_if_drained(replica, context.now());
      --count;
    }
  }
}

void Router::switch_off_if_drained(std::uint32_t replica, Instant now) {
  const bool drained =
      managed_[replica].state == State::kDraining && loads_[replica].under_way == 0;
  if (drained) set_state(replica, State::kOff, now);
}

}  // namespace septet::fleet
