#include "tests/models/workload/recorded/import/replay.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "core/base/error.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

struct StreamState {
  Instant end;        // of all commands so far
  bool used = false;  // a gap follows a command
  Instant wait;       // events waited for
  Duration held{};    // of the next command
};

class Replayer {
 public:
  Replayer(const recorded::Import& import, std::uint32_t ring_capacity)
      : import_(import),
        program_(import.program),
        latencies_(import.latencies),
        ring_capacity_(ring_capacity),
        streams_(program_.streams.size()),
        event_times_(program_.events),
        signals_(program_.signals),
        clocks_(program_.threads.size()),
        next_(program_.threads.size()) {
    replayed.starts.resize(import.rows.size());
    replayed.steps.resize(import.steps.size());
    for (std::uint32_t r = 0; r < import.rows.size(); ++r) {
      const recorded::RecordedRow& row = import.rows[r];
      rows_[{row.thread, row.call, row.node}] = r;
    }
  }

  void run() {
    while (const std::optional<std::uint32_t> thread = earliest()) {
      const std::uint32_t call = next_[*thread]++;
      execute(*thread, call, program_.threads[*thread].calls[call]);
      finish(clocks_[*thread]);
    }
    for (std::size_t t = 0; t < next_.size(); ++t) {
      SEPTET_ASSERT(next_[t] == program_.threads[t].calls.size());
    }
  }

  Replayed replayed;

 private:
  // The thread whose next call comes first and is not waiting for a signal.
  std::optional<std::uint32_t> earliest() const {
    std::optional<std::uint32_t> found;
    for (std::uint32_t t = 0; t < next_.size(); ++t) {
      const std::vector<program::Call>& calls = program_.threads[t].calls;
      if (next_[t] == calls.size()) continue;
      const program::Call& call = calls[next_[t]];
      if (call.kind() == program::CallKind::kAwait && !signals_[*index_in(call)]) continue;
      if (!found || clocks_[t] < clocks_[*found]) found = t;
    }
    return found;
  }

  void finish(Instant end) { replayed.total = std::max(replayed.total, end - Instant{}); }

  void execute(std::uint32_t thread, std::uint32_t number, const program::Call& call) {
    Instant& clock = clocks_[thread];
    const Instant done =
        clock + (call.kind() == program::CallKind::kHostWork ? time_in(call) : call.cost);
    switch (call.kind()) {
      case program::CallKind::kLaunchKernel:
      case program::CallKind::kCopy:
      case program::CallKind::kMemset:
        clock = take_place(done);
        return launch(thread, number, call);
      case program::CallKind::kLaunchGraph:
        clock = take_place(done);
        return launch_graph(thread, number, call);
      case program::CallKind::kRecordEvent:
        clock = done;
        event_times_[*index_in(call)] = streams_[call.stream].end;
        return;
      case program::CallKind::kWaitEvent:
        clock = done;
        streams_[call.stream].wait =
            std::max(streams_[call.stream].wait, event_times_[*index_in(call)]);
        return;
      case program::CallKind::kSynchronizeEvent:
        return wait(clock, done, event_times_[*index_in(call)]);
      case program::CallKind::kSynchronizeStream:
        return wait(clock, done, streams_[call.stream].end);
      case program::CallKind::kSynchronizeDevice:
        return wait(clock, done, device_end(*index_in(call)));
      case program::CallKind::kPost:
        signals_[*index_in(call)] = clock;
        return;
      case program::CallKind::kAwait:
        clock = std::max(clock, *signals_[*index_in(call)]);
        return;
      case program::CallKind::kHold:
        streams_[call.stream].held += program::as<program::Hold>(call).duration;
        return;
      case program::CallKind::kMarker:
        return mark(program_.strings[*index_in(call)], clock);
      default:
        clock = done;
    }
  }

  void mark(const std::string& name, Instant clock) {
    for (std::size_t s = 0; s < import_.steps.size(); ++s) {
      if (import_.steps[s].name == name) replayed.steps[s] = clock;
    }
  }

  void wait(Instant& clock, Instant done, Instant awaited) const {
    clock = done;
    if (awaited != Instant{}) clock = std::max(clock, awaited + latencies_.wake.value);
  }

  Instant device_end(std::uint32_t device) const {
    Instant end;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (program_.streams[s].device == device) end = std::max(end, streams_[s].end);
    }
    return end;
  }

  Instant take_place(Instant when) {
    while (!pending_.empty() && pending_.top() <= when) pending_.pop();
    while (pending_.size() >= ring_capacity_) {
      when = std::max(when, pending_.top());
      pending_.pop();
    }
    return when;
  }

  Instant ready(const program::Call& call, Instant submitted, Duration latency, Duration gap) {
    StreamState& stream = streams_[call.stream];
    Instant start = submitted + latency;
    if (stream.used)
      start = std::max(start, stream.end + (is_programmatic(call) ? Duration{} : gap));
    if (stream.wait != Instant{}) start = std::max(start, stream.wait + gap);
    stream.wait = Instant{};
    stream.used = true;
    return start + std::exchange(stream.held, Duration{});
  }

  Duration launch_latency(program::CallKind kind) const {
    if (kind == program::CallKind::kLaunchKernel) return latencies_.launch.value;
    return kind == program::CallKind::kCopy ? latencies_.copy.value : latencies_.memset.value;
  }

  void launch(std::uint32_t thread, std::uint32_t number, const program::Call& call) {
    Instant& clock = clocks_[thread];
    const Instant start =
        ready(call, clock, launch_latency(call.kind()), latencies_.stream_gap.value);
    const Instant end = start + time_in(call);
    note({thread, number, kNone}, start);
    complete(call.stream, end);
    if (is_blocking(call)) clock = std::max(clock, end + latencies_.wake.value);
  }

  void launch_graph(std::uint32_t thread, std::uint32_t number, const program::Call& call) {
    const Instant root =
        ready(call, clocks_[thread], latencies_.graph_launch.value, latencies_.graph_gap.value);
    const program::Graph& graph = program_.graphs[*index_in(call)];
    std::vector<Instant> starts(graph.nodes.size(), root);
    std::vector<bool> follows(graph.nodes.size());
    std::vector<Instant> ends(graph.nodes.size());
    std::size_t edge = 0;  // edges come by the node they lead to, and lead forward
    Instant last;
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
      const auto* kernel = program::get_if<program::LaunchKernel>(graph.nodes[n]);
      const bool overlaps = kernel != nullptr && kernel->programmatic;
      const Duration gap = overlaps ? Duration{} : latencies_.node_gap.value;
      Instant start = root;
      for (; edge < graph.edges.size() && graph.edges[edge].to == n; ++edge) {
        start = std::max(start, ends[graph.edges[edge].from] + gap);
      }
      start += graph.nodes[n].hold.duration;
      ends[n] = start + time_in(graph.nodes[n]);
      last = std::max(last, ends[n]);
      note({thread, number, n}, start);
    }
    complete(call.stream, last);
  }

  void complete(std::uint32_t stream, Instant end) {
    streams_[stream].end = std::max(streams_[stream].end, end);
    pending_.push(end);
    finish(end);
  }

  struct Place {
    std::uint32_t thread;
    std::uint32_t call;
    std::uint32_t node;
    auto operator<=>(const Place&) const = default;
  };

  void note(Place place, Instant start) {
    const std::uint32_t row = rows_.at(place);
    replayed.starts[row] = start + import_.rows[row].lead;
  }

  const recorded::Import& import_;
  const program::Program& program_;
  const recorded::RecordedLatencies& latencies_;
  std::size_t ring_capacity_;
  std::vector<StreamState> streams_;
  std::vector<Instant> event_times_;
  std::vector<std::optional<Instant>> signals_;
  std::vector<Instant> clocks_;
  std::vector<std::uint32_t> next_;
  std::map<Place, std::uint32_t> rows_;
  std::priority_queue<Instant, std::vector<Instant>, std::greater<>> pending_;
};

}  // namespace

Replayed replay(const recorded::Import& import, std::uint32_t ring_capacity) {
  Replayer replayer(import, ring_capacity);
  replayer.run();
  return std::move(replayer.replayed);
}

StartErrors start_errors(const recorded::Import& import, const Replayed& replayed) {
  std::vector<Duration> errors;
  for (std::size_t r = 0; r < import.rows.size(); ++r) {
    const recorded::RecordedRow& row = import.rows[r];
    const Duration recorded = row.start - import.steps[row.step].marked;
    const Duration found = replayed.starts[r] - replayed.steps[row.step];
    errors.push_back(found > recorded ? found - recorded : recorded - found);
  }
  std::sort(errors.begin(), errors.end());
  return {errors[errors.size() / 2], errors.back()};
}

}  // namespace septet::test
