#include "models/workload/recorded/import/thread_writer.hpp"

#include <algorithm>

namespace septet::recorded {

ThreadWriter::ThreadWriter(const RecordedTrace& trace, const ImportPlans& plans,
                           ProgramObjects& objects, Import& import, std::uint32_t program_thread)
    : trace_(trace),
      plans_(plans),
      objects_(objects),
      import_(import),
      program_thread_(program_thread) {}

void ThreadWriter::write(std::uint32_t thread) {
  const std::vector<HostPiece>& pieces = plans_.index.threads[thread];
  note_marks(thread);
  for (std::uint32_t p = 0; p < pieces.size(); ++p) {
    await_hand_offs(p);
    write_scopes(thread, pieces[p].begin);
    write_host_work(pieces[p].begin);
    write_step(pieces[p]);
    write_piece(pieces[p]);
    post_hand_offs(p);
  }
  close_scopes();
}

void ThreadWriter::note_marks(std::uint32_t thread) {
  for (std::uint32_t h = 0; h < plans_.hand_offs.size(); ++h) {
    const HandOff& hand_off = plans_.hand_offs[h];
    if (hand_off.to_thread == thread) awaits_.emplace(hand_off.to_piece, h);
    if (hand_off.from_thread == thread) posts_.emplace(hand_off.from_piece, h);
  }
  for (std::uint32_t s = 0; s < import_.steps.size(); ++s) {
    if (import_.steps[s].call != kNone) steps_.emplace(import_.steps[s].call, s);
  }
}

void ThreadWriter::append(const program::Call& call) {
  import_.program.threads[program_thread_].calls.push_back(call);
}

void ThreadWriter::write_host_work(Instant until) {
  if (until <= clock_) return;
  append({.what = program::HostWork{until - clock_}, .cost = Duration{}});
  clock_ = until;
}

// The scopes that begin and end by then. Those that do so inside a call, by the clocks of
// profilers, do it after the call.
void ThreadWriter::write_scopes(std::uint32_t thread, Instant until) {
  const std::vector<ScopeEdge>& edges = plans_.scopes[thread];
  for (; scope_ < edges.size() && edges[scope_].at <= until; ++scope_) {
    const ScopeEdge& edge = edges[scope_];
    write_host_work(edge.at);
    const bool begins = edge.event != kNone;
    open_ = begins ? open_ + 1 : open_ - 1;
    const std::uint32_t name = begins ? objects_.string_of(trace_.events[edge.event]) : kNone;
    append({.what = program::Scope{name}, .cost = Duration{}});
  }
}

// Nothing that a replay shows follows the thread's last call.
void ThreadWriter::close_scopes() {
  for (; open_ > 0; --open_) append({.what = program::Scope{}, .cost = Duration{}});
}

void ThreadWriter::write_step(const HostPiece& piece) {
  if (!piece.last) return;
  const auto [begin, end] = steps_.equal_range(piece.call);
  for (auto step = begin; step != end; ++step) {
    const std::uint32_t name = objects_.string_of(import_.steps[step->second].name);
    append({.what = program::Marker{name}, .cost = Duration{}});
  }
}

void ThreadWriter::await_hand_offs(std::uint32_t piece) {
  const auto [begin, end] = awaits_.equal_range(piece);
  for (auto awaited = begin; awaited != end; ++awaited) {
    const HandOff& hand_off = plans_.hand_offs[awaited->second];
    append({.what = program::Await{awaited->second}, .cost = Duration{}});
    clock_ = std::max(clock_, plans_.index.threads[hand_off.from_thread][hand_off.from_piece].end);
  }
}

void ThreadWriter::post_hand_offs(std::uint32_t piece) {
  const auto [begin, end] = posts_.equal_range(piece);
  for (auto posted = begin; posted != end; ++posted) {
    append({.what = program::Post{posted->second}, .cost = Duration{}});
  }
}

// An API call by the name of the recorded one.
program::Call ThreadWriter::named(const HostCall& call, Duration cost) {
  const RecordedEvent& event = trace_.events[call.event];
  return {.what = program::OtherApiCall{},
          .name = objects_.string_of(event),
          .cost = cost,
          .correlation = event.correlation};
}

void ThreadWriter::write_piece(const HostPiece& piece) {
  if (piece.last) return write_effect(piece);
  const Duration cost = piece.end - piece.begin;
  append(named(plans_.index.calls[piece.call], cost));
  clock_ += cost;
}

// The last piece of a call: commands, records and waits, at the end of what it costs.
void ThreadWriter::write_effect(const HostPiece& piece) {
  const HostCall& call = plans_.index.calls[piece.call];
  const CallPlan& plan = plans_.calls[piece.call];
  const Duration before = piece.begin - call.begin;  // spent in earlier pieces
  const Duration cost = std::clamp(plan.cost - before, Duration{}, piece.end - piece.begin);
  if (call.commands.empty()) {
    append(effect_of(piece.call, plan, cost));
  } else {
    write_commands(call, piece.call, cost);
  }
  clock_ += cost;
  const bool waits = plan.wait != HostWait::kNothing;
  const Instant recorded_end =
      plan.wait == HostWait::kRing ? piece.end : plan.until + import_.latencies.wake.value;
  const bool waited = plan.wait == HostWait::kRing || plan.until != Instant{};
  if (waits && waited) clock_ = std::max(clock_, recorded_end);
  if (plan.rest > Duration{}) write_rest(piece, cost);
}

// The call went on after it had submitted its commands.
void ThreadWriter::write_rest(const HostPiece& piece, Duration spent) {
  const Duration rest = piece.end - piece.begin - spent;
  if (rest <= Duration{}) return;
  append(named(plans_.index.calls[piece.call], rest));
  clock_ += rest;
}

program::Call ThreadWriter::effect_of(std::uint32_t number, const CallPlan& plan, Duration cost) {
  const HostCall& call = plans_.index.calls[number];
  program::Call written = named(call, cost);
  if (const auto record = plans_.waits.records.find(number); record != plans_.waits.records.end()) {
    written.what = program::RecordEvent{record->second.event};
    written.stream = record->second.stream;
  } else if (const auto wait = plans_.waits.waits.find(number); wait != plans_.waits.waits.end()) {
    written.what = program::WaitEvent{wait->second.event};
    written.stream = wait->second.stream;
  } else if (plan.wait == HostWait::kStream) {
    written.what = program::SynchronizeStream{};
    written.stream = plan.object;
  } else if (plan.wait == HostWait::kEvent) {
    written.what = program::SynchronizeEvent{plan.object};
  } else if (plan.wait == HostWait::kDevice) {
    written.what = program::SynchronizeDevice{plan.object};
  }
  return written;
}

void ThreadWriter::write_commands(const HostCall& call, std::uint32_t number, Duration cost) {
  if (call.api == ApiKind::kLaunchGraph) {
    program::Call launch = named(call, cost);
    launch.stream = plans_.index.commands[call.commands.front()].stream;
    launch.what = program::LaunchGraph{objects_.add_graph(number, import_.graph_identity)};
    for (std::uint32_t node = 0; node < call.commands.size(); ++node) {
      place(call.commands[node], node);
    }
    return append(launch);
  }
  for (const std::uint32_t command : call.commands) {
    const bool first = command == call.commands.front();
    const bool last = command == call.commands.back();
    append_hold(command);
    program::Call launch = objects_.call_of(command);
    launch.cost = first ? cost : Duration{};
    const bool waits = last && plans_.calls[number].wait == HostWait::kCopy;
    auto* copy = program::get_if<program::Copy>(launch);
    if (waits && copy != nullptr) copy->blocking = true;
    place(command, kNone);
    append(launch);
    if (!waits || copy != nullptr) continue;
    // What is called a copy was carried out by a kernel.
    append({.what = program::SynchronizeStream{}, .stream = launch.stream, .cost = Duration{}});
  }
}

// Before a command that waited for something that is not in the recording.
void ThreadWriter::append_hold(std::uint32_t command) {
  const program::Hold& hold = plans_.commands.commands[command].hold;
  if (hold.duration == Duration{}) return;
  append({.what = hold, .stream = plans_.index.commands[command].stream, .cost = Duration{}});
}

void ThreadWriter::place(std::uint32_t command, std::uint32_t node) {
  RecordedRow& row = import_.rows[command];
  row.thread = program_thread_;
  row.call = static_cast<std::uint32_t>(import_.program.threads[program_thread_].calls.size());
  row.node = node;
}

}  // namespace septet::recorded
