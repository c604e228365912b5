#include "models/workload/recorded/import/host_plan.hpp"

#include <algorithm>
#include <map>

namespace septet::recorded {
namespace {

// A launch call blocked by the full ring takes at least this many times as long as usual.
constexpr std::int64_t kBlockedFactor = 3;
// A synchronisation of unknown stream that took no longer than this may have waited for nothing.
constexpr Duration kShortSynchronization = 20_us;

class CallPlanner {
 public:
  CallPlanner(const RecordedTrace& trace, RecordingIndex& index, const LaunchOrder& order,
              const CommandPlans& commands, const EventWaits& waits, std::uint32_t ring_capacity)
      : trace_(trace),
        index_(index),
        order_(order),
        commands_(commands),
        waits_(waits),
        ring_capacity_(ring_capacity),
        plans_(index.calls.size()) {}

  std::vector<CallPlan> plan() {
    for (std::uint32_t c = 0; c < plans_.size(); ++c) find_wait(c);
    find_full_ring();
    find_typical_costs();
    for (std::uint32_t c = 0; c < plans_.size(); ++c) set_cost(c);
    return std::move(plans_);
  }

 private:
  const HostCall& call(std::uint32_t number) const { return index_.calls[number]; }

  void find_wait(std::uint32_t number) {
    switch (call(number).api) {
      case ApiKind::kSynchronizeDevice:
        return find_device_wait(number);
      case ApiKind::kSynchronizeStream:
        return find_stream_wait(number);
      case ApiKind::kSynchronizeEvent:
        return find_event_wait(number);
      case ApiKind::kCopy:
      case ApiKind::kBlockingCopy:
        return find_copy_wait(number);
      default:
        return;
    }
  }

  void wait_for(std::uint32_t number, HostWait wait, std::uint32_t object, Instant until) {
    plans_[number].wait = wait;
    plans_[number].object = object;
    plans_[number].until = until;
  }

  void find_device_wait(std::uint32_t number) {
    const HostCall& synchronize = call(number);
    const auto known = waits_.device_synchronizations.find(number);
    const std::uint32_t stream = stream_that_ended_in(synchronize);
    std::uint32_t device = 0;
    if (known != waits_.device_synchronizations.end()) {
      device = known->second;
    } else if (stream != kNone) {
      device = index_.streams[stream].device;
    }
    Instant until;
    for (std::uint32_t s = 0; s < index_.streams.size(); ++s) {
      if (index_.streams[s].device != device) continue;
      until = std::max(until, order_.end_of_work(s, synchronize.begin));
    }
    wait_for(number, HostWait::kDevice, device, until);
  }

  void find_stream_wait(std::uint32_t number) {
    const auto known = waits_.stream_synchronizations.find(number);
    const std::uint32_t stream = known != waits_.stream_synchronizations.end()
                                     ? known->second
                                     : stream_that_ended_in(call(number));
    if (stream == kNone) {
      if (call(number).end - call(number).begin > kShortSynchronization) {
        ++index_.anomalies["synchronisations of an unknown stream"];
      }
      return;
    }
    wait_for(number, HostWait::kStream, stream, order_.end_of_work(stream, call(number).begin));
  }

  // The stream whose work, launched before the call, ended last inside it.
  std::uint32_t stream_that_ended_in(const HostCall& synchronize) const {
    std::uint32_t found = kNone;
    Instant latest = synchronize.begin;
    for (std::uint32_t s = 0; s < index_.streams.size(); ++s) {
      const Instant end = order_.end_of_work(s, synchronize.begin);
      if (end <= latest || end > synchronize.end) continue;
      latest = end;
      found = s;
    }
    return found;
  }

  void find_event_wait(std::uint32_t number) {
    const auto use = waits_.host_waits.find(number);
    if (use == waits_.host_waits.end()) {
      ++index_.anomalies["synchronisations with an unknown event"];
      return;
    }
    const std::uint32_t record = waits_.record_of_event.at(use->second.event);
    const std::uint32_t stream = waits_.records.at(record).stream;
    wait_for(number, HostWait::kEvent, use->second.event,
             order_.end_of_work(stream, call(record).begin));
  }

  // Copies of pageable memory return when the copy is done; so they do in the recording.
  void find_copy_wait(std::uint32_t number) {
    const HostCall& copy = call(number);
    if (copy.commands.empty()) return;
    const GpuCommand& command = index_.commands[copy.commands.back()];
    const auto* copied = trace_.activity<CopyActivity>(trace_.events[command.event]);
    const bool pinned = copied == nullptr || copied->pinned;
    if (copy.api == ApiKind::kCopy && pinned) return;
    if (command.end > copy.end) return;
    wait_for(number, HostWait::kCopy, kNone, command.end);
  }

  void find_full_ring() {
    std::vector<Instant> ends;  // of the launches so far: of each call the last command's
    for (const HostCall& launch : index_.calls) {
      if (!launch.commands.empty()) ends.push_back(index_.commands[launch.commands.back()].end);
    }
    std::sort(ends.begin(), ends.end());
    std::size_t launched = 0;
    for (std::uint32_t c = 0; c < plans_.size(); ++c) {
      if (call(c).commands.empty()) continue;
      const auto done = static_cast<std::size_t>(
          std::upper_bound(ends.begin(), ends.end(), call(c).begin) - ends.begin());
      // A few places are lost to commands that have no row in the recording.
      if (launched++ >= done + ring_capacity_ - ring_capacity_ / 32)
        plans_[c].wait = HostWait::kRing;
    }
  }

  bool waited(std::uint32_t number) const {
    const CallPlan& plan = plans_[number];
    return plan.wait == HostWait::kRing || plan.wait == HostWait::kCopy ||
           (plan.wait != HostWait::kNothing && plan.until > call(number).begin);
  }

  void find_typical_costs() {
    std::map<ApiKind, std::vector<Duration>> durations;
    for (std::uint32_t c = 0; c < plans_.size(); ++c) {
      if (!waited(c)) durations[call(c).api].push_back(call(c).end - call(c).begin);
    }
    for (auto& [kind, of_kind] : durations) {
      std::sort(of_kind.begin(), of_kind.end());
      typical_[kind] = of_kind[of_kind.size() / 2];
    }
  }

  void set_cost(std::uint32_t number) {
    const HostCall& done = call(number);
    CallPlan& plan = plans_[number];
    const Duration duration = done.end - done.begin;
    const Duration typical = typical_[done.api];
    plan.cost = duration;
    if (plan.wait == HostWait::kRing) {
      if (duration > typical * kBlockedFactor) {
        ++index_.anomalies["launches that waited for space in the ring buffer"];
        plan.cost = std::min(duration, typical);
      } else {
        plan.wait = HostWait::kNothing;
      }
    } else if (plan.wait == HostWait::kCopy) {
      plan.cost = commands_.submitted[number] - done.begin;
    } else if (waited(number)) {
      plan.cost = std::min(duration, typical);
    } else if (!done.commands.empty()) {
      plan.cost = commands_.submitted[number] - done.begin;
      plan.rest = done.end - commands_.submitted[number];
    }
  }

  const RecordedTrace& trace_;
  RecordingIndex& index_;
  const LaunchOrder& order_;
  const CommandPlans& commands_;
  const EventWaits& waits_;
  std::size_t ring_capacity_;
  std::map<ApiKind, Duration> typical_;
  std::vector<CallPlan> plans_;
};

}  // namespace

std::vector<CallPlan> plan_calls(const RecordedTrace& trace, RecordingIndex& index,
                                 const LaunchOrder& order, const CommandPlans& commands,
                                 const EventWaits& waits, std::uint32_t ring_capacity) {
  return CallPlanner(trace, index, order, commands, waits, ring_capacity).plan();
}

}  // namespace septet::recorded
