#include "models/workload/recorded/import/recording_index.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/base/error.hpp"

namespace septet::recorded {
namespace {

bool in_window(const RecordedEvent& event) {
  return is_gpu_work(event.kind) || event.kind == RecordedKind::kApiCall;
}

void find_window(const RecordedTrace& trace, RecordingIndex& index) {
  Instant first = Instant::max();
  Instant last;
  bool gpu_work = false;
  for (const RecordedEvent& event : trace.events) {
    if (!in_window(event)) continue;
    gpu_work = gpu_work || is_gpu_work(event.kind);
    first = std::min(first, event.start);
    last = std::max(last, event.start + event.duration);
  }
  if (!gpu_work) throw ConfigError({.file = trace.file}, "no GPU work in this recording");
  index.origin = first;
  index.end = Instant((last - first).count());
}

using StreamKey = std::pair<std::uint16_t, std::int32_t>;

std::string stream_name(const StreamKey& key, bool several_devices) {
  const std::string name = "stream " + std::to_string(key.second);
  return several_devices ? "device " + std::to_string(key.first) + " " + name : name;
}

// Streams in the order of their recorded ids, which is that of their creation.
void list_streams(const RecordedTrace& trace, RecordingIndex& index) {
  std::map<StreamKey, std::int32_t> priorities;
  std::set<std::uint16_t> devices;
  for (const RecordedEvent& event : trace.events) {
    if (!is_gpu_work(event.kind)) continue;
    std::int32_t& priority = priorities[{event.device, event.stream}];
    if (const RecordedGpuWork* gpu = trace.gpu_work(event)) priority = gpu->priority;
    devices.insert(event.device);
  }
  index.devices.assign(devices.begin(), devices.end());
  for (const auto& [key, priority] : priorities) {
    program::Stream stream;
    stream.device = index.find_device(key.first);
    stream.priority = priority;
    stream.name = stream_name(key, index.devices.size() > 1);
    index.streams.push_back(stream);
    index.recorded_streams.push_back(key.second);
  }
}

void list_calls(const RecordedTrace& trace, RecordingIndex& index) {
  for (std::uint32_t e = 0; e < trace.events.size(); ++e) {
    const RecordedEvent& event = trace.events[e];
    if (event.kind != RecordedKind::kApiCall) continue;
    HostCall call;
    call.event = e;
    call.thread = event.thread;
    call.api = event.api;
    call.begin = Instant((event.start - index.origin).count());
    call.end = call.begin + event.duration;
    index.calls.push_back(call);
  }
}

// Calls nested in one another may share a correlation: the one that launches something wins.
std::unordered_map<std::uint64_t, std::uint32_t> calls_by_correlation(const RecordedTrace& trace,
                                                                      const RecordingIndex& index) {
  std::unordered_map<std::uint64_t, std::uint32_t> found;
  for (std::uint32_t c = 0; c < index.calls.size(); ++c) {
    const std::uint64_t correlation = trace.events[index.calls[c].event].correlation;
    if (correlation == kNoCorrelation) continue;
    const auto [entry, fresh] = found.try_emplace(correlation, c);
    if (!fresh && index.calls[entry->second].api == ApiKind::kOther) entry->second = c;
  }
  return found;
}

void list_commands(const RecordedTrace& trace, RecordingIndex& index) {
  const auto calls = calls_by_correlation(trace, index);
  std::vector<std::uint32_t> last_of_stream(index.streams.size(), kNone);
  for (std::uint32_t e = 0; e < trace.events.size(); ++e) {
    const RecordedEvent& event = trace.events[e];
    if (!is_gpu_work(event.kind)) continue;
    const auto number = static_cast<std::uint32_t>(index.commands.size());
    GpuCommand command;
    command.event = e;
    command.stream = index.find_stream(event.device, event.stream);
    command.start = Instant((event.start - index.origin).count());
    command.end = command.start + event.duration;
    command.previous = last_of_stream[command.stream];
    last_of_stream[command.stream] = number;
    const auto call = calls.find(event.correlation);
    if (call != calls.end()) {
      command.call = call->second;
      command.launched = index.calls[call->second].begin;
      index.calls[call->second].commands.push_back(number);
    }
    index.commands.push_back(command);
  }
}

// A command starts when the one before it on its stream has ended: where durations may run over, it
// had ended by then.
void cut_overruns(RecordingIndex& index) {
  for (const GpuCommand& command : index.commands) {
    if (command.previous == kNone) continue;
    GpuCommand& before = index.commands[command.previous];
    if (before.end <= command.start) continue;
    before.end = command.start;
    ++index.anomalies["durations cut where they ran over the next command of their stream"];
  }
}

void list_pieces(const RecordedTrace& trace, RecordingIndex& index) {
  std::vector<std::vector<std::uint32_t>> by_thread(trace.threads.size());
  for (std::uint32_t c = 0; c < index.calls.size(); ++c) {
    by_thread[index.calls[c].thread].push_back(c);
  }
  for (const std::vector<std::uint32_t>& of_thread : by_thread) {
    index.threads.push_back(host_sequence(index.calls, of_thread, index.anomalies));
  }
}

}  // namespace

std::uint32_t RecordingIndex::find_device(std::uint16_t device) const {
  const auto place = std::lower_bound(devices.begin(), devices.end(), device);
  if (place == devices.end() || *place != device) return kNone;
  return static_cast<std::uint32_t>(place - devices.begin());
}

std::uint32_t RecordingIndex::find_stream(std::uint16_t device, std::int32_t stream) const {
  const std::uint32_t position = find_device(device);
  for (std::uint32_t s = 0; s < streams.size(); ++s) {
    if (streams[s].device == position && recorded_streams[s] == stream) return s;
  }
  return kNone;
}

RecordingIndex index_recording(const RecordedTrace& trace) {
  RecordingIndex index;
  find_window(trace, index);
  list_streams(trace, index);
  list_calls(trace, index);
  list_commands(trace, index);
  if (trace.overrunning) cut_overruns(index);
  launch_orphans(index);
  list_pieces(trace, index);
  return index;
}

}  // namespace septet::recorded
