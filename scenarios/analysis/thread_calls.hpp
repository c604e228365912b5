// The API calls of each thread, to query what a thread did between two instants.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "scenarios/analysis/run_rows.hpp"

namespace septet::analysis {

struct ThreadTime {
  Duration calling{};  // inside API calls that submit or synchronise, not waiting
  Duration other{};    // inside other API calls
  Duration waiting{};  // inside API calls, waiting
  Duration outside{};  // its own work
};

class ThreadCalls {
 public:
  explicit ThreadCalls(std::span<const records::ApiCallRecord> calls);

  // What `thread` did in [from, to). A call's waiting is assumed to come first, since a
  // synchronisation returns soon after its wait has ended.
  ThreadTime between(std::int32_t thread, Instant from, Instant to) const;

  // The last call of `thread` that begins before `time`; null if there is none.
  const records::ApiCallRecord* last_before(std::int32_t thread, Instant time) const;

 private:
  std::span<const records::ApiCallRecord> of(std::int32_t thread) const;

  bool is_other(const records::ApiCallRecord& call) const;

  std::span<const records::ApiCallRecord> calls_;
  std::unordered_set<std::int64_t> working_;  // correlations of calls that submit or synchronise
  std::vector<std::size_t> first_;            // by thread, and one past the last
};

}  // namespace septet::analysis
