#include "models/workload/recorded/xspace/xspace_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <protozero/exception.hpp>

#include "core/base/error.hpp"
#include "models/workload/recorded/json/byte_source.hpp"
#include "models/workload/recorded/recording/cuda_names.hpp"
#include "models/workload/recorded/recording/nccl_names.hpp"
#include "models/workload/recorded/recording/recording_builder.hpp"
#include "models/workload/recorded/xspace/xspace_planes.hpp"

namespace septet::recorded {
namespace {

constexpr std::string_view kGpuPlane = "/device:GPU:";
constexpr std::string_view kHostPlane = "/host:";
constexpr std::string_view kStream = "Stream #";

constexpr std::int64_t kMostStreams = 1 << 30;

// Half of the range, so that a start and a duration of up to as much add up without overflow.
constexpr std::int64_t kReach = std::int64_t{1} << 61;

std::optional<std::int64_t> number_at(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() ? std::optional(out) : std::nullopt;
}

// The text behind "KEY:" in "regs:32 static_shared:0 grid:512,1,1".
std::string_view detail(std::string_view details, std::string_view key) {
  std::size_t at = details.find(key);
  while (at != std::string_view::npos && at > 0 && details[at - 1] != ' ') {
    at = details.find(key, at + 1);
  }
  if (at == std::string_view::npos) return {};
  const std::string_view rest = details.substr(at + key.size());
  return rest.substr(0, rest.find(' '));
}

std::uint32_t count_in(std::string_view details, std::string_view key) {
  const std::int64_t number = number_at(detail(details, key)).value_or(0);
  return number >= 0 && number <= 0xFFFFFFFF ? static_cast<std::uint32_t>(number) : 0;
}

program::Dim3 sizes_in(std::string_view details, std::string_view key) {
  std::array<std::uint32_t, 3> sizes{};
  std::string_view text = detail(details, key);
  for (std::uint32_t& size : sizes) {
    size = static_cast<std::uint32_t>(
        std::min<std::int64_t>(0xFFFFFFFF, std::max<std::int64_t>(0, number_at(text).value_or(0))));
    const std::size_t comma = text.find(',');
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return {sizes[0], sizes[1], sizes[2]};
}

class XSpaceRecording {
 public:
  explicit XSpaceRecording(const std::string& path) : recording_(path) {}

  void add(const XPlane& plane) {
    const bool gpu = plane.name.starts_with(kGpuPlane);
    const bool host = plane.name.starts_with(kHostPlane);
    if (!gpu && !host) return recording_.unused("plane", plane.name);
    if (gpu) ++gpu_planes_;
    plane_ = &plane;
    device_ = static_cast<std::uint16_t>(
        gpu ? number_at(plane.name.substr(kGpuPlane.size())).value_or(0) : 0);
    for (const std::string_view message : plane.lines) {
      const XLine line = read_line(message);
      gpu ? add_stream(line) : add_thread(line);
    }
  }

  RecordedTrace finish(const std::string& path) {
    if (gpu_planes_ == 0) {
      throw ConfigError({path}, "an XSpace profile without a GPU (no plane /device:GPU:N)");
    }
    RecordedTrace& trace = recording_.trace;
    trace.profiler = "xla";
    for (RecordedEvent& event : trace.events) {
      event.start = Instant((event.start - earliest_).count());
    }
    const std::int64_t since = trace.events.empty() ? 0 : (earliest_ - Instant()).count() / 1000;
    if (__builtin_add_overflow(first_ns_.value_or(0), since, &trace.origin_ns)) {
      trace.origin_ns = 0;
    }
    RecordedTrace out = recording_.finish();
    read_api_names(out);
    return out;
  }

 private:
  const XStat* stat(const XEvent& event, std::string_view name) const {
    for (const XStat& each : event.stats) {
      const auto known = plane_->stat_names.find(each.metadata);
      if (known != plane_->stat_names.end() && known->second == name) return &each;
    }
    return nullptr;
  }

  std::string_view text(const XEvent& event, std::string_view name) const {
    const XStat* found = stat(event, name);
    if (found == nullptr) return {};
    const auto other = plane_->stat_names.find(found->reference);
    return found->text.empty() && other != plane_->stat_names.end() ? other->second : found->text;
  }

  // False, and counted: the times are out of range.
  bool set_times(const XLine& line, const XEvent& event, RecordedEvent& row) {
    if (!first_ns_) first_ns_ = line.timestamp_ns;
    std::int64_t offset = 0;
    const bool wrong = __builtin_sub_overflow(line.timestamp_ns, *first_ns_, &offset) ||
                       __builtin_mul_overflow(offset, 1000, &offset) ||
                       __builtin_add_overflow(offset, event.offset_ps, &offset) ||
                       offset < -kReach || offset > kReach || event.duration_ps > kReach;
    if (wrong) {
      recording_.anomaly("events skipped: times out of range");
      return false;
    }
    row.start = Instant(offset);
    earliest_ = std::min(earliest_, row.start);
    if (event.duration_ps < 0) recording_.anomaly("dur below 0, taken as 0");
    row.duration = Duration(std::max<std::int64_t>(0, event.duration_ps));
    return true;
  }

  std::uint64_t correlation(const XEvent& event) const {
    const XStat* id = stat(event, "correlation_id");
    const bool given = id != nullptr && id->number && *id->number > 0 && *id->number < 0xFFFFFFFF;
    return given ? static_cast<std::uint64_t>(*id->number) : kNoCorrelation;
  }

  std::string_view name_of(const XEvent& event) const {
    const auto known = plane_->event_names.find(event.metadata);
    return known == plane_->event_names.end() ? std::string_view() : known->second;
  }

  void add_stream(const XLine& line) {
    if (!line.name.starts_with(kStream)) return recording_.unused("line", line.name);
    const std::int64_t stream = number_at(line.name.substr(kStream.size())).value_or(line.id);
    for (const std::string_view message : line.events) {
      ++recording_.trace.entries;
      const XEvent event = read_event(message);
      RecordedEvent row;
      if (!set_times(line, event, row)) continue;
      row.device = device_;
      row.stream = static_cast<std::int32_t>(std::clamp<std::int64_t>(stream, 0, kMostStreams));
      row.correlation = correlation(event);
      if (row.correlation == kNoCorrelation) recording_.anomaly("GPU work without a correlation");
      add_work(event, row);
    }
  }

  void add_work(const XEvent& event, RecordedEvent& row) {
    const std::string_view name = name_of(event);
    row.name = recording_.text(name);
    const std::string_view copied = text(event, "memcpy_details");
    const std::string_view filled = text(event, "memset_details");
    if (!copied.empty()) {
      row.kind = RecordedKind::kCopy;
      CopyActivity copy;
      copy.bytes = Bytes(number_at(detail(copied, "size:")).value_or(0));
      copy.pinned = copied.find("pageable") == std::string_view::npos;
      copy.direction = direction_of(name);
      row.activity = recording_.activity(copy);
    } else if (!filled.empty()) {
      row.kind = RecordedKind::kMemset;
      MemsetActivity fill;
      fill.bytes = Bytes(number_at(detail(filled, "num_bytes:")).value_or(0));
      row.activity = recording_.activity(fill);
    } else {
      row.kind = RecordedKind::kKernel;
      const std::string_view details = text(event, "kernel_details");
      KernelActivity kernel;
      kernel.shape.grid = sizes_in(details, "grid:");
      kernel.shape.block = sizes_in(details, "block:");
      kernel.shape.registers_per_thread = count_in(details, "regs:");
      kernel.shape.dynamic_shared = Bytes(std::int64_t{count_in(details, "static_shared:")} +
                                          std::int64_t{count_in(details, "dynamic_shared:")});
      if (kernel.shape.blocks() == 0) recording_.anomaly("kernels without a grid");
      kernel.collective.op = nccl_op(name);
      row.activity = recording_.activity(kernel);
    }
    recording_.trace.events.push_back(row);
  }

  static std::optional<program::CopyDirection> direction_of(std::string_view name) {
    if (name.find("H2D") != std::string_view::npos) return program::CopyDirection::kHostToDevice;
    if (name.find("D2H") != std::string_view::npos) return program::CopyDirection::kDeviceToHost;
    if (name.find("D2D") != std::string_view::npos || name.find("P2P") != std::string_view::npos) {
      return program::CopyDirection::kDeviceToDevice;
    }
    return std::nullopt;
  }

  void add_thread(const XLine& line) {
    const std::uint32_t thread = recording_.threads.index(0, line.id);
    recording_.threads.name_thread(0, line.id, line.name);
    for (const std::string_view message : line.events) {
      ++recording_.trace.entries;
      const XEvent event = read_event(message);
      const std::string_view name = name_of(event);
      RecordedEvent row;
      if (!set_times(line, event, row)) continue;
      row.thread = thread;
      row.name = recording_.text(name);
      const bool api = name.starts_with("cu") || name.starts_with("hip");
      row.kind = api ? RecordedKind::kApiCall : RecordedKind::kAnnotation;
      row.correlation = api ? correlation(event) : kNoCorrelation;
      recording_.trace.events.push_back(row);
    }
  }

  RecordingBuilder recording_;
  const XPlane* plane_ = nullptr;
  std::uint16_t device_ = 0;
  std::size_t gpu_planes_ = 0;
  std::optional<std::int64_t> first_ns_;
  Instant earliest_ = Instant::max();
};

std::string content_of(const std::string& path) {
  const auto source = open_bytes(path);
  std::string out;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t bytes = source->read(buffer)) out.append(buffer.data(), bytes);
  if (source->cut_short()) throw ConfigError({path}, kGzipEndsEarly);
  return out;
}

}  // namespace

bool looks_like_xspace(std::string_view head) {
  constexpr char kFirstPlane = 0x0A;  // field 1, bytes
  if (head.empty() || head.front() != kFirstPlane) return false;
  return head.find("/host:") != std::string_view::npos ||
         head.find("/device:") != std::string_view::npos;
}

RecordedTrace read_xspace(const std::string& path) {
  const std::string file = content_of(path);
  XSpaceRecording recording(path);
  try {
    read_planes(file, [&](const XPlane& plane) { recording.add(plane); });
  } catch (const protozero::exception& error) {
    throw ConfigError({path},
                      fmt::format("the XSpace file is damaged or truncated: {}", error.what()));
  }
  return recording.finish(path);
}

}  // namespace septet::recorded
