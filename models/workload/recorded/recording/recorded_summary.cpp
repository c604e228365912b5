#include "models/workload/recorded/recording/recorded_summary.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace septet {
namespace {

constexpr std::array<std::string_view, kRecordedKinds> kNames = {
    "CPU operators", "annotations",  "API calls",         "kernels", "copies",
    "fills",         "sync records", "profiler overhead", "others"};

// Grows by what it is shown.
class Span {
 public:
  void add(const RecordedEvent& event) {
    first_ = first_ ? std::min(*first_, event.start) : event.start;
    last_ = std::max(last_, event.start + event.duration);
  }
  Duration length() const { return first_ ? last_ - *first_ : Duration{}; }

 private:
  std::optional<Instant> first_;
  Instant last_;
};

}  // namespace

std::string_view kind_name(RecordedKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

RecordedSummary summarize(const RecordedTrace& trace) {
  RecordedSummary out;
  Span all;
  Span cuda;
  for (const RecordedEvent& event : trace.events) {
    ++out.counts[static_cast<std::size_t>(event.kind)];
    all.add(event);
    const bool on_gpu = event.kind == RecordedKind::kKernel || event.kind == RecordedKind::kCopy ||
                        event.kind == RecordedKind::kFill;
    if (on_gpu) out.streams[event.device].insert(event.stream);
    if (on_gpu || event.kind == RecordedKind::kRuntime) cuda.add(event);
  }
  out.span = all.length();
  out.cuda_span = cuda.length();
  return out;
}

std::string to_text(const RecordedSummary& summary) {
  std::string out;
  for (std::size_t kind = 0; kind < kRecordedKinds; ++kind) {
    if (summary.counts[kind] > 0)
      out += fmt::format("{}: {}\n", kNames[kind], summary.counts[kind]);
  }
  for (const auto& [device, streams] : summary.streams) {
    out += fmt::format("device {}: {} streams with work\n", device, streams.size());
  }
  return out + fmt::format("span: {:.3f} us, CUDA: {:.3f} us\n", to_us(summary.span),
                           to_us(summary.cuda_span));
}

}  // namespace septet
