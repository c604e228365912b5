// The waist of Septet: everything that reaches a GPU is a Program. Producers (scenario files,
// recordings, workload models, measured cases) know nothing of the inside of a GPU; the models
// below know nothing of the origin of the work.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/program/call.hpp"
#include "models/program/collective_use.hpp"
#include "models/program/kernel.hpp"

namespace septet::program {

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

// Kinds of nodes that are no calls.
struct EmptyNode {};
struct ChildGraph {
  std::uint32_t graph = kNone;
};

struct GraphNode {
  std::variant<LaunchKernel, Copy, Memset, EmptyNode, HostWork, ChildGraph, JoinCollective> what{};
  std::uint32_t name = kNone;
  std::uint64_t correlation = 0;
  Hold hold{};  // before a kernel, copy or memset
};

struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

// A directed acyclic graph of nodes; `models/graph` checks it and computes orders and paths.
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
  return event_in(call) + thread.offsets.event;
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

}  // namespace septet::program
