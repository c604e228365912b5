#include "models/workload/recorded/import/calibration.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "models/workload/recorded/import/graph_edges.hpp"

namespace septet::recorded {
namespace {

using Samples = std::vector<Duration>;

constexpr Duration kLongestGap = 20_us;
// Gaps above this multiple of the lower quartile had another cause.
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

Duration smallest(Samples& samples) { return *std::min_element(samples.begin(), samples.end()); }

void settle(const RecordedTrace& trace, MeasuredLatency& latency, Samples& samples,
            Duration (*statistic)(Samples&)) {
  latency.samples = samples.size();
  latency.measured = samples.size() >= (trace.simulated ? 1 : kEnoughSamples);
  if (latency.measured) latency.value = trace.simulated ? smallest(samples) : statistic(samples);
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

  void take_waits(const LaunchOrder& order, const EventWaits& waits) {
    for (std::uint32_t c = 0; c < index_.calls.size(); ++c) {
      const HostCall& call = index_.calls[c];
      if (!is_synchronization(call.api)) continue;
      const Instant awaited =
          trace_.simulated ? known_end(c, order, waits) : order.end_of_work(kNone, call.begin);
      if (awaited > call.begin && awaited < call.end) wake.push_back(call.end - awaited);
    }
  }

  // Simulated recordings say which node follows which, so gaps between branches don't mix in.
  void take_graphs() {
    for (const HostCall& call : index_.calls) {
      if (call.api != ApiKind::kLaunchGraph) continue;
      std::map<std::uint32_t, std::uint32_t> last;  // by node: the one it follows that ended last
      for (const program::GraphEdge& edge : graph_edges(trace_, index_, call, Duration{})) {
        const std::uint32_t before = last.try_emplace(edge.to, edge.from).first->second;
        if (node(call, edge.from).end > node(call, before).end) last[edge.to] = edge.from;
      }
      for (const auto& [to, from] : last) {
        const GpuCommand& before = node(call, from);
        const Duration gap = node(call, to).start - before.end;
        if (gap >= Duration{}) take_node_gap(kind(before), kind(node(call, to)), gap);
      }
    }
  }

  // The smallest gaps of all, whatever caused them: a replay must not assume longer ones where it
  // is to meet the times exactly.
  Duration least_stream_gap = Duration::max();
  Duration least_graph_gap = Duration::max();

  Samples launch, copy, memset, graph_launch, stream_gap, graph_gap, node_gap, to_memory,
      from_memory, wake;

 private:
  // The end of what a synchronisation waits for, as its record says.
  Instant known_end(std::uint32_t number, const LaunchOrder& order, const EventWaits& waits) const {
    const Instant begin = index_.calls[number].begin;
    if (const auto stream = waits.stream_synchronizations.find(number);
        stream != waits.stream_synchronizations.end()) {
      return order.end_of_work(stream->second, begin);
    }
    if (const auto use = waits.host_waits.find(number); use != waits.host_waits.end()) {
      const std::uint32_t record = waits.record_of_event.at(use->second.event);
      return order.end_of_work(waits.records.at(record).stream, index_.calls[record].begin);
    }
    Instant end;
    const auto device = waits.device_synchronizations.find(number);
    if (device == waits.device_synchronizations.end()) return end;
    for (std::uint32_t s = 0; s < index_.streams.size(); ++s) {
      if (index_.streams[s].device == device->second) {
        end = std::max(end, order.end_of_work(s, begin));
      }
    }
    return end;
  }

  RecordedKind kind(const GpuCommand& command) const { return trace_.events[command.event].kind; }

  void take_command(const GpuCommand& command, Instant busy_until, std::uint32_t busiest) {
    const HostCall& call = index_.calls[command.call];
    const bool first = &index_.commands[call.commands.front()] == &command;
    const bool graph = call.api == ApiKind::kLaunchGraph;
    const GpuCommand* before =
        command.previous == kNone ? nullptr : &index_.commands[command.previous];
    if (trace_.simulated && first && before != nullptr) note_gap(command, *before, call);
    if (first && (before == nullptr || before->end <= call.begin))
      return take_launch(command, call);
    if (before == nullptr) return;
    const Duration gap = command.start - before->end;
    const bool alone = busiest == command.stream || busy_until <= before->end;
    if (gap < Duration{} || gap > kLongestGap || !alone) return;
    if (!first) {
      const bool guessed = graph && before->call == command.call && !trace_.simulated;
      if (guessed) take_node_gap(kind(*before), kind(command), gap);
    } else if (before->end > call.end + kSurelyQueued && !exactly_programmatic(call)) {
      (graph ? graph_gap : stream_gap).push_back(gap);
    }
  }

  const GpuCommand& node(const HostCall& call, std::uint32_t position) const {
    return index_.commands[call.commands[position]];
  }

  void note_gap(const GpuCommand& command, const GpuCommand& before, const HostCall& call) {
    const Duration gap = command.start - before.end;
    if (gap < Duration{} || exactly_programmatic(call)) return;
    Duration& least = call.api == ApiKind::kLaunchGraph ? least_graph_gap : least_stream_gap;
    least = std::min(least, gap);
  }

  // Programmatic launches follow without a gap; a simulated recording says which they are.
  bool exactly_programmatic(const HostCall& call) const {
    return trace_.simulated && trace_.events[call.event].programmatic;
  }

  void take_launch(const GpuCommand& command, const HostCall& call) {
    if (command.start < call.end) return;  // submitted before the call's end: says nothing
    const Duration latency = command.start - call.end;
    if (call.api == ApiKind::kLaunchGraph) return graph_launch.push_back(latency);
    if (kind(command) == RecordedKind::kKernel) return launch.push_back(latency);
    (kind(command) == RecordedKind::kCopy ? copy : memset).push_back(latency);
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
  latencies.memset.value = from_us(1.85);
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
                            const LaunchOrder& order, const EventWaits& waits) {
  Sampler sampler(trace, index);
  sampler.take_commands();
  sampler.take_waits(order, waits);
  if (trace.simulated) sampler.take_graphs();
  RecordedLatencies found = h200_latencies();
  settle(trace, found.launch, sampler.launch, median);
  if (found.launch.measured) found.copy.value = found.launch.value;
  if (found.launch.measured) found.memset.value = found.launch.value;
  settle(trace, found.copy, sampler.copy, median);
  settle(trace, found.memset, sampler.memset, median);
  settle(trace, found.graph_launch, sampler.graph_launch, median);
  settle(trace, found.stream_gap, sampler.stream_gap, mean_of_usual);
  settle(trace, found.graph_gap, sampler.graph_gap, mean_of_usual);
  settle(trace, found.node_gap, sampler.node_gap, mean_of_usual);
  settle(trace, found.node_gap_to_memory, sampler.to_memory, mean_of_usual);
  settle(trace, found.node_gap_from_memory, sampler.from_memory, mean_of_usual);
  settle(trace, found.wake, sampler.wake, median);
  found.stream_gap.value = std::min(found.stream_gap.value, sampler.least_stream_gap);
  found.graph_gap.value = std::min(found.graph_gap.value, sampler.least_graph_gap);
  return found;
}

}  // namespace septet::recorded
