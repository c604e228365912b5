// What users and operators measure, from the outcome of a run.
//
// Of completed requests, as a client sees them: TTFT, from sending to the first token; TPOT, (last
// - first token) / (tokens - 1), of answers of two tokens or more; ITL, each gap between tokens;
// E2E, from sending to the last token; queue, from sending to the first step. A client's own limit
// of concurrency comes before sending.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"
#include "models/fleet/fleet_result.hpp"
#include "models/workload/requests/request.hpp"

namespace septet::fleet {

enum class Latency : std::uint8_t { kTtft, kTpot, kItl, kE2e, kQueue };
constexpr auto enum_table(std::type_identity<Latency>) {
  return enum_texts<Latency>("ttft", "tpot", "itl", "e2e", "queue");
}

// Latencies by value: percentiles are linear between the nearest ranks (core/base/statistics.hpp).
class Distribution {
 public:
  Distribution() = default;
  explicit Distribution(std::vector<TokenGap> values);

  std::int64_t count() const { return count_; }
  Duration mean() const { return mean_; }
  Duration at(double percent) const;  // 0 where there are no values

 private:
  Duration value_of_rank(std::int64_t rank) const;

  std::vector<TokenGap> values_;     // ascending
  std::vector<std::int64_t> up_to_;  // values up to and with each
  std::int64_t count_ = 0;
  Duration mean_{};
};

struct LoadTotals {
  std::int64_t requests = 0;
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;

  friend bool operator==(const LoadTotals&, const LoadTotals&) = default;
};

struct FleetMetrics {
  LoadTotals offered;   // all that arrived
  LoadTotals admitted;  // those of which a step computed something
  LoadTotals completed;
  std::int64_t refused = 0;
  std::int64_t unfinished = 0;  // when the run was cut
  Duration arrivals{};          // first to last arrival
  Duration span{};              // first arrival to last answer
  Distribution latencies[kEnumSize<Latency>];
  // Disaggregation: from the end of the prompt until its keys and values have come, and the part
  // of it that they move.
  Distribution hand_over;
  Distribution transfer;
  std::int64_t waiting_at_half = 0;  // not admitted after half of the arrivals' time ..
  std::int64_t waiting_at_end = 0;   // .. and at the last one
  // The queue was still growing when arrivals ended: latencies would grow with the run, and no
  // percentile of them means anything. Not asked where clients limit themselves.
  bool overloaded = false;

  const Distribution& of(Latency latency) const {
    return latencies[static_cast<std::size_t>(latency)];
  }
  // Per second of `span`; 0 where that is 0.
  double per_second(std::int64_t count) const;
};

FleetMetrics metrics_of(const requests::Workload& workload, const FleetResult& result);

// One request's latencies; ITL: its TPOT, gaps being counted apart. Nothing where it has none.
std::optional<Duration> latency_of(Latency latency, const requests::Request& request,
                                   const RequestOutcome& outcome);

}  // namespace septet::fleet
