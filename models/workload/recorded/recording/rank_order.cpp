#include "models/workload/recorded/recording/rank_order.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::recorded {
namespace {

// Of recordings without a rank: the same process that began at the same nanosecond, and as much of
// it.
bool same_recording(const RecordedTrace& a, const RecordedTrace& b) {
  const auto process = [](const RecordedTrace& trace) {
    return trace.threads.empty() ? 0 : trace.threads.front().process;
  };
  return a.rank == b.rank && a.origin_ns == b.origin_ns && a.entries == b.entries &&
         a.events.size() == b.events.size() && process(a) == process(b);
}

void check_pair(const RecordedTrace& one, const RecordedTrace& other) {
  const bool one_rank = one.rank >= 0 && one.rank == other.rank;
  if (!one_rank && !same_recording(one, other)) return;
  const std::string got = one_rank ? fmt::format("rank {}, the same as {}", one.rank, one.file)
                                   : fmt::format("the same recording as {}", one.file);
  throw ConfigError(Location{other.file}, got + ", wanted each rank once");
}

}  // namespace

void order_by_rank(std::vector<RecordedTrace>& traces) {
  const auto place = [](const RecordedTrace& trace) {
    return std::tie(trace.rank, trace.origin_ns, trace.file);
  };
  std::sort(traces.begin(), traces.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
  for (auto other = traces.begin(); other != traces.end(); ++other) {
    for (auto one = traces.begin(); one != other; ++one) check_pair(*one, *other);
  }
}

}  // namespace septet::recorded
