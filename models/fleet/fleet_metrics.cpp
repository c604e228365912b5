#include "models/fleet/fleet_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace septet::fleet {
namespace {

// The queue grows where at least this share of the second half's arrivals adds to it, and more than
// a few requests.
constexpr double kGrowingShare = 0.05;
constexpr std::int64_t kFew = 10;

void add(LoadTotals& totals, const requests::Request& request) {
  ++totals.requests;
  totals.input_tokens += request.input_tokens;
  totals.output_tokens += request.output_tokens;
}

Instant last_arrival(const FleetResult& result) {
  Instant last;
  for (const RequestOutcome& outcome : result.requests) {
    if (outcome.arrived) last = std::max(last, *outcome.arrived);
  }
  return last;
}

// Requests that had arrived but were in no step yet.
std::int64_t waiting_at(const FleetResult& result, Instant time) {
  return std::ranges::count_if(result.requests, [&](const RequestOutcome& outcome) {
    const bool arrived = outcome.arrived && *outcome.arrived <= time;
    if (!arrived || outcome.fate == Fate::kRefused) return false;
    return !outcome.admitted || *outcome.admitted > time;
  });
}

void judge_load(const requests::Workload& workload, const FleetResult& result, Instant first,
                Instant last, FleetMetrics& out) {
  const Instant half = first + (last - first) / 2;
  out.waiting_at_half = waiting_at(result, half);
  out.waiting_at_end = waiting_at(result, last);
  if (workload.concurrency || last == first) return;
  const auto later = std::ranges::count_if(result.requests, [&](const RequestOutcome& outcome) {
    return outcome.arrived && *outcome.arrived > half;
  });
  const std::int64_t growth = out.waiting_at_end - out.waiting_at_half;
  out.overloaded =
      growth > kFew && static_cast<double>(growth) > kGrowingShare * static_cast<double>(later);
}

void add_hand_overs(const FleetResult& result, FleetMetrics& out) {
  std::vector<TokenGap> hand_overs;
  std::vector<TokenGap> transfers;
  for (const RequestOutcome& outcome : result.requests) {
    if (!outcome.prefilled || !outcome.transferred) continue;
    hand_overs.push_back({*outcome.transferred - *outcome.prefilled, 1});
    transfers.push_back({*outcome.transferred - *outcome.transfer_began, 1});
  }
  out.hand_over = Distribution(std::move(hand_overs));
  out.transfer = Distribution(std::move(transfers));
}

}  // namespace

Distribution::Distribution(std::vector<TokenGap> values) : values_(std::move(values)) {
  std::ranges::sort(values_, {}, &TokenGap::gap);
  double sum = 0;
  for (const TokenGap& value : values_) {
    count_ += value.count;
    up_to_.push_back(count_);
    sum += static_cast<double>(value.gap.count()) * static_cast<double>(value.count);
  }
  if (count_ > 0) mean_ = Duration(std::llround(sum / static_cast<double>(count_)));
}

Duration Distribution::value_of_rank(std::int64_t rank) const {
  const auto place = std::ranges::upper_bound(up_to_, rank);
  return values_[static_cast<std::size_t>(place - up_to_.begin())].gap;
}

Duration Distribution::at(double percent) const {
  if (count_ == 0) return {};
  const double rank = percent / 100 * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::int64_t>(rank);
  const Duration low = value_of_rank(below);
  const Duration high = value_of_rank(std::min(below + 1, count_ - 1));
  return low + scale(high - low, rank - static_cast<double>(below));
}

double FleetMetrics::per_second(std::int64_t count) const {
  return span.count() > 0 ? static_cast<double>(count) / to_seconds(span) : 0;
}

std::optional<Duration> latency_of(Latency latency, const requests::Request& request,
                                   const RequestOutcome& outcome) {
  if (outcome.fate != Fate::kCompleted) return std::nullopt;
  switch (latency) {
    case Latency::kTtft:
      return outcome.first_token - outcome.sent;
    case Latency::kE2e:
      return outcome.finished - outcome.sent;
    case Latency::kQueue:
      return *outcome.admitted - outcome.sent;
    case Latency::kTpot:
    case Latency::kItl:
      break;
  }
  if (request.output_tokens < 2) return std::nullopt;
  return (outcome.finished - outcome.first_token) / (request.output_tokens - 1);
}

FleetMetrics metrics_of(const requests::Workload& workload, const FleetResult& result) {
  FleetMetrics out;
  std::vector<TokenGap> values[kEnumSize<Latency>];
  Instant first = Instant::max();
  Instant last_answer;
  for (std::size_t i = 0; i < workload.requests.size(); ++i) {
    const requests::Request& request = workload.requests[i];
    const RequestOutcome& outcome = result.requests[i];
    if (!outcome.arrived) continue;
    first = std::min(first, *outcome.arrived);
    last_answer = std::max(last_answer, outcome.finished);
    add(out.offered, request);
    if (outcome.admitted) add(out.admitted, request);
    if (outcome.fate == Fate::kCompleted) add(out.completed, request);
    out.refused += outcome.fate == Fate::kRefused ? 1 : 0;
    out.unfinished += outcome.fate == Fate::kUnfinished ? 1 : 0;
    for (const Latency latency : values_of<Latency>()) {
      const std::optional<Duration> value = latency_of(latency, request, outcome);
      if (value) values[static_cast<std::size_t>(latency)].push_back({*value, 1});
    }
  }
  if (out.offered.requests == 0) return out;
  values[static_cast<std::size_t>(Latency::kItl)] = result.gaps;
  for (std::size_t i = 0; i < kEnumSize<Latency>; ++i) {
    out.latencies[i] = Distribution(std::move(values[i]));
  }
  const Instant last = last_arrival(result);
  out.arrivals = last - first;
  add_hand_overs(result, out);
  out.span = std::max(last_answer, last) - first;
  judge_load(workload, result, first, last, out);
  return out;
}

}  // namespace septet::fleet
