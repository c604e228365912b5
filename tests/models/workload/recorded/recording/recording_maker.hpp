// Makes small recordings by hand. Times in microseconds; stream 7 of device 0 unless said
// otherwise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/workload/recorded/kineto/cuda_names.hpp"
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
    RecordedEvent event = timed(RecordedKind::kApiCall, name, start, end);
    event.api = api_kind(name);
    event.programmatic = may_be_programmatic(name);
    event.correlation = correlation;
    event.thread = thread;
    trace_.events.push_back(event);
  }

  void cpu_op(double start, double end, std::uint32_t thread = 0) {
    RecordedEvent event = timed(RecordedKind::kCpuOp, "aten::op", start, end);
    event.thread = thread;
    trace_.events.push_back(event);
  }

  void annotation(std::string_view name, double start, double end) {
    trace_.events.push_back(timed(RecordedKind::kAnnotation, name, start, end));
  }

  void kernel(std::uint64_t correlation, double start, double end, std::int32_t stream = 7,
              std::string_view name = "kernel") {
    KernelActivity activity;
    activity.shape.grid = {10, 1, 1};
    activity.shape.block = {128, 1, 1};
    activity.collective.op = nccl_op(name);
    gpu(RecordedKind::kKernel, name, correlation, start, end, stream, activity);
  }

  void copy(std::uint64_t correlation, double start, double end, std::string_view name) {
    const CopyActivity activity{.gpu = {},
                                .bytes = Bytes(4096),
                                .direction = copy_direction(name),
                                .pinned = !copies_pageable_memory(name)};
    gpu(RecordedKind::kCopy, name, correlation, start, end, 7, activity);
  }

  void memset(std::uint64_t correlation, double start, double end) {
    gpu(RecordedKind::kMemset, "Memset (Device)", correlation, start, end, 7, MemsetActivity{});
  }

  // `correlation` is that of the API call, `record` that of the cudaEventRecord waited for.
  void sync(std::uint64_t correlation, std::int32_t stream, std::uint64_t record = 0,
            std::int32_t wait_stream = kNoStream) {
    const SyncActivity activity{.record_correlation = record, .stream = wait_stream};
    gpu(RecordedKind::kSync, "sync", correlation, 0, 0, stream, activity);
  }

  RecordedTrace make() {
    const auto earlier = [](const RecordedEvent& a, const RecordedEvent& b) {
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

  RecordedEvent timed(RecordedKind kind, std::string_view name, double start, double end) {
    RecordedEvent event;
    event.kind = kind;
    event.name = text(name);
    event.start = Instant(from_us(start).count());
    event.duration = from_us(end) - from_us(start);
    return event;
  }

  void gpu(RecordedKind kind, std::string_view name, std::uint64_t correlation, double start,
           double end, std::int32_t stream, const RecordedActivity& activity) {
    RecordedEvent event = timed(kind, name, start, end);
    event.correlation = correlation;
    event.stream = stream;
    event.activity = static_cast<std::uint32_t>(trace_.activities.size());
    trace_.activities.push_back(activity);
    trace_.events.push_back(event);
  }

  RecordedTrace trace_;
};

}  // namespace septet::test
