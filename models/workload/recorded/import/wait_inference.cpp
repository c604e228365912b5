#include "models/workload/recorded/import/wait_inference.hpp"

#include <algorithm>

namespace septet::recorded {
namespace {

// From the end of the awaited command to the start of the one that waited.
constexpr Duration kLongestHandOver = 6_us;
// How far back in a thread's calls to look; PyTorch and NCCL record just before they wait.
constexpr std::size_t kRecordsToTry = 4;

}  // namespace

WaitInference::WaitInference(const RecordingIndex& index, const LaunchOrder& order,
                             EventWaits& waits)
    : index_(index),
      order_(order),
      waits_(waits),
      wait_calls_(index.threads.size()),
      record_calls_(index.threads.size()) {
  for (std::uint32_t c = 0; c < index.calls.size(); ++c) {
    const HostCall& call = index.calls[c];
    if (call.api == ApiKind::kWaitEvent) wait_calls_[call.thread].push_back(c);
    if (call.api == ApiKind::kRecordEvent) record_calls_[call.thread].push_back(c);
  }
}

bool WaitInference::explain(std::uint32_t command) {
  const GpuCommand& late = index_.commands[command];
  if (late.call == kNone) return false;
  const HostCall& launch = index_.calls[late.call];
  const std::uint32_t before = order_.last_command(late.stream, launch.begin);
  const std::uint32_t before_call = before == kNone ? kNone : index_.commands[before].call;
  const std::vector<std::uint32_t>& waits = wait_calls_[launch.thread];
  // Calls are numbered by begin.
  auto wait = std::lower_bound(waits.begin(), waits.end(), late.call);
  while (wait != waits.begin()) {
    --wait;
    if (before_call != kNone && *wait < before_call) return false;
    if (!waits_.waits.contains(*wait) && try_wait(late, *wait)) return true;
  }
  return false;
}

bool WaitInference::unresolved_between(std::uint32_t before, std::uint32_t launch) const {
  const std::vector<std::uint32_t>& waits = wait_calls_[index_.calls[launch].thread];
  auto wait = std::lower_bound(waits.begin(), waits.end(), before);
  for (; wait != waits.end() && *wait < launch; ++wait) {
    if (!waits_.waits.contains(*wait)) return true;
  }
  return false;
}

bool WaitInference::try_wait(const GpuCommand& command, std::uint32_t wait_call) {
  const std::vector<std::uint32_t>& records = record_calls_[index_.calls[wait_call].thread];
  auto record = std::lower_bound(records.begin(), records.end(), wait_call);
  for (std::size_t tries = 0; tries < kRecordsToTry && record != records.begin(); ++tries) {
    if (try_record(command, wait_call, *--record)) return true;
  }
  return false;
}

bool WaitInference::try_record(const GpuCommand& command, std::uint32_t wait_call,
                               std::uint32_t record_call) {
  const std::uint32_t device = index_.streams[command.stream].device;
  for (std::uint32_t s = 0; s < index_.streams.size(); ++s) {
    if (s == command.stream || index_.streams[s].device != device) continue;
    const Instant ended = order_.end_of_work(s, index_.calls[record_call].begin);
    if (ended > command.start || command.start - ended > kLongestHandOver) continue;
    const std::uint32_t event = waits_.record(record_call, s);
    if (event == kNone) continue;
    waits_.waits[wait_call] = {event, command.stream};
    ++inferred_;
    return true;
  }
  return false;
}

}  // namespace septet::recorded
