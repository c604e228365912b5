#include "models/workload/recorded/import/host_scopes.hpp"

#include <algorithm>

namespace septet::recorded {
namespace {

// Of one thread; events come by their start.
class Edges {
 public:
  void add(std::uint32_t event, Instant begin, Instant end) {
    close(begin);
    if (!open_.empty()) end = std::min(end, open_.back());
    edges_.push_back({begin, event});
    open_.push_back(end);
  }

  std::vector<ScopeEdge> take() {
    close(Instant::max());
    return std::move(edges_);
  }

 private:
  // What has ended by `now`.
  void close(Instant now) {
    while (!open_.empty() && open_.back() <= now) {
      edges_.push_back({open_.back(), kNone});
      open_.pop_back();
    }
  }

  std::vector<ScopeEdge> edges_;
  std::vector<Instant> open_;  // their ends
};

}  // namespace

std::vector<std::vector<ScopeEdge>> find_scopes(const RecordedTrace& trace,
                                                const RecordingIndex& index) {
  std::vector<Edges> threads(trace.threads.size());
  for (std::uint32_t e = 0; e < trace.events.size(); ++e) {
    const RecordedEvent& event = trace.events[e];
    if (event.kind != RecordedKind::kCpuOp && event.kind != RecordedKind::kAnnotation) continue;
    const Duration since = event.start - index.origin;
    const Instant end = Instant() + since + event.duration;
    if (end <= Instant()) continue;  // before the window
    threads[event.thread].add(e, std::max(Instant(), Instant() + since), end);
  }
  std::vector<std::vector<ScopeEdge>> out;
  for (Edges& edges : threads) out.push_back(edges.take());
  return out;
}

}  // namespace septet::recorded
