// Makes small recordings by hand. Times in microseconds; stream 7 of device 0 unless said
// otherwise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/workload/recorded/recording/cuda_names.hpp"
#include "models/workload/recorded/recording/nccl_names.hpp"
#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::test {

class RecordingMaker {
 public:
  explicit RecordingMaker(std::uint32_t threads = 1) {
    trace_.file = "made.json";
    for (std::uint32_t t = 0; t < threads; ++t) trace_.threads.push_back({1, 100 + t, ""});
    trace_.devices.push_back({0, "made GPU", 132});
  }

  void call(std::string_view name, double start, double end, std::uint64_t correlation = 0,
            std::uint32_t thread = 0) {
    recorded::RecordedEvent event = timed(recorded::RecordedKind::kApiCall, name, start, end);
    event.api = recorded::api_kind(name);
    event.programmatic = recorded::may_be_programmatic(name);
    event.correlation = correlation;
    event.thread = thread;
    trace_.events.push_back(event);
  }

  void cpu_op(double start, double end, std::uint32_t thread = 0) {
    recorded::RecordedEvent event = timed(recorded::RecordedKind::kCpuOp, "aten::op", start, end);
    event.thread = thread;
    trace_.events.push_back(event);
  }

  void annotation(std::string_view name, double start, double end) {
    trace_.events.push_back(timed(recorded::RecordedKind::kAnnotation, name, start, end));
  }

  void kernel(std::uint64_t correlation, double start, double end, std::int32_t stream = 7,
              std::string_view name = "kernel") {
    recorded::KernelActivity activity;
    activity.shape.grid = {10, 1, 1};
    activity.shape.block = {128, 1, 1};
    activity.collective.op = recorded::nccl_op(name);
    gpu(recorded::RecordedKind::kKernel, name, correlation, start, end, stream, activity);
  }

  void copy(std::uint64_t correlation, double start, double end, std::string_view name) {
    const recorded::CopyActivity activity{.gpu = {},
                                          .bytes = Bytes(4096),
                                          .direction = recorded::copy_direction(name),
                                          .pinned = !recorded::copies_pageable_memory(name)};
    gpu(recorded::RecordedKind::kCopy, name, correlation, start, end, 7, activity);
  }

  void memset(std::uint64_t correlation, double start, double end) {
    gpu(recorded::RecordedKind::kMemset, "Memset (Device)", correlation, start, end, 7,
        recorded::MemsetActivity{});
  }

  // `correlation` is that of the API call, `record` that of the cudaEventRecord waited for.
  void sync(std::uint64_t correlation, std::int32_t stream, std::uint64_t record = 0,
            std::int32_t wait_stream = recorded::kNoStream) {
    const recorded::SyncActivity activity{.record_correlation = record, .stream = wait_stream};
    gpu(recorded::RecordedKind::kSync, "sync", correlation, 0, 0, stream, activity);
  }

  void from_rocm() { trace_.overrunning = true; }

  recorded::RecordedTrace make() {
    const auto earlier = [](const recorded::RecordedEvent& a, const recorded::RecordedEvent& b) {
      return a.start < b.start;
    };
    std::stable_sort(trace_.events.begin(), trace_.events.end(), earlier);
    return trace_;
  }

 private:
  std::uint32_t text(std::string_view text) {
    const auto found = std::find(trace_.strings.begin(), trace_.strings.end(), text);
    if (found == trace_.strings.end()) trace_.strings.emplace_back(text);
    return static_cast<std::uint32_t>(
        std::find(trace_.strings.begin(), trace_.strings.end(), text) - trace_.strings.begin());
  }

  recorded::RecordedEvent timed(recorded::RecordedKind kind, std::string_view name, double start,
                                double end) {
    recorded::RecordedEvent event;
    event.kind = kind;
    event.name = text(name);
    event.start = Instant(from_us(start).count());
    event.duration = from_us(end) - from_us(start);
    return event;
  }

  void gpu(recorded::RecordedKind kind, std::string_view name, std::uint64_t correlation,
           double start, double end, std::int32_t stream,
           const recorded::RecordedActivity& activity) {
    recorded::RecordedEvent event = timed(kind, name, start, end);
    event.correlation = correlation;
    event.stream = stream;
    event.activity = static_cast<std::uint32_t>(trace_.activities.size());
    trace_.activities.push_back(activity);
    trace_.events.push_back(event);
  }

  recorded::RecordedTrace trace_;
};

}  // namespace septet::test
