// Makes small recordings by hand. Times in microseconds; stream 7 of device 0 unless said
// otherwise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

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
    RecordedEvent event = timed(RecordedKind::kRuntime, name, start, end);
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
    RecordedDetail detail;
    detail.shape.grid = {10, 1, 1};
    detail.shape.block = {128, 1, 1};
    gpu(RecordedKind::kKernel, name, correlation, start, end, stream, detail);
  }

  void copy(std::uint64_t correlation, double start, double end, std::string_view name) {
    RecordedDetail detail;
    detail.bytes = Bytes(4096);
    gpu(RecordedKind::kCopy, name, correlation, start, end, 7, detail);
  }

  void fill(std::uint64_t correlation, double start, double end) {
    gpu(RecordedKind::kFill, "Memset (Device)", correlation, start, end, 7, {});
  }

  // `correlation` is that of the API call, `record` that of the cudaEventRecord waited for.
  void sync(std::uint64_t correlation, std::int32_t stream, std::uint64_t record = 0,
            std::int32_t wait_stream = kNoStream) {
    RecordedDetail detail;
    detail.wait_correlation = record;
    detail.wait_stream = wait_stream;
    gpu(RecordedKind::kSync, "sync", correlation, 0, 0, stream, detail);
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
           double end, std::int32_t stream, const RecordedDetail& detail) {
    RecordedEvent event = timed(kind, name, start, end);
    event.correlation = correlation;
    event.stream = stream;
    event.detail = static_cast<std::uint32_t>(trace_.details.size());
    trace_.details.push_back(detail);
    trace_.events.push_back(event);
  }

  RecordedTrace trace_;
};

}  // namespace septet::test
