#include "models/workload/recorded/nsys/nsys_builder.hpp"

#include <algorithm>
#include <limits>

namespace septet::recorded {
namespace {

// A serialised id of a thread: machine, process and thread, 24 bits each for the last two.
constexpr std::int64_t kIdMask = 0xFFFFFF;
constexpr int kProcessShift = 24;
constexpr int kCorrelationBits = 40;  // correlations have 32

// Half of the range, so that a start and a duration of up to as much add up without overflow.
constexpr std::int64_t kReachNs = (std::int64_t{1} << 61) / kPicosecondsPerNanosecond;

std::int64_t pid_of(std::int64_t global) { return (global >> kProcessShift) & kIdMask; }

bool difference(std::int64_t a, std::int64_t b, std::int64_t& out) {
  return !__builtin_sub_overflow(a, b, &out) && out > -kReachNs && out < kReachNs;
}

}  // namespace

bool NsysBuilder::set_times(std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                            RecordedEvent& row) {
  if (!start) {
    recording.anomaly("rows skipped: no start");
    return false;
  }
  if (!first_ns_) first_ns_ = *start;
  std::int64_t offset = 0;
  if (!difference(*start, *first_ns_, offset)) {
    recording.anomaly("rows skipped: start 26 days or more from the first one");
    return false;
  }
  row.start = Instant(offset * kPicosecondsPerNanosecond);
  earliest_ = std::min(earliest_, row.start);
  std::int64_t length = 0;
  row.duration_missing = !end || !difference(*end, *start, length);
  if (row.duration_missing) {
    recording.anomaly("events without a duration");
  } else if (length < 0) {
    recording.anomaly("ends before their start, taken as no duration");
  } else {
    row.duration = Duration(length * kPicosecondsPerNanosecond);
  }
  return true;
}

std::uint64_t NsysBuilder::process_of(std::int64_t global) {
  return processes_.try_emplace(global & ~kIdMask, processes_.size()).first->second;
}

std::uint64_t NsysBuilder::correlation(std::uint64_t process, std::optional<std::int64_t> id) {
  constexpr std::int64_t kNone32 = std::numeric_limits<std::uint32_t>::max();
  if (!id || *id <= 0 || *id >= kNone32) return kNoCorrelation;
  return process << kCorrelationBits | static_cast<std::uint64_t>(*id);
}

void NsysBuilder::name_device(std::int64_t pid, std::int64_t device, std::int64_t gpu) {
  if (gpu < 0 || gpu >= kNoDevice) return recording.anomaly("devices beyond 65534");
  gpus_[{pid, device}] = static_cast<std::uint16_t>(gpu);
}

std::uint16_t NsysBuilder::device_of(std::uint64_t process, std::int64_t device) {
  for (const auto& [global, number] : processes_) {
    if (number != process) continue;
    const auto known = gpus_.find({pid_of(global), device});
    if (known != gpus_.end()) return known->second;
  }
  if (device >= 0 && device < kNoDevice) return static_cast<std::uint16_t>(device);
  recording.anomaly("events of a device beyond 65534");
  return kNoDevice;
}

void NsysBuilder::place(std::uint64_t process, std::int64_t device, std::int64_t context,
                        std::int64_t stream, RecordedEvent& row) {
  const auto [known, new_context] = contexts_.try_emplace({process, context}, 0);
  if (new_context) known->second = device_of(process, device);
  row.device = known->second;
  const StreamKey key{process, context, stream};
  const auto [entry, fresh] = streams_.try_emplace(key, kNoStream);
  if (fresh) {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max() / 2;
    auto number = static_cast<std::int32_t>(std::clamp<std::int64_t>(stream, 0, kLargest));
    const std::int32_t wanted = number;
    while (!taken_.try_emplace({row.device, number}, key).second) ++number;
    if (number != wanted || number != stream) {
      recording.anomaly("streams renumbered: another process or context has that number");
    }
    entry->second = number;
  }
  row.stream = entry->second;
}

bool NsysBuilder::find_place(std::uint64_t process, std::int64_t context, std::int64_t stream,
                             RecordedEvent& row) const {
  const auto device = contexts_.find({process, context});
  if (device == contexts_.end()) return false;
  row.device = device->second;
  const auto known = streams_.find({process, context, stream});
  row.stream = known == streams_.end() ? kNoStream : known->second;
  return true;
}

std::uint32_t NsysBuilder::thread_of(std::int64_t global) {
  return recording.threads.index(pid_of(global), global & kIdMask);
}

void NsysBuilder::name_thread(std::int64_t global, std::string_view name) {
  recording.threads.name_thread(pid_of(global), global & kIdMask, name);
}

std::string_view NsysBuilder::string(std::int64_t id) const {
  const auto found = strings_.find(id);
  return found == strings_.end() ? std::string_view() : std::string_view(found->second);
}

RecordedTrace NsysBuilder::finish(std::int64_t session_ns) {
  RecordedTrace& trace = recording.trace;
  trace.profiler = "nsys";
  for (RecordedEvent& event : trace.events)
    event.start = Instant((event.start - earliest_).count());
  if (first_ns_) {
    const std::int64_t shift = (earliest_ - Instant()).count() / kPicosecondsPerNanosecond;
    std::int64_t origin = 0;
    if (!__builtin_add_overflow(*first_ns_, shift, &origin) &&
        !__builtin_add_overflow(session_ns, origin, &origin)) {
      trace.origin_ns = origin;
    }
  }
  return recording.finish();
}

}  // namespace septet::recorded
