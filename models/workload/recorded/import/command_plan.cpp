#include "models/workload/recorded/import/command_plan.hpp"

#include <algorithm>

#include "models/workload/recorded/import/graph_edges.hpp"
#include "models/workload/recorded/import/wait_inference.hpp"

namespace septet::recorded {
namespace {

constexpr Duration kSubmissionSlack = 1_us;  // spread of launch latencies around their median
constexpr Duration kRoomSlack = 300_ns;
constexpr Duration kLateSlack = 5_us;
// CPU time of a copy of pageable memory until it waits for its stream, where the recording shows
// none that did not have to wait.
constexpr Duration kUsualStagingCall = 5_us;

bool whole_microseconds(const RecordingIndex& index) {
  return std::all_of(index.commands.begin(), index.commands.end(), [](const GpuCommand& command) {
    return (command.end - command.start).count() % kPicosecondsPerMicrosecond == 0;
  });
}

class Planner {
 public:
  Planner(const RecordedTrace& trace, RecordingIndex& index, const LaunchOrder& order,
          const RecordedLatencies& latencies, EventWaits& waits)
      : trace_(trace),
        index_(index),
        order_(order),
        latencies_(latencies),
        waits_(waits),
        inference_(index, order, waits),
        resolution_(!trace.simulated && whole_microseconds(index) ? 1_us : 0_us),
        predecessor_(index.commands.size(), kNone),
        stream_waits_(index.streams.size()),
        busy_until_(index.streams.size()),
        staging_call_(usual_staging_call()) {
    plans.commands.resize(index.commands.size());
    for (const HostCall& call : index.calls) plans.submitted.push_back(call.end);
    for (const auto& [call, use] : waits.waits)
      stream_waits_[use.stream].push_back({call, use.event});
    for (std::uint32_t c = 0; c < index.calls.size(); ++c) prepare_graph(c);
  }

  void plan() {
    for (std::uint32_t c = 0; c < index_.commands.size(); ++c) {
      const GpuCommand& command = index_.commands[c];
      if (command.call != kNone) submit(command);
      command.call != kNone ? plan_command(c) : plan_orphan(c);
      Instant& busy = busy_until_[command.stream];
      busy = std::max(busy, command.end);
    }
    if (inference_.inferred() > 0) {
      index_.anomalies["stream waits inferred from times"] += inference_.inferred();
    }
  }

  CommandPlans plans;

 private:
  struct StreamWait {
    std::uint32_t call;
    std::uint32_t event;
  };

  RecordedKind kind(const GpuCommand& command) const { return trace_.events[command.event].kind; }

  bool is_first(const GpuCommand& command) const {
    return &index_.commands[index_.calls[command.call].commands.front()] == &command;
  }

  void prepare_graph(std::uint32_t number) {
    const HostCall& call = index_.calls[number];
    if (call.api != ApiKind::kLaunchGraph || call.commands.empty()) return;
    std::vector<program::GraphEdge> edges =
        graph_edges(trace_, index_, call, latencies_.node_gap.value);
    for (const program::GraphEdge& edge : edges) {
      const std::uint32_t from = call.commands[edge.from];
      std::uint32_t& last = predecessor_[call.commands[edge.to]];
      if (last == kNone || index_.commands[from].end > index_.commands[last].end) last = from;
    }
    plans.edges.emplace(number, std::move(edges));
  }

  // A command that started sooner after its call than commands do was submitted before the call's
  // end: large graphs, copies of pageable memory, calls that continue after the doorbell.
  void submit(const GpuCommand& command) {
    if (!is_first(command)) return;
    const HostCall& call = index_.calls[command.call];
    const Duration latency = launch_latency(latencies_, call.api, kind(command));
    if (command.start < call.begin) ++index_.anomalies["commands that started before their launch"];
    const Duration slack = trace_.simulated ? Duration{} : kSubmissionSlack;
    if (command.start + slack >= call.end + latency) return;
    Instant& submitted = plans.submitted[command.call];
    submitted = std::clamp(command.start - latency, call.begin, call.end);
    if (waited_for_stream(command, call)) {
      submitted = std::min(submitted, call.begin + staging_call_);
    }
  }

  // A copy of pageable memory first waits, inside its call, for the work before it on its stream.
  bool waited_for_stream(const GpuCommand& command, const HostCall& call) const {
    const auto* copy = trace_.activity<CopyActivity>(trace_.events[command.event]);
    if (trace_.simulated || copy == nullptr || copy->pinned) return false;
    if (command.previous == kNone) return false;
    const Instant before = index_.commands[command.previous].end;
    return before > call.begin &&
           command.start <= before + latencies_.stream_gap.value + kLateSlack;
  }

  // The median of those whose stream was idle.
  Duration usual_staging_call() const {
    std::vector<Duration> times;
    for (const GpuCommand& command : index_.commands) {
      const auto* copy = trace_.activity<CopyActivity>(trace_.events[command.event]);
      if (copy == nullptr || copy->pinned || command.call == kNone) continue;
      const HostCall& call = index_.calls[command.call];
      if (waited_for_stream(command, call) || command.start < call.begin) continue;
      const Duration until = command.start - latencies_.copy.value - call.begin;
      times.push_back(std::clamp(until, Duration(0), call.end - call.begin));
    }
    if (times.size() < kEnoughSamples) return kUsualStagingCall;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
  }

  void plan_command(std::uint32_t number) {
    const GpuCommand& command = index_.commands[number];
    const HostCall& call = index_.calls[command.call];
    CommandPlan& plan = plans.commands[number];
    const std::uint32_t predecessor = predecessor_[number];
    const bool inner = predecessor != kNone;
    if (inner && kind(command) != RecordedKind::kKernel) add_memory_gaps(plan);
    const std::uint32_t before = inner ? predecessor : command.previous;
    if (before != kNone && plan_overlap(command, inner, index_.commands[before].end, plan)) return;
    const Instant expected =
        inner ? node_start(predecessor) + plan.lead : expected_start(command, call);
    if (command.start > expected) plan_late(number, expected, plan);
  }

  void plan_orphan(std::uint32_t number) {
    const GpuCommand& command = index_.commands[number];
    CommandPlan& plan = plans.commands[number];
    const Duration latency = launch_latency(latencies_, ApiKind::kLaunch, kind(command));
    Instant expected = std::max(command.launched, Instant{} + latency);  // sent at time 0 or later
    if (command.previous != kNone) {
      const Instant before = index_.commands[command.previous].end;
      if (plan_overlap(command, false, before, plan)) return;
      expected = std::max(expected, before + latencies_.stream_gap.value);
    }
    if (command.start > expected) plan_late(number, expected, plan);
  }

  Instant node_start(std::uint32_t predecessor) const {
    return index_.commands[predecessor].end + plans.commands[predecessor].tail +
           latencies_.node_gap.value;
  }

  void add_memory_gaps(CommandPlan& plan) const {
    plan.lead = latencies_.node_gap_to_memory.value - latencies_.node_gap.value;
    plan.tail = latencies_.node_gap_from_memory.value - latencies_.node_gap.value;
  }

  Instant expected_start(const GpuCommand& command, const HostCall& call) const {
    const bool graph = call.api == ApiKind::kLaunchGraph;
    Instant expected =
        plans.submitted[command.call] + launch_latency(latencies_, call.api, kind(command));
    const Duration gap = (graph ? latencies_.graph_gap : latencies_.stream_gap).value;
    std::uint32_t previous_call = 0;
    if (command.previous != kNone) {
      expected = std::max(expected, index_.commands[command.previous].end + gap);
      const std::uint32_t launch = index_.commands[command.previous].call;
      if (launch != kNone) previous_call = launch;
    }
    if (trace_.simulated && busy_until_[command.stream] > Instant{}) {
      expected = std::max(expected, busy_until_[command.stream] + gap);  // branches of a graph
    }
    // Waits between the launch before on this stream and this one.
    const std::vector<StreamWait>& waits = stream_waits_[command.stream];
    auto wait = std::lower_bound(
        waits.begin(), waits.end(), previous_call,
        [](const StreamWait& each, std::uint32_t number) { return each.call < number; });
    for (; wait != waits.end() && wait->call < command.call; ++wait) {
      expected = std::max(expected, event_time(wait->event) + way(wait->event, command) + gap);
    }
    return expected;
  }

  // What an event takes to the device of a command that waits for it.
  Duration way(std::uint32_t event, const GpuCommand& command) const {
    const std::uint32_t source = waits_.records.at(waits_.record_of_event.at(event)).stream;
    const bool same = index_.streams[source].device == index_.streams[command.stream].device;
    return same ? Duration{} : trace_.peer_latency;
  }

  Instant event_time(std::uint32_t event) const {
    const std::uint32_t call = waits_.record_of_event.at(event);
    return order_.end_of_work(waits_.records.at(call).stream, index_.calls[call].begin);
  }

  // Returns whether the command is a programmatic dependent launch, or overlaps for another reason.
  bool plan_overlap(const GpuCommand& command, bool inner, Instant before, CommandPlan& plan) {
    const Duration gap = command.start - before;
    const bool extended = !inner && launched_extended(command);
    const bool early = extended && gap < latencies_.stream_gap.value / 2;
    if (!early && gap >= -resolution_) return false;
    ++index_.anomalies[early ? "programmatic dependent launches"
                             : "commands that overlap their predecessor on the stream"];
    if (command.end < before) ++index_.anomalies["commands that ended before their predecessor"];
    plan.programmatic = true;
    plan.lead = std::max(gap, command.start - command.end);
    return true;
  }

  bool launched_extended(const GpuCommand& command) const {
    if (command.call == kNone) return false;
    return trace_.events[index_.calls[command.call].event].programmatic;
  }

  void plan_late(std::uint32_t number, Instant expected, CommandPlan& plan) {
    const GpuCommand& command = index_.commands[number];
    const Duration late = command.start - expected;
    if (trace_.simulated) {
      const RecordedGpuWork* gpu = trace_.gpu_work(trace_.events[command.event]);
      const Duration room = gpu->queued ? std::min(late, gpu->room) : late;
      plan.hold = {room, program::HoldReason::kSmResources};
      return;
    }
    if (late <= kRoomSlack || (late > kLateSlack && inference_.explain(number))) return;
    const bool neighbour = crowded(command, expected);
    if (!neighbour && late <= kLateSlack) return;
    plan.hold = {late, neighbour ? program::HoldReason::kSmResources : reason_of(command)};
    ++index_.anomalies[count_of(plan.hold.reason)];
  }

  static const char* count_of(program::HoldReason reason) {
    switch (reason) {
      case program::HoldReason::kSmResources:
        return "starts delayed while another stream was busy";
      case program::HoldReason::kEarlierWork:
        return "starts delayed on a stream without earlier work in the recording";
      case program::HoldReason::kUnknownEvent:
        return "starts delayed by a stream wait whose event is unknown";
      case program::HoldReason::kUnknown:
        break;
    }
    return "starts delayed for an unknown reason";
  }

  program::HoldReason reason_of(const GpuCommand& command) const {
    if (follows_unknown_wait(command)) return program::HoldReason::kUnknownEvent;
    return command.previous == kNone ? program::HoldReason::kEarlierWork
                                     : program::HoldReason::kUnknown;
  }

  // Whether its thread called cudaStreamWaitEvent, for a stream that is not known, since the launch
  // before on its stream.
  bool follows_unknown_wait(const GpuCommand& command) const {
    if (command.call == kNone) return false;
    const std::uint32_t before =
        command.previous == kNone ? kNone : index_.commands[command.previous].call;
    return inference_.unresolved_between(before == kNone ? 0 : before, command.call);
  }

  // Another stream was busy from when the command could have started until it did, or just before.
  bool crowded(const GpuCommand& command, Instant when) const {
    for (std::uint32_t s = 0; s < busy_until_.size(); ++s) {
      const bool neighbour =
          s != command.stream && index_.streams[s].device == index_.streams[command.stream].device;
      const bool busy = busy_until_[s] > when && command.start <= busy_until_[s] + kLateSlack;
      if (neighbour && busy) return true;
    }
    return false;
  }

  const RecordedTrace& trace_;
  RecordingIndex& index_;
  const LaunchOrder& order_;
  const RecordedLatencies& latencies_;
  EventWaits& waits_;
  WaitInference inference_;
  Duration resolution_;
  std::vector<std::uint32_t> predecessor_;  // by command: the node of its graph it follows last
  std::vector<std::vector<StreamWait>> stream_waits_;  // by stream, by call
  std::vector<Instant> busy_until_;                    // by stream
  Duration staging_call_;
};

}  // namespace

Duration launch_latency(const RecordedLatencies& latencies, ApiKind api, RecordedKind kind) {
  if (api == ApiKind::kLaunchGraph) return latencies.graph_launch.value;
  if (kind == RecordedKind::kKernel) return latencies.launch.value;
  return kind == RecordedKind::kCopy ? latencies.copy.value : latencies.memset.value;
}

CommandPlans plan_commands(const RecordedTrace& trace, RecordingIndex& index,
                           const LaunchOrder& order, const RecordedLatencies& latencies,
                           EventWaits& waits) {
  Planner planner(trace, index, order, latencies, waits);
  planner.plan();
  return std::move(planner.plans);
}

}  // namespace septet::recorded
