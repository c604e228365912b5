#include "models/workload/recorded/import/event_waits.hpp"

#include <unordered_map>

namespace septet::recorded {
namespace {

using CallOf = std::unordered_map<std::uint64_t, std::uint32_t>;

CallOf calls_of_interest(const RecordedTrace& trace, const RecordingIndex& index) {
  CallOf found;
  for (std::uint32_t c = 0; c < index.calls.size(); ++c) {
    if (index.calls[c].api == ApiKind::kOther) continue;
    found.emplace(trace.events[index.calls[c].event].correlation, c);
  }
  found.erase(kNoCorrelation);
  return found;
}

class SyncReader {
 public:
  SyncReader(const RecordedTrace& trace, RecordingIndex& index)
      : trace_(trace), index_(index), calls_(calls_of_interest(trace, index)) {}

  void read(const RecordedEvent& event) {
    const auto entry = calls_.find(event.correlation);
    if (entry == calls_.end()) return;
    const std::uint32_t call = entry->second;
    switch (index_.calls[call].api) {
      case ApiKind::kRecordEvent:
        return read_record(event, call);
      case ApiKind::kSynchronizeStream:
        return read_stream(event, call);
      case ApiKind::kSynchronizeDevice:
        return read_device(event, call);
      case ApiKind::kWaitEvent:
      case ApiKind::kSynchronizeEvent:
        return read_event(event, call);
      default:
        return;
    }
  }

  EventWaits found;

 private:
  void read_record(const RecordedEvent& event, std::uint32_t call) {
    const std::uint32_t stream = index_.find_stream(event.device, event.stream);
    if (stream != kNone) found.record(call, stream);
  }

  void read_stream(const RecordedEvent& event, std::uint32_t call) {
    const std::uint32_t stream = index_.find_stream(event.device, event.stream);
    if (stream != kNone) found.stream_synchronizations[call] = stream;
  }

  void read_device(const RecordedEvent& event, std::uint32_t call) {
    const std::uint32_t device = index_.find_device(event.device);
    if (device != kNone) found.device_synchronizations[call] = device;
  }

  void read_event(const RecordedEvent& event, std::uint32_t call) {
    const bool by_host = index_.calls[call].api == ApiKind::kSynchronizeEvent;
    const std::uint32_t waiter = by_host ? kNone : index_.find_stream(event.device, event.stream);
    // A stream without GPU work in the window blocks nothing.
    if (!by_host && waiter == kNone) return;
    const SyncActivity* awaited = trace_.activity<SyncActivity>(event);
    if (awaited == nullptr) return;
    const auto record = calls_.find(awaited->record_correlation);
    if (record == calls_.end() || index_.calls[record->second].api != ApiKind::kRecordEvent) {
      ++index_.anomalies["waits for an event recorded outside the recording"];
      return;
    }
    const std::uint16_t device = awaited->device == kNoDevice ? event.device : awaited->device;
    const std::uint32_t source = index_.find_stream(device, awaited->stream);
    if (source == kNone) return;
    const std::uint32_t number = found.record(record->second, source);
    if (number == kNone) return;
    (by_host ? found.host_waits : found.waits)[call] = {number, waiter};
  }

  const RecordedTrace& trace_;
  RecordingIndex& index_;
  CallOf calls_;
};

}  // namespace

std::uint32_t EventWaits::record(std::uint32_t record_call, std::uint32_t stream) {
  const auto [entry, fresh] = records.try_emplace(record_call, EventUse{events, stream});
  if (fresh) record_of_event[events++] = record_call;
  return entry->second.stream == stream ? entry->second.event : kNone;
}

EventWaits read_event_waits(const RecordedTrace& trace, RecordingIndex& index) {
  SyncReader reader(trace, index);
  for (const RecordedEvent& event : trace.events) {
    if (event.kind == RecordedKind::kSync) reader.read(event);
  }
  return std::move(reader.found);
}

}  // namespace septet::recorded
