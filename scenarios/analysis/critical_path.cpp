#include "scenarios/analysis/critical_path.hpp"

#include <algorithm>

#include "scenarios/analysis/thread_calls.hpp"

namespace septet::analysis {
namespace {

// Walks back through the rows of one run.
class Walk {
 public:
  explicit Walk(const RunRows& rows) : rows_(rows), calls_(rows.calls) {
    for (std::size_t i = 0; i < rows.works.size(); ++i) by_end_.push_back(i);
    std::stable_sort(by_end_.begin(), by_end_.end(), [&](std::size_t a, std::size_t b) {
      return rows.works[a].end < rows.works[b].end;
    });
  }

  std::vector<PathLink> run() {
    if (rows_.works.empty()) return {};
    limit_ = by_end_.size();
    const GpuWork* work = last_work(rows_.last, [](const GpuWork&) { return true; });
    tail(*work);
    while (work != nullptr) work = step(*work);
    std::reverse(links_.begin(), links_.end());
    return links_;
  }

 private:
  // Host activity after the last GPU work has ended.
  void tail(const GpuWork& work) {
    Instant last = work.end;
    for (const records::ApiCallRecord& call : rows_.calls) last = std::max(last, call.end);
    if (last == work.end) return;
    links_.push_back({LinkKind::kSynchronization, work.end, last, -1});
  }

  // Adds `work` and its wait; returns the preceding GPU work on the path.
  const GpuWork* step(const GpuWork& work) {
    if (work.is_collective()) return collective(work);
    links_.push_back(
        {work.is_kernel ? LinkKind::kKernel : LinkKind::kCopy, work.start, work.end, work.name});
    return wait_of(work);
  }

  // The transfer since the last rank arrived; then that rank's part.
  const GpuWork* collective(const GpuWork& mine) {
    const GpuWork& work = last_rank(mine);
    const Instant complete = work.start + work.waited;
    links_.push_back({LinkKind::kCommunication, complete, work.end, work.name});
    if (work.waited == Duration(0)) return wait_of(work);
    const GpuWork* own =
        last_work(complete, [&](const GpuWork& w) { return w.device == work.device; });
    const Instant since = own == nullptr ? rows_.first : own->end;
    links_.push_back({LinkKind::kWaitingForRanks, since, complete, work.name});
    return own;
  }

  // The rank of the same collective that waited least: all of them end at once.
  const GpuWork& last_rank(const GpuWork& mine) const {
    const GpuWork* out = &mine;
    const auto ends_before = [&](std::size_t i, Instant end) { return rows_.works[i].end < end; };
    for (auto i = std::lower_bound(by_end_.begin(), by_end_.end(), mine.end, ends_before);
         i != by_end_.end() && rows_.works[*i].end == mine.end; ++i) {
      const GpuWork& work = rows_.works[*i];
      const bool same =
          work.is_collective() && work.start + work.waited == mine.start + mine.waited;
      if (same && work.waited < out->waited) out = &work;
    }
    return *out;
  }

  // The wait of `work`; returns the GPU work before it on the path.
  const GpuWork* wait_of(const GpuWork& work) {
    if (work.cause == records::WaitCause::kSubmission) return host_chain(work, work.start);
    if (work.cause == records::WaitCause::kUnrecorded) return unrecorded(work);
    const std::size_t limit = limit_;
    const bool in_stream = work.cause == records::WaitCause::kStreamOrder;
    const GpuWork* before = last_work(work.start, [&](const GpuWork& w) {
      return (!in_stream || w.stream == work.stream) && w.device == work.device;
    });
    const bool room = work.cause == records::WaitCause::kSmResources;
    if (room && (before == nullptr || before->end < work.ready)) {
      limit_ = limit;  // blocks of a running kernel released their SM resources
      links_.push_back({LinkKind::kSmResources, work.ready, work.start, -1});
      return host_chain(work, work.ready);
    }
    if (before == nullptr) return host_chain(work, work.start);
    links_.push_back(
        {room ? LinkKind::kSmResources : LinkKind::kDependency, before->end, work.start, -1});
    return before;
  }

  // What came before the wait: the stream's work where that had held it up, else the host.
  const GpuWork* unrecorded(const GpuWork& work) {
    links_.push_back({LinkKind::kUnrecorded, work.ready, work.start, -1});
    const std::size_t limit = limit_;
    const GpuWork* before = last_work(work.ready, [&](const GpuWork& w) {
      return w.stream == work.stream && w.device == work.device;
    });
    if (before == nullptr || before->end < work.arrived) {
      limit_ = limit;
      return host_chain(work, work.ready);
    }
    links_.push_back({LinkKind::kDependency, before->end, work.ready, -1});
    return before;
  }

  // The host's part before a work that could start, at `ready`, as soon as it arrived.
  const GpuWork* host_chain(const GpuWork& work, Instant ready) {
    links_.push_back({LinkKind::kLaunchLatency, work.issued, ready, -1});
    Instant now = work.issued;
    while (now > rows_.first) {
      const records::ApiCallRecord* call = calls_.last_before(work.thread, now);
      if (call == nullptr) {
        links_.push_back({LinkKind::kHostWork, rows_.first, now, -1});
        return nullptr;
      }
      if (call->end < now) links_.push_back({LinkKind::kHostWork, call->end, now, -1});
      now = std::min(now, call->end);
      if (call->waited > Duration(0)) {
        const GpuWork* before = awaited(*call);
        const Instant begin = before == nullptr ? call->start : before->end;
        links_.push_back({LinkKind::kSynchronization, begin, now, call->name});
        if (before != nullptr) return before;
      } else {
        links_.push_back({LinkKind::kApiCall, call->start, now, call->name});
      }
      now = call->start;
    }
    return nullptr;
  }

  // The work whose end the call waited for: the path continues there. Null if all work had ended
  // before the call (it waited for a record, or for the completion to become visible).
  const GpuWork* awaited(const records::ApiCallRecord& call) {
    const std::size_t limit = limit_;
    const GpuWork* work = last_work(call.start + call.waited, [](const GpuWork&) { return true; });
    if (work != nullptr && work->end >= call.start) return work;
    limit_ = limit;
    return nullptr;
  }

  // The work that ended last, no later than `time`, among those that `wanted` accepts and that
  // precede all works on the path so far: the walk always goes further back.
  template <class Wanted>
  const GpuWork* last_work(Instant time, Wanted wanted) {
    const auto bound = by_end_.begin() + static_cast<std::ptrdiff_t>(limit_);
    auto it = std::partition_point(by_end_.begin(), bound,
                                   [&](std::size_t i) { return rows_.works[i].end <= time; });
    while (it != by_end_.begin()) {
      const GpuWork& work = rows_.works[*--it];
      if (!wanted(work)) continue;
      limit_ = static_cast<std::size_t>(it - by_end_.begin());
      return &work;
    }
    return nullptr;
  }

  const RunRows& rows_;
  ThreadCalls calls_;
  std::vector<std::size_t> by_end_;  // indices of works
  std::size_t limit_ = 0;            // only works before this position of by_end_ are left
  std::vector<PathLink> links_;
};

}  // namespace

std::vector<PathLink> critical_path(const RunRows& rows) { return Walk(rows).run(); }

}  // namespace septet::analysis
