#include "models/workload/requests/arrival_process.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/gamma.hpp>

#include "core/base/error.hpp"

namespace septet::requests {
namespace {

double highest_rate(const ArrivalProcess& process) {
  if (process.kind == ArrivalKind::kBursts) return std::max(process.rate, process.burst_rate);
  if (process.kind == ArrivalKind::kDiurnal) return process.rate * (1 + process.amplitude);
  return process.rate;
}

double gap_seconds(const ArrivalProcess& process, RandomStream& stream) {
  switch (process.kind) {
    case ArrivalKind::kConstant:
      return 1 / process.rate;
    case ArrivalKind::kGamma:
      return boost::math::gamma_p_inv(process.shape, stream.uniform()) /
             (process.shape * process.rate);
    default:
      return stream.exponential(1 / highest_rate(process));
  }
}

bool changes(ArrivalKind kind) {
  return kind == ArrivalKind::kBursts || kind == ArrivalKind::kDiurnal;
}

// The next arrival after `time`. Sums of seconds would lose picoseconds of long runs: times are
// summed as integers.
Instant next_arrival(const ArrivalProcess& process, Instant time, RandomStream& stream) {
  if (process.kind == ArrivalKind::kAtOnce) return time;
  for (;;) {
    time += from_seconds(gap_seconds(process, stream));
    if (!changes(process.kind)) return time;
    if (stream.uniform() * highest_rate(process) < rate_at(process, time)) return time;
  }
}

}  // namespace

double rate_at(const ArrivalProcess& process, Instant time) {
  if (process.kind == ArrivalKind::kBursts) {
    const std::int64_t within = time.count() % process.period.count();
    return within < process.burst_length.count() ? process.burst_rate : process.rate;
  }
  if (process.kind == ArrivalKind::kDiurnal) {
    const double turns = ratio(Duration(time.count()), process.period);
    return process.rate *
           (1 + process.amplitude * std::sin(2 * std::numbers::pi * (turns - std::floor(turns))));
  }
  return process.rate;
}

std::vector<Instant> arrival_times(const ArrivalProcess& process, std::uint64_t count,
                                   RandomStream& stream) {
  std::vector<Instant> out;
  out.reserve(count);
  Instant time;
  for (std::uint64_t i = 0; i < count; ++i) {
    time = next_arrival(process, time, stream);
    out.push_back(time);
  }
  return out;
}

std::vector<Instant> arrival_times_before(const ArrivalProcess& process, Instant end,
                                          RandomStream& stream) {
  SEPTET_ASSERT(process.kind != ArrivalKind::kAtOnce);
  std::vector<Instant> out;
  for (Instant time = next_arrival(process, {}, stream); time < end;
       time = next_arrival(process, time, stream)) {
    out.push_back(time);
  }
  return out;
}

}  // namespace septet::requests
