// What a profiler recorded, whatever the format: events in columns, strings by index, times in
// picoseconds since the start of the earliest event. Readers fill it; the importer turns it into a
// Program. Nothing is dropped silently: anomalies are counted in `anomalies`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/recording/activity.hpp"

namespace septet::recorded {

constexpr std::uint64_t kNoCorrelation = 0;  // missing, -1 and 0xFFFFFFFF are stored as this
constexpr std::uint32_t kNoActivity = 0xFFFFFFFFU;

// 48 bytes. `thread` indexes RecordedTrace::threads for CPU events; `device` and `stream` are set
// for GPU work (and stream for API calls that name one, else kNoStream). What only some kinds have
// is a RecordedActivity, which equal events share.
struct RecordedEvent {
  Instant start;
  Duration duration{};
  std::uint64_t correlation = kNoCorrelation;
  std::uint32_t name = 0;
  std::uint32_t thread = 0;
  std::int32_t stream = kNoStream;
  std::uint32_t activity = kNoActivity;
  std::uint16_t device = 0;
  RecordedKind kind = RecordedKind::kCpuOp;
  ApiKind api = ApiKind::kOther;  // of API calls
  // Launches: may be a programmatic dependent launch (simulated: is one).
  bool programmatic = false;
  bool duration_missing = false;
};
static_assert(sizeof(RecordedEvent) == 48);

// The graph node `to` follows `from`.
struct RecordedEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

struct RecordedThread {
  std::int64_t process = 0;
  std::int64_t thread = 0;
  std::string name;
};

struct RecordedDevice {
  std::uint16_t id = 0;
  std::string name;
  std::uint32_t sm_count = 0;
};

// By what they are: how many.
using Counts = std::map<std::string, std::uint64_t>;

// The anomalies that say that something is missing at the end.
inline constexpr const char* kFileEndsEarly = "the file is truncated";
inline constexpr const char* kGzipEndsEarly = "the gzip data are truncated";
inline constexpr const char* kRunDidNotEnd = "the file is from an unfinished run";

struct RecordedTrace {
  std::string file;
  std::vector<RecordedEvent> events;  // sorted by (start, position in the file)
  std::vector<RecordedActivity> activities;
  std::vector<RecordedThread> threads;
  std::vector<RecordedDevice> devices;
  std::vector<std::string> strings;
  // By RecordedGpuWork::graph: the edges between its nodes (RecordedGpuWork::graph_node), where the
  // recording has them.
  std::map<std::uint64_t, std::vector<RecordedEdge>> graph_edges;
  std::string profiler;           // as data/profilers names it; empty: none, or not known
  bool simulated = false;         // by Septet: no spread in the times, all waits are recorded
  Duration peer_latency{};        // simulated: delay until an event reaches other devices
  bool overrunning = false;       // ROCm: durations may run over the commands that follow
  bool with_stack = false;        // the profiler recorded Python's stacks,
  bool record_shapes = false;     // operators' shapes: both slow the CPU down further
  std::uint32_t connections = 0;  // CUDA_DEVICE_MAX_CONNECTIONS; 0: not recorded
  std::int64_t rank = -1;         // -1: not a distributed run
  std::int64_t world_size = 0;
  std::int64_t origin_ns = 0;     // absolute time of the earliest event
  std::uint64_t entries = 0;      // in the file, used or not
  std::int64_t cut_at_byte = -1;  // of the unpacked text, where the file ends early (-1: not)
  Counts unused;                  // entries that have no row here
  Counts anomalies;               // "kernels of duration 0" -> count

  std::string_view text(std::uint32_t index) const { return strings[index]; }

  // What only events of this kind have; null for others and where nothing was recorded.
  template <class T>
  const T* activity(const RecordedEvent& event) const {
    return event.activity == kNoActivity ? nullptr : std::get_if<T>(&activities[event.activity]);
  }
  const RecordedGpuWork* gpu_work(const RecordedEvent& event) const {
    return event.activity == kNoActivity ? nullptr
                                         : septet::recorded::gpu_work(activities[event.activity]);
  }
};

}  // namespace septet::recorded
