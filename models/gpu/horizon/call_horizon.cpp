#include "models/gpu/horizon/call_horizon.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace septet::gpu {
namespace {

using network::CollectiveModel;
using network::CollectivePlan;
using program::Call;
using program::get_if;
using program::HostThread;
using program::is;
using program::WaitEvent;

constexpr Duration kLeaves{-1};  // instead of a collective's duration: it leaves the node

// Several models in sequence round ends to the clock's resolution.
constexpr Duration kRounding{kPicosecondsPerNanosecond};

// What a horizon depends on; equal for GPUs that do the same.
struct HorizonKey {
  std::uint32_t list = kNone;         // shared calls
  std::uint32_t thread = kNone;       // or those of a thread alone
  std::uint32_t device = 0;           // as the list numbers it
  std::vector<std::uint32_t> slots;   // by stream of the list: the GPU's slot; kNone: another GPU's
  std::vector<Duration> collectives;  // by use: how long it takes at least, or kLeaves
  auto operator<=>(const HorizonKey&) const = default;
};

// A collective that is called, and the stream of the list.
using Use = std::pair<std::uint32_t, std::uint32_t>;

// What a list of calls names.
struct Names {
  std::uint32_t streams = 0;     // one more than the largest
  std::vector<Use> collectives;  // sorted
  bool foreseeable = true;       // no graph holds collectives
};

bool holds_collectives(const program::Program& program, std::uint32_t graph) {
  const std::vector<program::GraphNode>& nodes = program.graphs[graph].nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](const program::GraphNode& node) {
    const auto* child = get_if<program::ChildGraph>(node);
    return is<program::JoinCollective>(node) || (child && holds_collectives(program, child->graph));
  });
}

Names names_of(const program::Program& program, std::span<const Call> calls) {
  Names names;
  for (const Call& call : calls) {
    if (uses_stream(call.kind())) names.streams = std::max(names.streams, call.stream + 1);
    if (const auto* join = get_if<program::JoinCollective>(call)) {
      names.collectives.emplace_back(join->collective, call.stream);
    }
    const auto* graph = get_if<program::LaunchGraph>(call);
    if (graph != nullptr && holds_collectives(program, graph->graph)) names.foreseeable = false;
  }
  std::sort(names.collectives.begin(), names.collectives.end());
  const auto repeated = std::unique(names.collectives.begin(), names.collectives.end());
  names.collectives.erase(repeated, names.collectives.end());
  return names;
}

bool is_work(program::CallKind kind) {
  return kind == program::CallKind::kLaunchKernel || kind == program::CallKind::kCollective;
}

// Goes through a list of calls once, tracking the prerequisites of each stream.
class HorizonBuilder {
 public:
  HorizonBuilder(const HorizonKey& key, const Names& names, std::size_t slots,
                 const CallHorizons::Input& input)
      : key_(key), names_(names), last_(slots), needs_(slots, Needs(slots)) {
    out_.gap = input.gap;
    slack_ = input.durations_are_rounded ? kRounding : Duration(0);
    out_.departures.resize(slots);
  }

  CallHorizon build(std::span<const Call> calls) {
    out_.least.resize(calls.size());
    out_.through.resize(calls.size());
    for (std::uint32_t index = 0; index < calls.size(); ++index) add(index, calls[index]);
    return std::move(out_);
  }

 private:
  using Needs = std::vector<std::uint32_t>;  // as Departure::needs

  // `more` is empty for an event that was never recorded: a wait for it does nothing.
  static void raise(Needs& needs, const Needs& more) {
    for (std::size_t s = 0; s < more.size(); ++s) needs[s] = std::max(needs[s], more[s]);
  }

  void add(std::uint32_t index, const Call& call) {
    if (is<program::SynchronizeEvent>(call)) return wait_in_thread(events_[event_in(call)]);
    if (const auto* wait = get_if<program::SynchronizeDevice>(call)) {
      if (wait->device == key_.device) wait_in_thread(last_);
      return;
    }
    if (!uses_stream(call.kind())) return;
    const std::uint32_t slot = key_.slots[call.stream];
    if (slot ==
        kNone) {  // work of others counts as no time and invalidates what was known of an event
      if (const auto* record = get_if<program::RecordEvent>(call)) events_.erase(record->event);
      return;
    }
    Needs before = needs_[slot];
    before[slot] = last_[slot];
    if (is<program::SynchronizeStream>(call)) return wait_in_thread(before);
    if (const auto* record = get_if<program::RecordEvent>(call)) events_[record->event] = before;
    if (const auto* wait = get_if<WaitEvent>(call)) raise(needs_[slot], events_[wait->event]);
    if (leaves(call)) out_.departures[slot].push_back({before});
    advance(index, call, slot);
  }

  // Everything later in any stream comes after this.
  void wait_in_thread(const Needs& what) {
    for (Needs& needs : needs_) raise(needs, what);
  }

  void advance(std::uint32_t index, const Call& call, std::uint32_t slot) {
    const Duration before = last_[slot] == 0 ? Duration(0) : out_.through[last_[slot] - 1];
    const bool apart = is_work(call.kind()) && last_[slot] > 0 && !is_programmatic(call);
    out_.least[index] = least(call);
    out_.through[index] = before + (apart ? out_.gap : Duration(0)) + out_.least[index];
    last_[slot] = index + 1;
  }

  Duration of_collective(const Call& call) const {
    const auto& used = names_.collectives;
    const Use use{program::as<program::JoinCollective>(call).collective, call.stream};
    const auto place = std::lower_bound(used.begin(), used.end(), use) - used.begin();
    return key_.collectives[static_cast<std::size_t>(place)];
  }

  bool leaves(const Call& call) const {
    return is<program::JoinCollective>(call) && of_collective(call) == kLeaves;
  }

  // A programmatic launch may overlap the kernel before it.
  Duration least(const Call& call) const {
    if (is<program::JoinCollective>(call)) return std::max(Duration(0), of_collective(call));
    const auto* launch = get_if<program::LaunchKernel>(call);
    if (launch == nullptr || launch->recorded == program::kModelled || launch->programmatic) {
      return Duration(0);
    }
    return std::max(Duration(0), launch->recorded - slack_);
  }

  const HorizonKey& key_;
  const Names& names_;
  CallHorizon out_;
  Duration slack_;                         // by which a kernel may be shorter
  Needs last_;                             // by stream: one more than its last call
  std::vector<Needs> needs_;               // by stream: of what comes next in it
  std::map<std::uint32_t, Needs> events_;  // what their last record comes after
};

// Makes the horizons of all devices.
class HorizonFinder {
 public:
  explicit HorizonFinder(const CallHorizons::Input& input)
      : input_(input),
        leaves_(network::rendezvous_between_nodes(input.program, input.calls, input.network)),
        list_names_(input.program.call_lists.size()) {}

  bool any_leaves() const {
    return std::find(leaves_.begin(), leaves_.end(), true) != leaves_.end();
  }

  // The key of a device's horizon in `horizons`, made if new; nullptr: there is none.
  const CallHorizon* find(std::uint32_t device, std::vector<std::unique_ptr<CallHorizon>>& out) {
    const std::uint32_t thread = only_thread(device);
    if (thread == kNone) return nullptr;
    const HostThread& host = input_.program.threads[thread];
    const std::span<const Call> calls = calls_of(input_.program, host);
    if (calls.size() >= kNone) return nullptr;
    const Names& names = names_of_thread(host, calls);
    if (!names.foreseeable) return nullptr;
    const HorizonKey key = key_of(thread, device, names);
    const auto [entry, fresh] = made_.emplace(key, out.size());
    if (fresh) {
      const std::size_t slots = input_.layout.devices[device].streams.size();
      HorizonBuilder builder(entry->first, names, slots, input_);
      out.push_back(std::make_unique<CallHorizon>(builder.build(calls)));
    }
    return out[entry->second].get();
  }

 private:
  // The only thread that uses a device, and that communicates with other nodes only through
  // collectives.
  std::uint32_t only_thread(std::uint32_t device) const {
    const program::DeviceLayout& own = input_.layout.devices[device];
    if (own.processes.size() != 1 || !own.listeners.empty()) return kNone;
    const program::ProcessLayout& process = input_.layout.processes[own.processes[0]];
    if (process.threads.size() != 1) return kNone;
    const CollectiveModel& network = input_.network;
    const bool here = network.node_of(process.devices[0]) == network.node_of(device);
    return here ? process.threads.front() : kNone;
  }

  const Names& names_of_thread(const HostThread& thread, std::span<const Call> calls) {
    Names& names = thread.list == kNone ? own_names_ : list_names_[thread.list];
    if (thread.list == kNone || names.streams == 0) names = names_of(input_.program, calls);
    return names;
  }

  HorizonKey key_of(std::uint32_t thread, std::uint32_t device, const Names& names) const {
    const HostThread& host = input_.program.threads[thread];
    const program::IndexSet& streams = input_.layout.devices[device].streams;
    HorizonKey key;
    key.list = host.list;
    if (host.list == kNone) key.thread = thread;
    key.device = device - host.offsets.device;
    for (std::uint32_t s = 0; s < names.streams; ++s) {
      const std::uint32_t stream = s + host.offsets.stream;
      key.slots.push_back(streams.contains(stream) ? streams.slot(stream) : kNone);
    }
    for (const auto& [collective, stream] : names.collectives) {
      const bool here = key.slots[stream] != kNone;
      key.collectives.push_back(here ? duration_of(collective, host, device) : Duration(0));
    }
    return key;
  }

  Duration duration_of(std::uint32_t index, const HostThread& host, std::uint32_t device) const {
    const std::uint32_t communicator = communicator_of(host, input_.program.collectives[index]);
    if (leaves_[input_.calls.rendezvous_of(communicator)]) return kLeaves;
    const CollectivePlan& plan = input_.calls[input_.calls.find(index, communicator, device)].plan;
    return std::max(Duration(0), plan.startup + plan.transfer - kRounding);
  }

  const CallHorizons::Input& input_;
  const std::vector<bool> leaves_;
  std::vector<Names> list_names_;
  Names own_names_;
  std::map<HorizonKey, std::size_t> made_;
};

// When all calls of a stream before `need` are done.
Instant over(const CallHorizon& horizon, const StreamProgress& stream, std::uint32_t need,
             Instant next) {
  const Duration all = horizon.through[need - 1];
  if (stream.running != kNone) {
    if (need <= stream.running) return next;
    const Instant end = std::max(next, stream.since + horizon.least[stream.running]);
    return end + (all - horizon.through[stream.running]);
  }
  const Duration done = stream.ended == 0 ? Duration(0) : horizon.through[stream.ended - 1];
  return next + std::max(Duration(0), all - done - horizon.gap);
}

// Instant::max(): it waits for a collective with others outside.
Instant earliest_start(const CallHorizon& horizon, const CallHorizon::Departure& departure,
                       std::span<const StreamProgress> streams, Instant next) {
  Instant start = next;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const std::uint32_t need = departure.needs[s];
    if (need <= streams[s].ended) continue;
    if (streams[s].away) return Instant::max();
    start = std::max(start, over(horizon, streams[s], need, next));
  }
  return start;
}

}  // namespace

Instant first_departure(const CallHorizon& horizon, std::span<const StreamProgress> streams,
                        Instant next) {
  Instant first = Instant::max();
  if (next == Instant::max()) return first;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const auto& departures = horizon.departures[s];
    if (streams[s].away || streams[s].departed >= departures.size()) continue;
    const CallHorizon::Departure& departure = departures[streams[s].departed];
    first = std::min(first, earliest_start(horizon, departure, streams, next));
  }
  return first;
}

CallHorizons::CallHorizons(const Input& input) {
  HorizonFinder finder(input);
  if (!finder.any_leaves()) return;
  for (std::uint32_t device = 0; device < input.program.devices; ++device) {
    by_device_.push_back(finder.find(device, horizons_));
  }
}

}  // namespace septet::gpu
