// What host threads wait for: streams, events and devices, other threads, persistent kernels.
#include <algorithm>

#include <fmt/format.h>

#include "models/host/call_cost.hpp"
#include "models/host/host_process.hpp"

namespace septet::host {

bool HostProcess::synchronize(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  const program::Call& call = call_of(state);
  state.earliest_return = context.now() + call_cost(spec_, call, 0);
  state.after_synchronization = true;
  if (program::is<program::SynchronizeEvent>(call)) {
    const EventState& event = events_[event_of(program_thread(state), call)];
    if (event.sequence > 0) wait_for(thread, event.stream, event.sequence);
  } else if (program::is<program::SynchronizeStream>(call)) {
    const std::uint32_t stream = stream_of(state, call);
    wait_for(thread, stream, streams_[stream].submitted);
  } else {
    const std::uint32_t device =
        program::as<program::SynchronizeDevice>(call).device + program_thread(state).offsets.device;
    for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
      const std::uint32_t s = layout_.streams[i];
      if (program_.streams[s].device == device) wait_for(thread, s, streams_[s].submitted);
    }
  }
  return settle(thread, context);
}

void HostProcess::wait_for(std::uint32_t thread, std::uint32_t stream, std::uint64_t sequence) {
  StreamState& state = streams_[stream];
  if (state.completed >= sequence) return;
  state.waiters.push_back({thread, sequence});
  ++threads_[thread].waits_left;
}

// Ends the wait if nothing is left to wait for. True if the call returns immediately.
bool HostProcess::settle(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  if (state.waits_left > 0) {
    state.phase = ThreadPhase::kAwaitingGpu;
    state.blocked_since = context.now();
    return false;
  }
  const bool blocked = state.phase == ThreadPhase::kAwaitingGpu;
  const Duration wake = blocked ? spec_.wake_latency : Duration(0);
  if (blocked) state.waited += context.now() - state.blocked_since;
  const Instant end = std::max(state.earliest_return, context.now() + wake);
  return run_for(thread, end - context.now(), context);
}

void HostProcess::complete(std::uint32_t stream, engine::Context& context) {
  StreamState& state = streams_[stream];
  ++state.completed;
  if (!state.blocked_threads.empty()) {
    const std::uint32_t thread = state.blocked_threads.front();
    state.blocked_threads.erase(state.blocked_threads.begin());
    unblock(thread, context);
  }
  if (state.waiters.empty()) return;
  std::vector<std::uint32_t> free;
  std::erase_if(state.waiters, [&](const StreamWaiter& waiter) {
    if (waiter.sequence > state.completed) return false;
    if (--threads_[waiter.thread].waits_left == 0) free.push_back(waiter.thread);
    return true;
  });
  for (const std::uint32_t thread : free) {
    if (settle(thread, context)) {
      finish(thread, context);
      advance(thread, context);
    }
  }
}

// Resumes a thread that waited for the ring buffer or for a signal.
void HostProcess::unblock(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  state.waited += context.now() - state.blocked_since;
  if (state.phase == ThreadPhase::kAwaitingRing) {
    if (!begin(thread, context)) return;
  }
  finish(thread, context);
  advance(thread, context);
}

void HostProcess::post(std::uint32_t signal, engine::Context& context) {
  SignalState& state = signals_[signal];
  ++state.raised;
  // Waiters resume through a separate event, so that this thread's call is not interrupted.
  std::erase_if(state.waiters, [&](const SignalWaiter& waiter) {
    if (waiter.raised > state.raised) return false;
    ThreadState& woken = threads_[waiter.thread];
    woken.waited += context.now() - woken.blocked_since;
    resume_at(waiter.thread, Duration(0), context);
    return true;
  });
}

bool HostProcess::await(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  const program::Await& call = program::as<program::Await>(call_of(state));
  SignalState& signal = signals_[call.signal];
  if (signal.raised >= call.count) return true;
  state.phase = ThreadPhase::kAwaitingPost;
  state.blocked_since = context.now();
  signal.waiters.push_back({thread, call.count});
  return false;
}

// A store to host memory; the GPU sees it when it reads there.
bool HostProcess::push_item(std::uint32_t thread, engine::Context& context) {
  const ThreadState& state = threads_[thread];
  const program::Call& call = call_of(state);
  const Duration cost = call_cost(spec_, call, 0);
  const engine::LpId gpu =
      wiring_.gpus[wiring_.queue_device[program::as<program::PushItem>(call).queue]];
  context.send(gpu, std::max(cost, program::kStoreLatency),
               program::item_pushed({state.program_thread, state.next_call}, state.call_begin));
  return run_for(thread, cost, context);
}

bool HostProcess::await_items(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  const program::Call& call = call_of(state);
  const program::AwaitItems& items = program::as<program::AwaitItems>(call);
  QueueState& queue = queues_[items.queue];
  if (queue.done >= items.count) {
    return run_for(thread, call_cost(spec_, call, 0), context);
  }
  state.phase = ThreadPhase::kAwaitingItems;
  state.blocked_since = context.now();
  queue.waiters.push_back({thread, items.count});
  return false;
}

void HostProcess::item_done(std::uint32_t index, engine::Context& context) {
  QueueState& queue = queues_[index];
  ++queue.done;
  std::erase_if(queue.waiters, [&](const SignalWaiter& waiter) {
    if (waiter.raised > queue.done) return false;
    ThreadState& woken = threads_[waiter.thread];
    woken.waited += context.now() - woken.blocked_since;
    resume_at(waiter.thread, call_cost(spec_, call_of(woken), 0), context);
    return true;
  });
}

std::uint64_t HostProcess::calls_left() const {
  std::uint64_t out = 0;
  for (const ThreadState& state : threads_) {
    if (state.phase == ThreadPhase::kDone) continue;
    out += calls_of(program_, program_thread(state)).size() - state.next_call;
  }
  return out;
}

std::vector<program::Waiting> HostProcess::waiting() const {
  std::vector<program::Waiting> out;
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    const ThreadState& state = threads_[t];
    if (state.phase == ThreadPhase::kDone) continue;
    program::Waiting one;
    one.who = {program::PartyKind::kThread, state.program_thread};
    one.call = state.next_call;
    one.what = fmt::format("{} at call {} ({})", thread_text(program_, state.program_thread),
                           state.next_call, name_of(call_of(state).kind()));
    explain(t, one);
    out.push_back(std::move(one));
  }
  return out;
}

void HostProcess::explain(std::uint32_t thread, program::Waiting& out) const {
  const ThreadState& state = threads_[thread];
  const program::Call& call = call_of(state);
  if (state.phase == ThreadPhase::kAwaitingPost) {
    const auto& [signal, count] = program::as<program::Await>(call);
    out.what += fmt::format(" waits for post {} of {}, posted {} times", count,
                            signal_text(program_, signal), signals_[signal].raised);
    out.on.push_back({program::PartyKind::kSignal, signal});
  } else if (state.phase == ThreadPhase::kAwaitingItems) {
    const auto& [queue, count] = program::as<program::AwaitItems>(call);
    out.what += fmt::format(" waits for item {} of {}, of which {} are done", count,
                            queue_text(program_, queue), queues_[queue].done);
    out.on.push_back({program::PartyKind::kQueue, queue});
  } else if (state.phase == ThreadPhase::kAwaitingRing) {
    out.what +=
        fmt::format("  waits for one of {} pending launches of {} to start",
                    spec_.pending_launches_max, stream_text(program_, stream_of(state, call)));
    out.on.push_back({program::PartyKind::kStream, stream_of(state, call)});
  } else if (state.phase == ThreadPhase::kAwaitingGpu) {
    for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
      const std::uint32_t s = layout_.streams[i];
      const auto& waiters = streams_[s].waiters;
      const bool ours = std::any_of(waiters.begin(), waiters.end(),
                                    [&](const StreamWaiter& w) { return w.thread == thread; });
      if (!ours) continue;
      out.what += (out.on.empty() ? " waits for " : ", ") + stream_text(program_, s);
      out.on.push_back({program::PartyKind::kStream, s});
    }
  }
}

}  // namespace septet::host
