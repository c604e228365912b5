// What a profiler recorded, whatever the format: events in columns, strings by index, times in
// picoseconds since the start of the earliest event. Readers fill it; the importer turns it into a
// Program. Nothing is dropped silently: what was wrong or missing is counted in `anomalies`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/kernel.hpp"

namespace septet {

enum class RecordedKind : std::uint8_t {
  kCpuOp,       // framework operator on a CPU thread
  kAnnotation,  // user annotation on a CPU thread (step marks)
  kRuntime,     // CUDA runtime or driver API call on a CPU thread
  kKernel,
  kCopy,
  kFill,
  kSync,      // synchronisation record (what a stream or the host waited for)
  kOverhead,  // the profiler's own work
  kOther,     // known but not needed (python functions, GPU annotations, counters)
};

constexpr std::uint64_t kNoCorrelation = 0;  // missing, -1 and 0xFFFFFFFF are stored as this
constexpr std::int32_t kNoStream = -1;
constexpr std::uint16_t kNoDevice = 0xFFFF;  // not recorded, or an id beyond 65,534
constexpr std::uint32_t kNoDetail = 0xFFFFFFFFU;

// Fields that only GPU work and synchronisation records have, by index from RecordedEvent::detail.
// Events with equal fields share one. Kineto gives a kernel's static and dynamic shared memory as
// one sum, which is stored as dynamic. Where a kernel of HIP has no grid, its API call has it.
struct RecordedDetail {
  LaunchShape shape;        // kernels; grid 0 x 0 x 0 and 0 registers where not recorded
  Bytes bytes{};            // copies and fills
  std::uint64_t graph = 0;  // "graph id", 0: none
  std::uint64_t graph_node = 0;
  std::uint64_t wait_correlation = 0;     // sync: correlation of the event record waited for
  std::int32_t wait_stream = kNoStream;   // sync: the stream whose work is waited for
  std::uint16_t wait_device = kNoDevice;  // sync: of wait_stream; kNoDevice: the record's own
  // Simulated: it waited for a hardware connection or a resident grid, which a replay makes it do
  // again, and for `room` after that.
  bool queued = false;
  Duration room{};
  std::uint32_t sync_kind = 0xFFFFFFFFU;  // string index ("Stream Wait Event", "Context Sync", ...)
  std::uint32_t collective = 0xFFFFFFFFU;  // string index of the collective's name (NCCL kernels)
  std::int64_t collective_elements = 0;
  std::int32_t group_size = 0;
  std::int32_t priority = 0;

  bool operator==(const RecordedDetail&) const = default;
};

// 48 bytes. `thread` indexes RecordedTrace::threads for CPU events; `device` and `stream` are set
// for GPU work (and stream for API calls that name one, else kNoStream).
struct RecordedEvent {
  Instant start;
  Duration duration{};
  std::uint64_t correlation = kNoCorrelation;
  std::uint32_t name = 0;
  std::uint32_t thread = 0;
  std::int32_t stream = kNoStream;
  std::uint32_t detail = 0xFFFFFFFFU;
  std::uint16_t device = 0;
  RecordedKind kind = RecordedKind::kOther;
  bool duration_missing = false;
};
static_assert(sizeof(RecordedEvent) == 48);

// Flow from an event on one CPU thread to an event on another (forward to backward operators).
struct RecordedFlow {
  std::uint64_t id = 0;
  std::uint32_t from_thread = 0;
  std::uint32_t to_thread = 0;
  Instant from;
  Instant to;
};

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

struct RecordedTrace {
  std::string file;
  std::vector<RecordedEvent> events;  // sorted by (start, position in the file)
  std::vector<RecordedDetail> details;
  std::vector<RecordedFlow> flows;
  std::vector<RecordedThread> threads;
  std::vector<RecordedDevice> devices;
  std::vector<std::string> strings;
  // By RecordedDetail::graph: the edges between its nodes (RecordedDetail::graph_node), where the
  // recording has them.
  std::map<std::uint64_t, std::vector<RecordedEdge>> graph_edges;
  bool simulated = false;         // by Septet: no spread in the times, all waits are recorded
  Duration peer_latency{};        // simulated: an event reaches other devices so much later
  std::uint32_t connections = 0;  // CUDA_DEVICE_MAX_CONNECTIONS; 0: not recorded
  std::int64_t rank = -1;         // -1: not a distributed run
  std::int64_t world_size = 0;
  std::int64_t origin_ns = 0;  // absolute time of the earliest event: baseTimeNanoseconds + ts
  std::uint64_t entries = 0;   // in the file, used or not
  std::int64_t cut_at_byte =
      -1;  // of the unpacked text, where the file ends early (-1: it doesn't)
  std::map<std::string, std::uint64_t> unused;  // entries that have no row here, by what they are
  std::map<std::string, std::uint64_t> anomalies;  // "kernels of duration 0" -> count

  std::string_view text(std::uint32_t index) const { return strings[index]; }
};

}  // namespace septet
