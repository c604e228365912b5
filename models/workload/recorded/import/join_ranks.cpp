#include "models/workload/recorded/import/join_ranks.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"

namespace septet::recorded {
namespace {

// Where the objects of one rank begin in the joined Program.
struct Offsets {
  std::uint32_t device = 0, process = 0, stream = 0, event = 0, signal = 0, kernel = 0, graph = 0,
                string = 0, thread = 0, step = 0;
};

void add(std::uint32_t& index, std::uint32_t offset) {
  if (index != kNone) index += offset;
}

template <class T>
std::uint32_t append(std::vector<T>& to, std::vector<T>& from) {
  const auto at = static_cast<std::uint32_t>(to.size());
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  return at;
}

void move_call(program::Call& call, const Offsets& by) {
  add(call.name, by.string);
  if (uses_stream(call.kind())) call.stream += by.stream;
  switch (call.kind()) {
    case program::CallKind::kRecordEvent:
    case program::CallKind::kWaitEvent:
    case program::CallKind::kSynchronizeEvent:
      return add(*index_in(call), by.event);
    case program::CallKind::kLaunchKernel:
      return add(*index_in(call), by.kernel);
    case program::CallKind::kLaunchGraph:
    case program::CallKind::kUploadGraph:
    case program::CallKind::kInstantiateGraph:
      return add(*index_in(call), by.graph);
    case program::CallKind::kSynchronizeDevice:
      return add(*index_in(call), by.device);
    case program::CallKind::kPost:
    case program::CallKind::kAwait:
      return add(*index_in(call), by.signal);
    case program::CallKind::kMarker:
    case program::CallKind::kScope:
      return add(*index_in(call), by.string);
    default:
      return;
  }
}

void move_graph(program::Graph& graph, const Offsets& by) {
  for (program::GraphNode& node : graph.nodes) {
    add(node.name, by.string);
    if (auto* launch = program::get_if<program::LaunchKernel>(node)) add(launch->kernel, by.kernel);
    if (auto* child = program::get_if<program::ChildGraph>(node)) add(child->graph, by.graph);
  }
}

// Adds a rank to `out`; its calls begin `shift` later than they did.
void add_rank(Import& out, Import rank, Duration shift) {
  program::Program& to = out.program;
  program::Program& from = rank.program;
  Offsets by;
  by.device = std::exchange(to.devices, to.devices + from.devices);
  by.process = std::exchange(to.processes, to.processes + from.processes);
  by.event = std::exchange(to.events, to.events + from.events);
  by.signal = std::exchange(to.signals, to.signals + from.signals);
  by.string = append(to.strings, from.strings);
  by.kernel = append(to.kernels, from.kernels);
  for (program::Stream& stream : from.streams) {
    stream.device += by.device;
    stream.process += by.process;
  }
  by.stream = append(to.streams, from.streams);
  by.graph = static_cast<std::uint32_t>(to.graphs.size());
  for (program::Graph& graph : from.graphs) move_graph(graph, by);
  append(to.graphs, from.graphs);
  const bool later = shift > Duration(0);
  for (program::HostThread& thread : from.threads) {
    thread.process += by.process;
    for (program::Call& call : thread.calls) move_call(call, by);
    if (!later) continue;
    thread.calls.insert(thread.calls.begin(),
                        {.what = program::HostWork{shift}, .cost = Duration(0)});
  }
  by.thread = append(to.threads, from.threads);
  by.step = static_cast<std::uint32_t>(out.steps.size());
  for (Step& step : rank.steps) {
    step.begin += shift;
    step.marked += shift;
  }
  append(out.steps, rank.steps);
  for (std::uint32_t& graph : rank.graph_identity) graph += by.graph;
  append(out.graph_identity, rank.graph_identity);
  for (RecordedRow& row : rank.rows) {
    row.thread += by.thread;
    row.call += later ? 1 : 0;
    row.stream += by.stream;
    row.device += by.device;
    row.step += by.step;
    row.start += shift;
  }
  append(out.rows, rank.rows);
  out.measured = std::max(out.measured, shift + rank.measured);
  for (const auto& [what, count] : rank.anomalies) out.anomalies[what] += count;
}

// Finds collectives among the rows of a joined recording and puts them into its Program.
class CollectiveFinder {
 public:
  explicit CollectiveFinder(Import& import) : import_(import), program_(import.program) {
    for (std::uint32_t r = 0; r < import.rows.size(); ++r) {
      if (row(r).collective) open_.push_back(r);
    }
    std::stable_sort(open_.begin(), open_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return end(a) < end(b); });
  }

  void find() {
    std::vector<bool> taken(open_.size(), false);
    match_by_sequence(taken);
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (taken[i]) continue;
      std::vector<std::uint32_t> rows{open_[i]};
      for (std::size_t j = i + 1; j < open_.size(); ++j) {
        if (end(open_[j]) - end(open_[i]) > kWindow) break;
        if (taken[j] || !together(rows, open_[j])) continue;
        rows.push_back(open_[j]);
        taken[j] = true;
      }
      rows.size() > 1 ? replace(rows) : void(++alone_);
    }
    if (open_.empty()) return;
    import_.anomalies["collectives matched over the given ranks"] = matched_;
    if (alone_ > 0)
      import_.anomalies["collectives without a partner among the given ranks"] = alone_;
  }

 private:
  static constexpr Duration kClose{20 * kPicosecondsPerMicrosecond};
  static constexpr Duration kWindow{100 * kPicosecondsPerMillisecond};  // looked at in one go

  // The calls of one group come in the same order on each of its ranks. Where all of them have as
  // many calls of a kernel in a group, and each call overlaps its partners in time, the nth of one
  // is the nth of the others.
  void match_by_sequence(std::vector<bool>& taken) {
    using Calls = std::map<std::uint32_t, std::vector<std::size_t>>;  // by device
    std::map<std::tuple<std::uint64_t, std::string>, Calls> called;   // by group and kernel
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::uint32_t r = open_[i];
      called[{row(r).group, program_.kernels[kernel_of(r)].name}][row(r).device].push_back(i);
    }
    for (auto& [key, devices] : called) {
      for (auto& [device, calls] : devices) {
        std::stable_sort(calls.begin(), calls.end(), [&](std::size_t a, std::size_t b) {
          return begin(open_[a]) < begin(open_[b]);
        });
      }
      const std::size_t count = devices.begin()->second.size();
      const bool alike = std::all_of(devices.begin(), devices.end(),
                                     [&](const auto& each) { return each.second.size() == count; });
      if (devices.size() < 2 || !alike) continue;
      for (std::size_t n = 0; n < count; ++n) match_nth(devices, n, taken);
    }
  }

  void match_nth(const std::map<std::uint32_t, std::vector<std::size_t>>& devices, std::size_t n,
                 std::vector<bool>& taken) {
    std::vector<std::uint32_t> rows;
    Instant last_begin, last_end;
    Instant first_end = Instant::max();
    Duration shortest = Duration::max();
    for (const auto& [device, calls] : devices) {
      const std::uint32_t r = open_[calls[n]];
      rows.push_back(r);
      last_begin = std::max(last_begin, begin(r));
      first_end = std::min(first_end, end(r));
      last_end = std::max(last_end, end(r));
      shortest = std::min(shortest, row(r).duration);
    }
    if (last_begin > first_end || last_end - first_end > std::max(kClose, shortest / 4)) return;
    for (const auto& [device, calls] : devices) taken[calls[n]] = true;
    replace(rows);
  }

  const RecordedRow& row(std::uint32_t r) const { return import_.rows[r]; }
  Instant begin(std::uint32_t r) const { return row(r).start - row(r).lead; }
  Instant end(std::uint32_t r) const { return row(r).start + row(r).duration; }

  // The kernel of a row; kNone: a copy or memset.
  std::uint32_t kernel_of(std::uint32_t r) const {
    const program::Call& call = program_.threads[row(r).thread].calls[row(r).call];
    const auto* launch = row(r).node == kNone
                             ? program::get_if<program::LaunchKernel>(call)
                             : program::get_if<program::LaunchKernel>(
                                   program_.graphs[program::as<program::LaunchGraph>(call).graph]
                                       .nodes[row(r).node]);
    return launch == nullptr ? kNone : launch->kernel;
  }

  // Whether a row belongs to the collective of `rows`: the same kernel of another device, ending
  // at the same time, which no later collective of the two devices' streams precedes.
  bool together(const std::vector<std::uint32_t>& rows, std::uint32_t other) const {
    const std::uint32_t first = rows.front();
    const Duration shorter = std::min(row(first).duration, row(other).duration);
    const Duration apart = end(other) - end(first);
    return apart <= std::max(kClose, shorter / 100) &&
           program_.kernels[kernel_of(first)].name == program_.kernels[kernel_of(other)].name &&
           std::none_of(rows.begin(), rows.end(), [&](std::uint32_t known) {
             return row(known).device == row(other).device;
           });
  }

  // The calls of a communicator have one order on each rank: it is that of their streams.
  std::uint32_t communicator_of(const std::vector<std::uint32_t>& rows) {
    std::vector<std::uint32_t> streams;
    for (const std::uint32_t r : rows) streams.push_back(row(r).stream);
    const auto next = static_cast<std::uint32_t>(program_.communicators.size());
    const auto [entry, fresh] = communicators_.emplace(streams, next);
    if (fresh) {
      program::Communicator& communicator = program_.communicators.emplace_back();
      for (const std::uint32_t r : rows) communicator.devices.push_back(row(r).device);
    }
    return entry->second;
  }

  void replace(std::vector<std::uint32_t> rows) {
    std::sort(rows.begin(), rows.end(),
              [&](std::uint32_t a, std::uint32_t b) { return row(a).device < row(b).device; });
    Instant last_begin = begin(rows.front());
    Instant last_end = end(rows.front());
    for (const std::uint32_t r : rows) {
      last_begin = std::max(last_begin, begin(r));
      last_end = std::max(last_end, end(r));
    }
    const program::Kernel& kernel = program_.kernels[kernel_of(rows.front())];
    program::Collective collective;
    collective.name = kernel.name;
    collective.communicator = communicator_of(rows);
    collective.op = *row(rows.front()).collective;
    collective.channels =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(1, kernel.shape.blocks()));
    collective.recorded = std::max(Duration(0), last_end - last_begin);
    const auto index = static_cast<std::uint32_t>(program_.collectives.size());
    program_.collectives.push_back(std::move(collective));
    for (const std::uint32_t r : rows) call_collective(r, index);
    ++matched_;
  }

  void call_collective(std::uint32_t r, std::uint32_t collective) {
    program::Call& call = program_.threads[row(r).thread].calls[row(r).call];
    if (row(r).node == kNone) {
      call.what = program::JoinCollective{collective};
    } else {
      program::Graph& graph = program_.graphs[program::as<program::LaunchGraph>(call).graph];
      graph.nodes[row(r).node].what = program::JoinCollective{collective};
    }
  }

  Import& import_;
  program::Program& program_;
  std::vector<std::uint32_t> open_;  // rows of collectives' kernels, by end
  std::map<std::vector<std::uint32_t>, std::uint32_t> communicators_;  // by streams
  std::uint64_t matched_ = 0;
  std::uint64_t alone_ = 0;
};

}  // namespace

std::int64_t begin_of(const RecordedTrace& trace, const Import& import) {
  SEPTET_ASSERT(!import.rows.empty());
  const RecordedRow& row = import.rows.front();
  const Duration window = trace.events[row.event].start - row.start;
  return trace.origin_ns + window.count() / kPicosecondsPerNanosecond;
}

Import join_ranks(std::vector<RankRecording> ranks) {
  SEPTET_ASSERT(!ranks.empty());
  if (ranks.size() == 1) return std::move(ranks.front().import);
  std::int64_t first = ranks.front().begin_ns;
  for (const RankRecording& rank : ranks) first = std::min(first, rank.begin_ns);
  Import out;
  out.latencies = ranks.front().import.latencies;
  out.program.devices = out.program.processes = 0;
  for (RankRecording& rank : ranks) {
    const Duration shift((rank.begin_ns - first) * kPicosecondsPerNanosecond);
    add_rank(out, std::move(rank.import), shift);
  }
  CollectiveFinder(out).find();
  return out;
}

}  // namespace septet::recorded
