// Host threads: steps expanded to calls.
//
// A step on several streams becomes a call on each, in turn. An event recorded on several streams
// is one CUDA event for each of them, and waiting for it waits for all. The n-th await of a signal
// by a thread waits for its n-th post.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "scenarios/config/program/program_draft.hpp"
#include "scenarios/config/program/program_limits.hpp"
#include "scenarios/config/program/scenario_fields.hpp"
#include "scenarios/config/program/step_names.hpp"
#include "scenarios/config/program/thread_draft.hpp"

namespace septet::config {
namespace {

using program::Call;

// How often a signal is posted in all, and the await that waits for most posts.
struct SignalUse {
  std::uint64_t posts = 0;
  std::uint64_t awaited = 0;
  const StepText* last_await = nullptr;
};

// Whose a queue is, as the first step that uses it says.
struct QueueUse {
  std::optional<std::uint32_t> process;
  std::optional<std::uint32_t> device;  // of the kernel that serves it
};

// What the threads of a program share while they are written.
struct ProgramUse {
  std::vector<SignalUse> signals;
  std::vector<QueueUse> queues;
  ProgramLimits limits;
};

class ThreadWriter {
 public:
  ThreadWriter(ProgramDraft& draft, const StepNames& names, ProgramUse& use, std::uint32_t process)
      : draft_(draft), names_(names), use_(use), process_(process) {}

  void steps(const std::vector<StepText>& steps) {
    for (const StepText& step : steps) one(step);
  }

 private:
  void one(const StepText& step) {
    if (step.repeat) return repeat(step);
    const auto cached = written_.find(&step);
    const std::vector<Call>& calls = cached != written_.end()
                                         ? cached->second
                                         : written_.emplace(&step, read(step)).first->second;
    for (const Call& call : calls) check_queues(step, call);
    if (step.push) {  // the items of a store stay together
      for (std::uint32_t i = 0; i < step.times; ++i) {
        for (const Call& call : calls) add(step, call);
      }
      return;
    }
    for (const Call& call : calls) {
      for (std::uint32_t i = 0; i < step.times; ++i) add(step, call);
    }
  }

  // A queue lies in the memory of one process, and one GPU takes items from it.
  void check_queues(const StepText& step, const Call& call) {
    if (step.push || step.await_items) return check_process(step, *index_in(call));
    for (const std::uint32_t queue : queues_served(draft_.program(), call)) {
      check_process(step, queue);
      std::optional<std::uint32_t>& device = use_.queues[queue].device;
      const std::uint32_t own = draft_.program().streams[call.stream].device;
      if (!device) device = own;
      if (*device == own) continue;
      step.place.fail("stream", fmt::format("a stream of device {}", own),
                      fmt::format("one of device {}, which serves queue '{}' already", *device,
                                  draft_.program().queue_names[queue]));
    }
  }

  void check_process(const StepText& step, std::uint32_t queue) {
    std::optional<std::uint32_t>& process = use_.queues[queue].process;
    if (!process) process = process_;
    if (*process == process_) return;
    step.place.fail(
        step.push          ? "push"
        : step.await_items ? "await_items"
                           : "launch",
        fmt::format("queue '{}' of process {}", draft_.program().queue_names[queue], *process),
        fmt::format("a queue of the thread's process, {}", process_));
  }

  void repeat(const StepText& step) {
    verb_of(step.place, step_verbs());
    if (step.steps.empty()) step.place.fail("steps", "an empty repeat", "at least one step");
    for (std::uint32_t i = 0; i < *step.repeat; ++i) steps(step.steps);
  }

  void add(const StepText& step, Call call) {
    use_.limits.add(step, call);
    if (const auto* post = program::get_if<program::Post>(call)) ++use_.signals[post->signal].posts;
    if (auto* await = program::get_if<program::Await>(call)) {
      await->count = awaited_[await->signal] += step.posts;
      SignalUse& use = use_.signals[await->signal];
      if (await->count > use.awaited) use.last_await = &step;
      use.awaited = std::max(use.awaited, await->count);
    }
    if (auto* await = program::get_if<program::AwaitItems>(call)) {
      await->count = awaited_items_[await->queue] += step.items;
    }
    draft_.build.add(call);
  }

  // The calls of a step, before `times`.
  std::vector<Call> read(const StepText& step) {
    const std::string& verb = verb_of(step.place, step_verbs()).key;
    Call call;
    call.cost = step.cost.value_or(program::kModelled);
    if (step.label) call.name = draft_.build.string(*step.label);
    const std::string path = joined(step.place.path, verb);
    if (step.launch) return launch(step, call, path);
    if (step.copy || step.memset) return move(step, call);
    if (step.push || step.await_items) return queue(step, call, path);
    if (step.collective) return collective(step, call);
    if (verb.ends_with("_graph")) return graph(step, call, path);
    if (step.record) return record(step, call);
    if (step.wait) return wait(step, call, path);
    if (verb.starts_with("synchronize_")) return synchronize(step, call, path);
    return other(step, call, path);
  }

  // A call on each stream of the step, which must belong to the thread's process.
  std::vector<Call> on_streams(const StepText& step, const std::optional<Names>& names,
                               const Call& call) {
    std::vector<Call> out;
    for (const std::uint32_t stream : streams_of(step.place, names, draft_)) {
      const program::Stream& used = draft_.program().streams[stream];
      if (used.process != process_) {
        step.place.fail("stream", fmt::format("stream '{}' of process {}", used.name, used.process),
                        fmt::format("a stream of the thread's process, {}", process_));
      }
      out.push_back(call);
      out.back().stream = stream;
    }
    return out;
  }

  std::vector<Call> launch(const StepText& step, Call call, const std::string& path) {
    const std::uint32_t kernel = draft_.kernels.find(*step.launch, path).front();
    const Duration recorded = launch_work(step.place, kernel, step.duration, draft_);
    call.what = program::LaunchKernel{kernel, step.programmatic, recorded};
    return on_streams(step, step.stream, call);
  }

  std::vector<Call> move(const StepText& step, Call call) {
    const Duration recorded = step.duration.value_or(program::kModelled);
    if (step.memset) {
      call.what = program::Memset{*step.memset, recorded};
      return on_streams(step, step.stream, call);
    }
    const program::CopyDirection direction =
        step.direction.value_or(program::CopyDirection::kHostToDevice);
    // CUDA: a copy to pageable memory isn't asynchronous.
    const bool to_pageable = !step.pinned && direction == program::CopyDirection::kDeviceToHost;
    call.what = program::Copy{direction, step.pinned, step.blocking.value_or(to_pageable),
                              *step.copy, recorded};
    return on_streams(step, step.stream, call);
  }

  // The items of one store, of which the first has the cost of the store, or one read of a queue.
  std::vector<Call> queue(const StepText& step, Call call, const std::string& path) {
    const Name& name = step.push ? *step.push : *step.await_items;
    const std::uint32_t queue = draft_.queues.find(name, path).front();
    call.what = program::AwaitItems{queue};
    if (step.await_items) return {call};
    if (!step.item_time) {
      step.place.fail("item_time", "no item_time",
                      "the key `item_time`: time that a block works on each item");
    }
    call.what = program::PushItem{queue, kNone, *step.item_time};
    std::vector<Call> out{call};
    call.cost = Duration(0);
    out.resize(step.items, call);
    return out;
  }

  std::vector<Call> collective(const StepText& step, Call call) {
    call.what = program::JoinCollective{
        collective_of(step, streams_of(step.place, step.stream, draft_), draft_)};
    return on_streams(step, step.stream, call);
  }

  std::vector<Call> graph(const StepText& step, Call call, const std::string& path) {
    const std::optional<Name>& name = step.launch_graph   ? step.launch_graph
                                      : step.upload_graph ? step.upload_graph
                                                          : step.instantiate_graph;
    const std::uint32_t graph = draft_.graphs.find(*name, path).front();
    call.what = program::InstantiateGraph{graph};
    if (step.instantiate_graph) return {call};
    if (step.launch_graph) {
      call.what = program::LaunchGraph{graph};
    } else {
      call.what = program::UploadGraph{graph};
    }
    return on_streams(step, step.stream, call);
  }

  std::vector<Call> record(const StepText& step, Call call) {
    std::vector<Call> out = on_streams(step, step.stream, call);
    const auto& events = names_.events.find(*step.record, step.place.path);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].what = program::RecordEvent{events[i]};
    return out;
  }

  std::vector<Call> wait(const StepText& step, Call call, const std::string& path) {
    std::vector<Call> out;
    for (Call on_stream : on_streams(step, step.stream, call)) {
      for (const std::uint32_t event : names_.events.find(*step.wait, path)) {
        on_stream.what = program::WaitEvent{event};
        out.push_back(on_stream);
      }
    }
    return out;
  }

  std::vector<Call> synchronize(const StepText& step, Call call, const std::string& path) {
    if (step.synchronize_stream) {
      call.what = program::SynchronizeStream{};
      return on_streams(step, step.synchronize_stream, call);
    }
    if (step.synchronize_device) {
      call.what = program::SynchronizeDevice{*step.synchronize_device};
      if (*step.synchronize_device < draft_.program().devices) return {call};
      step.place.fail("synchronize_device", std::to_string(*step.synchronize_device),
                      fmt::format("an index below hardware.gpus, {}", draft_.program().devices));
    }
    std::vector<Call> out;
    for (const std::uint32_t event : names_.events.find(*step.synchronize_event, path)) {
      call.what = program::SynchronizeEvent{event};
      out.push_back(call);
    }
    return out;
  }

  std::vector<Call> other(const StepText& step, Call call, const std::string& path) {
    if (step.host_work) {
      call.what = program::HostWork{*step.host_work};
    } else if (step.api) {
      call.what = program::OtherApiCall{};
      call.name = draft_.build.string(*step.api);
    } else if (step.marker) {
      call.what = program::Marker{draft_.build.string(*step.marker)};
    } else if (step.post) {
      call.what = program::Post{names_.signals.find(*step.post, path).front()};
    } else {
      call.what = program::Await{names_.signals.find(*step.await, path).front()};
    }
    return {call};
  }

  ProgramDraft& draft_;
  const StepNames& names_;
  ProgramUse& use_;
  const std::uint32_t process_;
  std::map<std::uint32_t, std::uint64_t> awaited_;        // by signal, in this thread
  std::map<std::uint32_t, std::uint64_t> awaited_items_;  // by queue, in this thread
  std::map<const StepText*, std::vector<Call>> written_;  // a repeated step is read once
};

// An await that can never be satisfied would hang the simulation without an explanation.
void check_signals(const std::vector<SignalUse>& signals) {
  for (const SignalUse& use : signals) {
    if (use.awaited <= use.posts) continue;
    use.last_await->place.fail("await", fmt::format("a wait for post {}", use.awaited),
                               fmt::format("at most the number of posts, {}", use.posts));
  }
}

}  // namespace

void read_threads(const ScenarioText& scenario, ProgramDraft& draft) {
  const std::vector<ThreadDraft> threads = thread_drafts(scenario);
  StepNames names(draft);
  for (const ThreadDraft& thread : threads) names.steps(thread.steps);
  ProgramUse use{std::vector<SignalUse>(draft.program().signals),
                 std::vector<QueueUse>(draft.program().queues),
                 ProgramLimits(scenario.gpu.copy, scenario.run.max_calls)};
  for (const ThreadDraft& thread : threads) {
    draft.build.thread(thread.thread);
    use.limits.start_thread();
    ThreadWriter(draft, names, use, thread.thread.process).steps(thread.steps);
  }
  check_signals(use.signals);
}

}  // namespace septet::config
