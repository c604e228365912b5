// Pairs the two ends of the flows of a recording, in whichever order they come. An id that is used
// again after its pair is complete starts another flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/workload/recorded/recording/time_line.hpp"

namespace septet {

struct FlowEnd {
  std::uint32_t thread = 0;
  TimeLine::Mark at;
};

struct FlowPair {
  std::uint64_t id = 0;
  FlowEnd from;
  FlowEnd to;
};

class FlowMatcher {
 public:
  // False when the same end of this flow was still waiting for its other end; it is replaced.
  bool add(std::uint64_t id, bool start, const FlowEnd& end);

  const std::vector<FlowPair>& pairs() const { return pairs_; }
  std::size_t unmatched() const { return starts_.size() + ends_.size(); }

 private:
  using Waiting = std::unordered_map<std::uint64_t, FlowEnd>;

  Waiting starts_;
  Waiting ends_;
  std::vector<FlowPair> pairs_;
};

}  // namespace septet
