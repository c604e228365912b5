// A recording indexed for the importer: API calls by thread, GPU commands by stream, and which call
// launched which command. Times count from the beginning of the window: the first API call or GPU
// activity.
//
// A command belongs to the call with its correlation; one without such a call (launched before the
// window, or the call was not recorded) is an orphan.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/program.hpp"
#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

// One kernel, copy or memset, as the GPU ran it.
struct GpuCommand {
  std::uint32_t event = 0;
  std::uint32_t stream = 0;
  std::uint32_t call = kNone;      // kNone: an orphan
  std::uint32_t previous = kNone;  // the command before it on its stream, by start
  Instant start;
  Instant end;
  Instant launched;  // its call's begin; of an orphan: see launch_orphans
};

struct HostCall {
  std::uint32_t event = 0;
  std::uint32_t thread = 0;
  ApiKind api = ApiKind::kOther;
  Instant begin;
  Instant end;
  std::vector<std::uint32_t> commands;  // by start
};

// A stretch of a call in which no other call of the thread ran inside it. The last one of a call
// is where the call takes effect.
struct HostPiece {
  std::uint32_t call = 0;
  Instant begin;
  Instant end;
  bool last = false;
};

struct RecordingIndex {
  Instant origin;                      // of the window, in the recording's own time
  Instant end;                         // of the last call or GPU activity, from the origin
  std::vector<std::uint16_t> devices;  // recorded ids, ascending; position: Program's device
  std::vector<std::int32_t> recorded_streams;  // recorded id of each Program stream
  std::vector<program::Stream> streams;
  std::vector<HostCall> calls;                  // by begin
  std::vector<GpuCommand> commands;             // by start
  std::vector<std::vector<HostPiece>> threads;  // by RecordedTrace thread
  Counts anomalies;

  // kNone when the recording has no GPU work on that device or stream.
  std::uint32_t find_device(std::uint16_t device) const;
  std::uint32_t find_stream(std::uint16_t device, std::int32_t stream) const;
};

// When orphans were launched, as far as that can be told: back to back ones (20 us apart or less)
// with the orphan before them on their stream, others when they started; in any case before every
// later command of the stream.
void launch_orphans(RecordingIndex& index);

// Throws ConfigError when the recording has no GPU work.
RecordingIndex index_recording(const RecordedTrace& trace);

// Calls of one thread, by begin, made a sequence: a call inside another one cuts it in pieces. A
// call that begins in another and ends after it ends the other (counted as an anomaly).
std::vector<HostPiece> host_sequence(const std::vector<HostCall>& calls,
                                     const std::vector<std::uint32_t>& of_thread,
                                     Counts& anomalies);

}  // namespace septet::recorded
