#include "models/workload/recorded/calibration.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace septet {
namespace {

using Samples = std::vector<Duration>;

constexpr Duration kLongestGap = 20_us;
// Gaps above so many lower quartiles had another cause.
constexpr std::int64_t kUsualFactor = 4;
// A command that was launched this long before its predecessor ended was queued.
constexpr Duration kSurelyQueued = 4_us;

Duration median(Samples& samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

Duration mean_of_usual(Samples& samples) {
  std::sort(samples.begin(), samples.end());
  const Duration limit = samples[samples.size() / 4] * kUsualFactor;
  const auto end = std::upper_bound(samples.begin(), samples.end(), limit);
  const Duration sum = std::accumulate(samples.begin(), end, Duration{});
  return sum / (end - samples.begin());
}

void settle(MeasuredLatency& latency, Samples& samples, Duration (*statistic)(Samples&)) {
  latency.samples = samples.size();
  if (samples.size() >= kEnoughSamples) latency.value = statistic(samples);
}

class Sampler {
 public:
  Sampler(const RecordedTrace& trace, const RecordingIndex& index) : trace_(trace), index_(index) {}

  void take_commands() {
    Instant busy_until;  // of all commands before this one
    std::uint32_t busiest = kNone;
    for (const GpuCommand& command : index_.commands) {
      if (command.call != kNone) take_command(command, busy_until, busiest);
      if (command.end <= busy_until) continue;
      busy_until = command.end;
      busiest = command.stream;
    }
  }

  void take_waits(const LaunchOrder& order) {
    for (const HostCall& call : index_.calls) {
      if (!is_synchronization(call.api)) continue;
      const Instant awaited = order.end_of_work(kNone, call.begin);
      if (awaited > call.begin && awaited < call.end) wake.push_back(call.end - awaited);
    }
  }

  Samples launch, copy, fill, graph_launch, stream_gap, graph_gap, node_gap, to_memory, from_memory,
      wake;

 private:
  RecordedKind kind(const GpuCommand& command) const { return trace_.events[command.event].kind; }

  void take_command(const GpuCommand& command, Instant busy_until, std::uint32_t busiest) {
    const HostCall& call = index_.calls[command.call];
    const bool first = &index_.commands[call.commands.front()] == &command;
    const bool graph = call.api == ApiKind::kLaunchGraph;
    const GpuCommand* before =
        command.previous == kNone ? nullptr : &index_.commands[command.previous];
    if (first && (before == nullptr || before->end <= call.begin))
      return take_launch(command, call);
    if (before == nullptr) return;
    const Duration gap = command.start - before->end;
    const bool alone = busiest == command.stream || busy_until <= before->end;
    if (gap < Duration{} || gap > kLongestGap || !alone) return;
    if (!first) {
      if (graph && before->call == command.call) take_node_gap(kind(*before), kind(command), gap);
    } else if (before->end > call.end + kSurelyQueued) {
      (graph ? graph_gap : stream_gap).push_back(gap);
    }
  }

  void take_launch(const GpuCommand& command, const HostCall& call) {
    if (command.start < call.end) return;  // submitted before the call's end: says nothing
    const Duration latency = command.start - call.end;
    if (call.api == ApiKind::kLaunchGraph) return graph_launch.push_back(latency);
    if (kind(command) == RecordedKind::kKernel) return launch.push_back(latency);
    (kind(command) == RecordedKind::kCopy ? copy : fill).push_back(latency);
  }

  void take_node_gap(RecordedKind before, RecordedKind after, Duration gap) {
    const bool from_kernel = before == RecordedKind::kKernel;
    const bool to_kernel = after == RecordedKind::kKernel;
    if (from_kernel && to_kernel) return node_gap.push_back(gap);
    if (from_kernel) return to_memory.push_back(gap);
    if (to_kernel) from_memory.push_back(gap);
  }

  const RecordedTrace& trace_;
  const RecordingIndex& index_;
};

}  // namespace

RecordedLatencies h200_latencies() {
  RecordedLatencies latencies;
  latencies.launch.value = from_us(2.15);
  latencies.copy.value = from_us(1.5);
  latencies.fill.value = from_us(1.85);
  latencies.graph_launch.value = from_us(2.0);
  latencies.stream_gap.value = from_us(1.8);
  latencies.graph_gap.value = from_us(4.7);
  latencies.node_gap.value = from_us(0.46);
  latencies.node_gap_to_memory.value = from_us(1.35);
  latencies.node_gap_from_memory.value = from_us(3.2);
  latencies.wake.value = from_us(12.0);
  return latencies;
}

RecordedLatencies calibrate(const RecordedTrace& trace, const RecordingIndex& index,
                            const LaunchOrder& order) {
  Sampler sampler(trace, index);
  sampler.take_commands();
  sampler.take_waits(order);
  RecordedLatencies found = h200_latencies();
  settle(found.launch, sampler.launch, median);
  if (found.launch.samples >= kEnoughSamples) found.copy.value = found.launch.value;
  if (found.launch.samples >= kEnoughSamples) found.fill.value = found.launch.value;
  settle(found.copy, sampler.copy, median);
  settle(found.fill, sampler.fill, median);
  settle(found.graph_launch, sampler.graph_launch, median);
  settle(found.stream_gap, sampler.stream_gap, mean_of_usual);
  settle(found.graph_gap, sampler.graph_gap, mean_of_usual);
  settle(found.node_gap, sampler.node_gap, mean_of_usual);
  settle(found.node_gap_to_memory, sampler.to_memory, mean_of_usual);
  settle(found.node_gap_from_memory, sampler.from_memory, mean_of_usual);
  settle(found.wake, sampler.wake, median);
  return found;
}

}  // namespace septet
