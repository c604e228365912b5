// The few latencies of host and GPU that can be measured in the recording itself, so that a
// recording from any GPU can be replayed from its dependencies. Nothing here is per kernel: each
// value is one figure for the whole recording.
//
// Latencies from the CPU to the GPU count from the END of the API call: in recordings of H200,
// H100, A100, V100 and MI250 a kernel starts a nearly constant time after its call returns (H200:
// 5th to 95th percentile 1.7 to 2.4 us), while the time from the call's begin varies with the call
// (6.7 to 10.3 us).
//
// Method: launch latencies and the wake latency are medians. Gaps between commands are means,
// because a chain adds them up; gaps in which another stream was busy (the next kernel may have
// waited for SMs), overlaps, and gaps above 20 us or four lower quartiles do not count. Where a
// recording shows fewer than three samples, a copy or memset takes the launch latency of kernels,
// anything else the value of our own H200 recordings. In a simulated recording times have no
// spread: there one sample is enough, and the smallest is the latency, since others waited for
// more.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/import/event_waits.hpp"
#include "models/workload/recorded/import/launch_order.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

struct MeasuredLatency {
  Duration value{};
  std::uint64_t samples = 0;  // in this recording
  bool measured = false;      // there were enough of them; else the value is a default
};

constexpr std::uint64_t kEnoughSamples = 3;

struct RecordedLatencies {
  MeasuredLatency launch;        // launch call returned -> kernel starts, stream idle
  MeasuredLatency copy;          // the same of copies
  MeasuredLatency memset;        // and of memsets
  MeasuredLatency graph_launch;  // graph launch call returned -> first node starts, stream idle
  MeasuredLatency stream_gap;    // command ended -> next queued one of its stream starts
  MeasuredLatency graph_gap;     // command ended -> first node of a queued graph launch starts
  MeasuredLatency node_gap;      // kernel node ended -> kernel node that follows it starts
  MeasuredLatency node_gap_to_memory;    // kernel node ended -> copy or memset node starts
  MeasuredLatency node_gap_from_memory;  // copy or memset node ended -> kernel node starts
  MeasuredLatency wake;                  // awaited work ended -> the waiting call returns
};

// The defaults: medians over our recordings of an H200 (driver 580, CUDA 13.0, PyTorch profiler).
RecordedLatencies h200_latencies();

// `waits`: what synchronisation records say; used where the recording is simulated.
RecordedLatencies calibrate(const RecordedTrace& trace, const RecordingIndex& index,
                            const LaunchOrder& order, const EventWaits& waits = {});

}  // namespace septet::recorded
