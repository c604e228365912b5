#include "models/fleet/router.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::fleet {

using engine::Context;
using engine::Event;

namespace {

constexpr std::uint32_t kRoutingDraws = 0;
constexpr std::uint32_t kAnswerDraws = 1;

bool any_follows(const requests::Workload& workload) {
  return std::ranges::any_of(workload.requests, [](const requests::Request& request) {
    return request.follows != requests::kNoRequest;
  });
}

}  // namespace

bool Router::wants_reports(const FleetSpec& spec, const requests::Workload& workload) {
  const bool by_load =
      spec.router.routing == Routing::kLeastLoaded || spec.router.routing == Routing::kPrefixAware;
  return by_load || workload.concurrency || spec.autoscaling || !spec.failures.empty() ||
         spec.disaggregation || any_follows(workload);
}

Router::Router(const FleetSpec& spec, const requests::Workload& workload, std::uint64_t seed)
    : spec_(spec),
      workload_(workload),
      seed_(seed),
      reports_(wants_reports(spec, workload)),
      requests_(workload.requests.size()),
      managed_(spec.all_replicas()),
      loads_(spec.all_replicas()) {
  for (std::uint32_t i = 0; i < spec.replicas; ++i) set_state(i, State::kUp, {});
  for (std::uint32_t i = spec.most_replicas(); i < spec.all_replicas(); ++i) {
    set_state(i, State::kUp, {});
  }
  if (!any_follows(workload)) return;
  follow_ups_.resize(workload.requests.size());
  for (std::uint32_t i = 0; i < workload.requests.size(); ++i) {
    const std::int64_t before = workload.requests[i].follows;
    if (before != requests::kNoRequest) follow_ups_[static_cast<std::size_t>(before)].push_back(i);
  }
}

void Router::start(Context& context) {
  policy_.emplace(spec_.router, RandomStream({seed_, context.self(), kRoutingDraws}));
  answer_policy_.emplace(spec_.router, RandomStream({seed_, context.self(), kAnswerDraws}));
  arrive_next(context);
  for (std::size_t i = 0; i < spec_.failures.size(); ++i) {
    context.schedule(Duration(spec_.failures[i].at.count()), {kFailure, 0, i});
  }
  if (spec_.autoscaling) context.schedule(spec_.autoscaling->interval, {kScale});
}

void Router::handle(const Event& event, Context& context) {
  const auto number = static_cast<std::uint32_t>(event.a);
  switch (event.kind) {
    case kArrival:
      arrive(number, context);
      return arrive_next(context);
    case kFollowUp:
      return arrive(number, context);
    case kEnded:
      return end(attempt_of(event.a), context);
    case kPrefilled:
      return hand_over(attempt_of(event.a), context);
    case kFailure:
      return fail(spec_.failures[event.a], context);
    case kScale:
      return scale(context);
    case kRepaired:
      if (managed_[number].state != State::kFailed) return;
      set_state(number, State::kUp, context.now());
      return dispatch_held(context);
    case kStarted:
      if (managed_[number].state != State::kStarting) return;
      set_state(number, State::kUp, context.now());
      return dispatch_held(context);
    default:
      SEPTET_ASSERT(false);
  }
}

// The next request that has a time of its own.
void Router::arrive_next(Context& context) {
  const auto& requests = workload_.requests;
  while (next_ < requests.size() && requests[next_].follows != requests::kNoRequest) ++next_;
  if (next_ == requests.size()) return;
  context.schedule(requests[next_].arrival - context.now(), {kArrival, 0, next_});
  ++next_;
}

void Router::arrive(std::uint32_t request, Context& context) {
  requests_[request].arrived = context.now();
  held_.push_back(request);
  dispatch_held(context);
}

void Router::dispatch_held(Context& context) {
  const bool taken = std::ranges::any_of(loads_, &ReplicaLoad::takes_requests);
  while (taken && !held_.empty() &&
         (!workload_.concurrency || under_way_ < *workload_.concurrency)) {
    const std::uint32_t request = held_.front();
    held_.pop_front();
    if (requests_[request].attempts == 0) requests_[request].sent = context.now();
    ++under_way_;
    dispatch(request, context);
  }
}

// Some replica takes requests.
void Router::dispatch(std::uint32_t request, Context& context) {
  const std::uint32_t first = spec_.disaggregation ? spec_.most_replicas() : 0;
  const std::uint32_t replica =
      first + *policy_->choose(workload_.requests[request], loads_of_prompts());
  RoutedRequest& routed = requests_[request];
  routed.replica = replica;
  routed.under_way = true;
  ++routed.attempts;
  ++loads_[replica].under_way;
  context.send(lp_of_replica(replica), spec_.router.latency,
               {kRequest, 0, packed({request, routed.attempts})});
}

std::span<const ReplicaLoad> Router::loads_of_prompts() const {
  const std::span all(loads_);
  return spec_.disaggregation ? all.subspan(spec_.most_replicas()) : all;
}

std::span<const ReplicaLoad> Router::loads_of_answers() const {
  return std::span(loads_).first(spec_.most_replicas());
}

// The prompt is computed: another replica writes the answer.
void Router::hand_over(Attempt attempt, Context& context) {
  RoutedRequest& routed = requests_[attempt.request];
  const std::uint32_t prefill = routed.replica;
  --loads_[prefill].under_way;
  routed.replica = *answer_policy_->choose(workload_.requests[attempt.request], loads_of_answers());
  ++loads_[routed.replica].under_way;
  context.send(lp_of_replica(routed.replica),
               spec_.router.latency + spec_.disaggregation->hand_over,
               {kReceive, 0, packed(attempt), prefill});
}

// An answer of a replica that failed since then counts for nothing: the request was sent again.
void Router::end(Attempt attempt, Context& context) {
  RoutedRequest& routed = requests_[attempt.request];
  if (!routed.under_way || routed.attempts != attempt.number) return;
  routed.under_way = false;
  --loads_[routed.replica].under_way;
  --under_way_;
  ++ended_;
  switch_off_if_drained(routed.replica, context.now());
  if (!follow_ups_.empty()) {
    for (const std::uint32_t next : follow_ups_[attempt.request]) {
      context.schedule(workload_.requests[next].pause, {kFollowUp, 0, next});
    }
  }
  dispatch_held(context);
}

// Its requests start again elsewhere, or wait until there is a replica; clients' clocks go on.
void Router::fail(const Failure& failure, Context& context) {
  const State state = managed_[failure.replica].state;
  if (state != State::kUp && state != State::kDraining) return;
  set_state(failure.replica, State::kFailed, context.now());
  context.send(lp_of_replica(failure.replica), spec_.router.latency, {kFail});
  context.schedule(failure.repair, {kRepaired, 0, failure.replica});
  policy_->forget(failure.replica);
  std::vector<std::uint32_t> lost;
  for (std::uint32_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i].under_way && requests_[i].replica == failure.replica) lost.push_back(i);
  }
  loads_[failure.replica].under_way = 0;
  const bool taken = std::ranges::any_of(loads_, &ReplicaLoad::takes_requests);
  for (const std::uint32_t request : lost) {
    requests_[request].under_way = false;
    if (taken) dispatch(request, context);
  }
  if (taken) return;
  under_way_ -= lost.size();
  held_.insert(held_.begin(), lost.begin(), lost.end());
}

}  // namespace septet::fleet
