#include "scenarios/analysis/thread_calls.hpp"

#include <algorithm>

namespace septet::analysis {
namespace {

Duration overlap(Instant a, Instant b, Instant from, Instant to) {
  const Instant begin = std::max(a, from);
  const Instant end = std::min(b, to);
  return end > begin ? end - begin : Duration(0);
}

}  // namespace

ThreadCalls::ThreadCalls(std::span<const records::ApiCallRecord> calls) : calls_(calls) {
  first_.push_back(0);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    while (first_.size() <= static_cast<std::size_t>(calls[i].thread)) first_.push_back(i);
  }
  first_.push_back(calls.size());
  for (const records::ApiCallRecord& call : calls) {
    if (call.kind != program::CallKind::kApi) working_.insert(call.correlation);
  }
  working_.erase(0);
}

// A recorded call that others interrupted is several rows with one correlation.
bool ThreadCalls::is_other(const records::ApiCallRecord& call) const {
  return call.kind == program::CallKind::kApi && !working_.contains(call.correlation);
}

std::span<const records::ApiCallRecord> ThreadCalls::of(std::int32_t thread) const {
  const auto index = static_cast<std::size_t>(thread);
  if (thread < 0 || index + 1 >= first_.size()) return {};
  return calls_.subspan(first_[index], first_[index + 1] - first_[index]);
}

ThreadTime ThreadCalls::between(std::int32_t thread, Instant from, Instant to) const {
  ThreadTime time;
  if (to <= from) return time;
  const std::span<const records::ApiCallRecord> calls = of(thread);
  auto call = std::partition_point(calls.begin(), calls.end(),
                                   [&](const records::ApiCallRecord& c) { return c.end <= from; });
  for (; call != calls.end() && call->start < to; ++call) {
    time.waiting += overlap(call->start, call->start + call->waited, from, to);
    (is_other(*call) ? time.other : time.calling) +=
        overlap(call->start + call->waited, call->end, from, to);
  }
  time.outside = to - from - time.waiting - time.calling - time.other;
  return time;
}

const records::ApiCallRecord* ThreadCalls::last_before(std::int32_t thread, Instant time) const {
  const std::span<const records::ApiCallRecord> calls = of(thread);
  const auto after = std::partition_point(
      calls.begin(), calls.end(), [&](const records::ApiCallRecord& c) { return c.start < time; });
  return after == calls.begin() ? nullptr : &*std::prev(after);
}

}  // namespace septet::analysis
