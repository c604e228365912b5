#include "models/program/layout.hpp"

#include <tuple>
#include <utility>

namespace septet::program {
namespace {

using Ids = std::vector<std::uint32_t>;

// One of each kind of use that calls make of events.
std::vector<Call> event_uses(std::span<const Call> calls) {
  const auto key = [](const Call& call) {
    return std::tuple(call.kind(), event_in(call), call.stream);
  };
  std::vector<Call> uses;
  for (const Call& call : calls) {
    if (event_in(call) != kNone) uses.push_back(call);
  }
  std::sort(uses.begin(), uses.end(),
            [&](const Call& a, const Call& b) { return key(a) < key(b); });
  const auto same = [&](const Call& a, const Call& b) { return key(a) == key(b); };
  uses.erase(std::unique(uses.begin(), uses.end(), same), uses.end());
  return uses;
}

// Collects who uses what, then makes sets of it.
class Layouter {
 public:
  explicit Layouter(const Program& program)
      : program_(program),
        device_streams_(program.devices),
        device_processes_(program.devices),
        awaited_(program.devices),
        process_streams_(program.processes),
        process_events_(program.processes),
        process_devices_(program.processes) {
    out_.devices.resize(program.devices);
    out_.processes.resize(program.processes);
  }

  ProgramLayout lay_out() {
    for (std::uint32_t s = 0; s < program_.streams.size(); ++s) stream(s);
    for (const std::vector<Call>& list : program_.call_lists) {
      list_uses_.push_back(event_uses(list));
    }
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) thread(t);
    listen();
    for (std::uint32_t d = 0; d < program_.devices; ++d) {
      out_.devices[d].streams = IndexSet(std::move(device_streams_[d]));
      out_.devices[d].processes = IndexSet(std::move(device_processes_[d]));
      out_.devices[d].awaited_events = IndexSet(std::move(awaited_[d]));
    }
    for (std::uint32_t p = 0; p < program_.processes; ++p) {
      out_.processes[p].streams = IndexSet(std::move(process_streams_[p]));
      out_.processes[p].events = IndexSet(std::move(process_events_[p]));
      out_.processes[p].devices = IndexSet(std::move(process_devices_[p]));
    }
    return std::move(out_);
  }

 private:
  void stream(std::uint32_t index) {
    const Stream& stream = program_.streams[index];
    device_streams_[stream.device].push_back(index);
    device_processes_[stream.device].push_back(stream.process);
    process_streams_[stream.process].push_back(index);
    process_devices_[stream.process].push_back(stream.device);
  }

  void thread(std::uint32_t index) {
    const HostThread& thread = program_.threads[index];
    out_.processes[thread.process].threads.push_back(index);
    if (thread.list != kNone) return uses(thread, list_uses_[thread.list]);
    uses(thread, event_uses(thread.calls));
  }

  void uses(const HostThread& thread, const std::vector<Call>& calls) {
    for (const Call& call : calls) {
      const std::uint32_t event = event_of(thread, call);
      process_events_[thread.process].push_back(event);
      if (is<SynchronizeEvent>(call)) continue;
      const std::uint32_t device = program_.streams[stream_of(thread, call)].device;
      if (is<RecordEvent>(call)) {
        recorded_.push_back({event, device});
      } else {
        awaited_[device].push_back(event);
        waits_.push_back({event, device});
      }
    }
  }

  // Puts together records and waits of one event on different devices.
  void listen() {
    std::sort(waits_.begin(), waits_.end());
    waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
    std::sort(recorded_.begin(), recorded_.end());
    recorded_.erase(std::unique(recorded_.begin(), recorded_.end()), recorded_.end());
    for (const EventListener& record : recorded_) {
      auto wait = std::lower_bound(waits_.begin(), waits_.end(), EventListener{record.event, 0});
      for (; wait != waits_.end() && wait->event == record.event; ++wait) {
        if (wait->device == record.device) continue;
        out_.devices[record.device].listeners.push_back(*wait);
      }
    }
  }

  const Program& program_;
  std::vector<std::vector<Call>> list_uses_;
  std::vector<Ids> device_streams_, device_processes_, awaited_;
  std::vector<Ids> process_streams_, process_events_, process_devices_;
  std::vector<EventListener> recorded_, waits_;  // an event and where
  ProgramLayout out_;
};

}  // namespace

IndexSet::IndexSet(std::vector<std::uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  count_ = static_cast<std::uint32_t>(ids.size());
  if (ids.empty()) return;
  first_ = ids.front();
  if (ids.back() - first_ + 1 == count_) return;
  ids_ = std::move(ids);
  ids_.shrink_to_fit();
}

ProgramLayout lay_out(const Program& program) { return Layouter(program).lay_out(); }

}  // namespace septet::program
