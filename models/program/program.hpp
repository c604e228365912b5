// The waist of Septet: everything that reaches a GPU is a Program. Producers (scenario files,
// recordings, workload models, measured cases) know nothing of a GPU's insides; the models below
// know nothing of where the work came from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/collective_use.hpp"
#include "models/program/kernel.hpp"

namespace septet {

enum class CallKind : std::uint8_t {
  kHostWork,           // CPU work that calls nothing: `work`
  kApi,                // an API call that only costs CPU time (attribute queries, allocation, ...)
  kLaunchKernel,       // object: kernel; `work`: recorded duration where the kernel has one
  kLaunchGraph,        // object: graph
  kUploadGraph,        // object: graph
  kInstantiateGraph,   // object: graph
  kCopy,               // asynchronous copy: direction, bytes; `work`: recorded duration
  kFill,               // asynchronous memset: bytes; `work`: recorded duration
  kRecordEvent,        // object: event, on `stream`
  kWaitEvent,          // `stream` waits for the last record of event `object`
  kSynchronizeEvent,   // the thread waits for the last record of event `object`
  kSynchronizeStream,  // the thread waits for all work of `stream` so far
  kSynchronizeDevice,  // the thread waits for all work of its process on device `object`
  kPost,               // hand-off between threads: raises signal `object` by one
  kAwait,              // the thread waits until signal `object` was raised `work.count()` times
  kPushItem,           // puts an item of `work` into queue `object`
  kAwaitItems,         // the thread waits until queue `object` has done `work.count()` items
  kMarker,             // names a point of the program (a step begins): string `object`
  kCollective,         // this rank's part of collective `object`, on `stream`
};
constexpr std::size_t kCallKinds = 19;  // number of the kinds above

// The kind's name in traces: "launch kernel", "host work", ...
const char* name_of(CallKind kind);

// The same as one word, for columns of traces: "launch_kernel".
std::string trace_name(CallKind kind);

// Whether calls of this kind name a stream.
bool uses_stream(CallKind kind);

// Whether calls of this kind name an event.
bool names_event(CallKind kind);

// Whether traces show them; host work and hand-offs are the space between those that they show.
bool shown_in_traces(CallKind kind);

static_assert(static_cast<std::size_t>(CallKind::kCollective) + 1 == kCallKinds);

enum class CopyDirection : std::uint8_t {
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice,
  kHostToHost
};

// One call of a host thread. 64 bytes, so that programs of millions of calls fit in memory.
struct Call {
  CallKind kind = CallKind::kHostWork;
  CopyDirection direction = CopyDirection::kHostToDevice;
  bool pinned = true;         // copies: page-locked host memory
  bool blocking = false;      // copies: the call returns when the copy is done
  bool programmatic = false;  // launches: programmatic dependent launch on the kernel before
  std::uint32_t stream = 0;
  std::uint32_t object = kNone;
  std::uint32_t name = kNone;  // string shown in traces; kNone: the kind's or kernel's own name
  std::uint32_t item = kNone;  // pushes: the kernel as which traces show the item; kNone: not shown
  Duration cost = kModelled;   // CPU time of the call itself, without any waiting
  Duration work = kModelled;   // see the kinds
  Duration submit = kModelled;  // from the call's begin to the doorbell; kModelled: at its end
  Bytes bytes{};
  std::uint64_t correlation = 0;  // ties the call to rows of a recording; 0: none
};

static_assert(sizeof(Call) == 64);

// What traces say of how a call was made: launches with the programmatic attribute; copies of
// pageable memory, and those that return when they are done.
enum class CallManner : std::uint8_t {
  kPlain,
  kProgrammatic,
  kPageable,
  kBlocking,
  kPageableBlocking
};
constexpr std::array<std::string_view, 5> kCallManners = {"plain", "programmatic", "pageable",
                                                          "blocking", "pageable_blocking"};
CallManner manner_of(const Call& call);

// A stream belongs to one device and one process.
struct Stream {
  std::uint32_t device = 0;
  std::uint32_t process = 0;
  std::int32_t priority = 0;  // as CUDA: smaller is more urgent
  std::string name;
  std::uint32_t context = kNone;  // green context; kNone: all SMs that the process may use
};

// A partition of a device's SMs; the streams of the context run there alone.
struct GreenContext {
  std::string name;
  std::uint32_t device = 0;
  std::uint32_t process = 0;
  std::uint32_t sm_count = 0;
};

enum class NodeKind : std::uint8_t {
  kKernel,
  kCopy,
  kFill,
  kEmpty,
  kHost,
  kChildGraph,
  kCollective
};

struct GraphNode {
  NodeKind kind = NodeKind::kKernel;
  CopyDirection direction = CopyDirection::kDeviceToDevice;
  bool programmatic = false;     // edge into this node is a programmatic dependency
  std::uint32_t object = kNone;  // kernel, child graph or collective
  std::uint32_t name = kNone;
  Duration work = kModelled;
  Bytes bytes{};
  std::uint64_t correlation = 0;
};

struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

// A directed acyclic graph of nodes; `models/graph` checks it and finds orders and paths.
struct Graph {
  std::string name;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

// How the calls of a list that many threads share become those of one thread: added to the indices
// of streams and events, and to the device of a synchronisation; the communicator of a collective
// is an index in `communicators` where that isn't empty.
struct CallOffsets {
  std::uint32_t stream = 0;
  std::uint32_t event = 0;
  std::uint32_t device = 0;
  std::vector<std::uint32_t> communicators{};
};

struct HostThread {
  std::string name;
  std::uint32_t process = 0;
  std::vector<Call> calls;
  std::uint32_t list = kNone;  // of Program::call_lists, instead of `calls`
  CallOffsets offsets{};
};

struct Program {
  std::uint32_t devices = 1;
  std::uint32_t processes = 1;
  std::uint32_t events = 0;   // CUDA events, by index
  std::uint32_t signals = 0;  // hand-offs between threads, by index
  std::uint32_t queues = 0;   // of persistent kernels, by index; each on one device, one process
  std::vector<Kernel> kernels;
  std::vector<Graph> graphs;
  std::vector<GreenContext> contexts;
  std::vector<Stream> streams;
  std::vector<Communicator> communicators;
  std::vector<Collective> collectives;
  std::vector<std::vector<Call>> call_lists;  // that several threads make, see CallOffsets
  std::vector<HostThread> threads;
  std::vector<std::string> strings;      // names by index
  std::vector<std::string> queue_names;  // by index, for messages; may be shorter, as the next one
  std::vector<std::string> signal_names;
};

// What a thread does, and what its calls name, whether or not it shares its calls with others.
inline std::span<const Call> calls_of(const Program& program, const HostThread& thread) {
  return thread.list == kNone ? thread.calls : program.call_lists[thread.list];
}
inline std::uint32_t stream_of(const HostThread& thread, const Call& call) {
  return call.stream + thread.offsets.stream;
}
inline std::uint32_t event_of(const HostThread& thread, const Call& call) {
  return call.object + thread.offsets.event;
}
inline std::uint32_t communicator_of(const HostThread& thread, const Collective& collective) {
  const std::vector<std::uint32_t>& own = thread.offsets.communicators;
  return own.empty() ? collective.communicator : own[collective.communicator];
}

// The same program in which every thread has calls of its own. Communicators stay offsets.
Program spelled_out(Program program);

// The queues that the persistent kernels of `call` serve, a launch of a kernel or graph.
std::vector<std::uint32_t> queues_served(const Program& program, const Call& call);

// Throws ConfigError (without a location) naming the thread, call and field of the first index
// that is out of range, the first negative size or duration, a prologue longer than its block, or a
// call or kernel that has no duration although it needs one.
void check(const Program& program);

}  // namespace septet
