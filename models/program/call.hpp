// The calls of a host thread: their common fields, and one plain struct per kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"
#include "models/program/collective_use.hpp"

namespace septet::program {

// In the order of Call::what. The texts are those of traces.
enum class CallKind : std::uint8_t {
  kHostWork,
  kApi,
  kLaunchKernel,
  kLaunchGraph,
  kUploadGraph,
  kInstantiateGraph,
  kCopy,
  kMemset,
  kRecordEvent,
  kWaitEvent,
  kSynchronizeEvent,
  kSynchronizeStream,
  kSynchronizeDevice,
  kPost,
  kAwait,
  kPushItem,
  kAwaitItems,
  kMarker,
  kCollective,
  kHold,
  kScope
};
constexpr auto enum_table(std::type_identity<CallKind>) {
  return enum_texts<CallKind>("host_work", "api_call", "launch_kernel", "launch_graph",
                              "upload_graph", "instantiate_graph", "copy", "memset", "record_event",
                              "wait_event", "synchronize_event", "synchronize_stream",
                              "synchronize_device", "post", "await", "push_item", "await_items",
                              "marker", "collective", "hold", "scope");
}

// The same in words, for messages: "launch kernel", "host work".
std::string name_of(CallKind kind);

// Whether calls of this kind name a stream.
constexpr bool uses_stream(CallKind kind) {
  switch (kind) {
    case CallKind::kLaunchKernel:
    case CallKind::kLaunchGraph:
    case CallKind::kUploadGraph:
    case CallKind::kCopy:
    case CallKind::kMemset:
    case CallKind::kRecordEvent:
    case CallKind::kWaitEvent:
    case CallKind::kSynchronizeStream:
    case CallKind::kCollective:
    case CallKind::kHold:
      return true;
    default:
      return false;
  }
}

// Whether calls of this kind start work on a GPU that ends by itself.
constexpr bool is_launch(CallKind kind) {
  switch (kind) {
    case CallKind::kLaunchKernel:
    case CallKind::kLaunchGraph:
    case CallKind::kCopy:
    case CallKind::kMemset:
    case CallKind::kCollective:
      return true;
    default:
      return false;
  }
}

// Whether traces show them; host work and hand-offs appear as the gaps between.
constexpr bool shown_in_traces(CallKind kind) {
  switch (kind) {
    case CallKind::kHostWork:
    case CallKind::kPost:
    case CallKind::kAwait:
    case CallKind::kHold:
    case CallKind::kScope:
      return false;
    default:
      return true;
  }
}

enum class CopyDirection : std::uint8_t {
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice,
  kHostToHost
};

// CPU work that calls nothing.
struct HostWork {
  Duration duration = kModelled;  // has to be given
};

// An API call that only costs CPU time (attribute queries, allocation, ...).
struct OtherApiCall {};

struct LaunchKernel {
  std::uint32_t kernel = kNone;
  bool programmatic = false;  // programmatic dependent launch on the kernel before
  Duration recorded = kModelled;
};

struct LaunchGraph {
  std::uint32_t graph = kNone;
};

struct UploadGraph {
  std::uint32_t graph = kNone;
};

struct InstantiateGraph {
  std::uint32_t graph = kNone;
};

struct Copy {
  CopyDirection direction = CopyDirection::kHostToDevice;
  bool pinned = true;     // page-locked host memory
  bool blocking = false;  // the call returns when the copy is done
  Bytes bytes{};
  Duration recorded = kModelled;
};

struct Memset {
  Bytes bytes{};
  Duration recorded = kModelled;
};

struct RecordEvent {
  std::uint32_t event = kNone;
};

// The stream waits for the last record of the event.
struct WaitEvent {
  std::uint32_t event = kNone;
};

// The thread waits: for the last record of an event, for all work of the stream so far, for all
// work of its process on a device.
struct SynchronizeEvent {
  std::uint32_t event = kNone;
};
struct SynchronizeStream {};
struct SynchronizeDevice {
  std::uint32_t device = 0;
};

// Hand-offs between threads: a post raises the signal by one, an await waits until it was raised
// `count` times.
struct Post {
  std::uint32_t signal = kNone;
};
struct Await {
  std::uint32_t signal = kNone;
  std::uint64_t count = 1;
};

// Puts an item into the queue of a persistent kernel.
struct PushItem {
  std::uint32_t queue = kNone;
  std::uint32_t kernel = kNone;   // as which traces show the item; kNone: not shown
  Duration duration = kModelled;  // of a block that works on it; has to be given
};

// The thread waits until the queue has done `count` items.
struct AwaitItems {
  std::uint32_t queue = kNone;
  std::uint64_t count = 1;
};

// Names a point of the program (a step begins).
struct Marker {
  std::uint32_t string = kNone;
};

// This rank's part of a collective.
struct JoinCollective {
  std::uint32_t collective = kNone;
};

// Why a command waited, where the cause is not in the program.
enum class HoldReason : std::uint8_t {
  kUnknown,
  kEarlierWork,   // probably work that was launched before the program begins
  kUnknownEvent,  // an event wait that does not say which event
  kSmResources    // other kernels occupied the SMs
};

// The next command of the stream starts this much later than it could: it waits for something that
// is not in the program. Nothing runs meanwhile, and no change of the program shortens it.
struct Hold {
  Duration duration{};
  HoldReason reason = HoldReason::kUnknown;
};

// A named stretch of the thread's calls, such as an operator of a framework, begins; string kNone:
// the innermost one ends.
struct Scope {
  std::uint32_t string = kNone;
};

// 64 bytes, so that programs of millions of calls fit in memory.
struct Call {
  std::variant<HostWork, OtherApiCall, LaunchKernel, LaunchGraph, UploadGraph, InstantiateGraph,
               Copy, Memset, RecordEvent, WaitEvent, SynchronizeEvent, SynchronizeStream,
               SynchronizeDevice, Post, Await, PushItem, AwaitItems, Marker, JoinCollective, Hold,
               Scope>
      what{};
  std::uint32_t stream = 0;       // of the kinds that name one
  std::uint32_t name = kNone;     // string shown in traces; kNone: the kind's or kernel's own name
  Duration cost = kModelled;      // CPU time of the call itself, without any waiting
  Duration submit = kModelled;    // from the call's begin to the doorbell; kModelled: at its end
  std::uint64_t correlation = 0;  // ties the call to rows of a recording; 0: none

  CallKind kind() const { return static_cast<CallKind>(what.index()); }
};

static_assert(sizeof(Call) == 64);
static_assert(std::variant_size_v<decltype(Call::what)> == kEnumSize<CallKind>);

// Calls, and nodes of graphs, are asked for what they are by the struct of their kind.
template <class Kind, class Thing>
bool is(const Thing& thing) {
  return std::holds_alternative<Kind>(thing.what);
}
template <class Kind, class Thing>
auto* get_if(Thing& thing) {
  return std::get_if<Kind>(&thing.what);
}
template <class Kind, class Thing>
auto& as(Thing& thing) {
  return std::get<Kind>(thing.what);
}

// The recorded duration of a kernel, copy or memset; nullptr: of this kind there is none.
template <class Thing>
auto* recorded_in(Thing& thing) {
  if (auto* launch = get_if<LaunchKernel>(thing)) return &launch->recorded;
  if (auto* copy = get_if<Copy>(thing)) return &copy->recorded;
  auto* memset = get_if<Memset>(thing);
  return memset == nullptr ? nullptr : &memset->recorded;
}

// The index that a call names, of whatever its kind names; of an item the queue. nullptr: none.
std::uint32_t* index_in(Call& call);
const std::uint32_t* index_in(const Call& call);

// The event, graph that a call names; kNone: none.
std::uint32_t event_in(const Call& call);
std::uint32_t graph_in(const Call& call);

inline bool is_programmatic(const Call& call) {
  const auto* launch = get_if<LaunchKernel>(call);
  return launch != nullptr && launch->programmatic;
}

inline bool is_blocking(const Call& call) {
  const auto* copy = get_if<Copy>(call);
  return copy != nullptr && copy->blocking;
}

// What traces say of how a call was made: launches with the programmatic attribute; copies of
// pageable memory, and those that return when they are done.
enum class CallManner : std::uint8_t {
  kPlain,
  kProgrammatic,
  kPageable,
  kBlocking,
  kPageableBlocking
};
constexpr auto enum_table(std::type_identity<CallManner>) {
  return enum_texts<CallManner>("plain", "programmatic", "pageable", "blocking",
                                "pageable_blocking");
}
CallManner manner_of(const Call& call);

}  // namespace septet::program
