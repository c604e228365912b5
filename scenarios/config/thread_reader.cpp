// Host threads: steps spelled out as calls.
//
// A step on several streams becomes a call on each, in turn. An event recorded on several streams
// is one CUDA event for each of them, and waiting for it waits for all. The n-th await of a signal
// by a thread waits for its n-th post.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "scenarios/config/program_draft.hpp"
#include "scenarios/config/scenario_fields.hpp"

namespace septet {
namespace {

const std::string kPlaceholder = "{thread}";

// "done{thread}" in the thread of number 3 is "done3".
std::string numbered(std::string text, const std::string& number) {
  for (std::size_t at = 0; (at = text.find(kPlaceholder, at)) != std::string::npos;) {
    text.replace(at, kPlaceholder.size(), number);
    at += number.size();
  }
  return text;
}

void put_number(std::optional<Name>& name, const std::string& number) {
  if (name) name->text = numbered(name->text, number);
}

void put_number(std::optional<Names>& names, const std::string& number) {
  if (!names) return;
  for (Name& name : names->all) name.text = numbered(name.text, number);
}

void put_number(std::vector<StepText>& steps, const std::string& number) {
  for (StepText& step : steps) {
    for (auto* name :
         {&step.launch, &step.launch_graph, &step.upload_graph, &step.instantiate_graph,
          &step.record, &step.wait, &step.synchronize_event, &step.post, &step.await}) {
      put_number(*name, number);
    }
    put_number(step.stream, number);
    put_number(step.synchronize_stream, number);
    put_number(step.steps, number);
  }
}

// A thread of the program with its own steps.
struct ThreadDraft {
  HostThread thread;
  const ThreadText* text;
  std::vector<StepText> steps;
};

std::vector<ThreadDraft> thread_drafts(const ScenarioText& scenario) {
  std::vector<ThreadDraft> out;
  NameTable names("a thread");
  for (const ThreadText& text : scenario.threads) {
    names.add(text.name, text.place.path, {});
    for (std::uint32_t i = 0; i < text.count.value_or(1); ++i) {
      const std::string number = std::to_string(i);
      std::vector<StepText> steps = text.steps;
      if (text.count) put_number(steps, number);
      out.push_back({{text.name.text + (text.count ? number : ""), text.process, {}},
                     &text,
                     std::move(steps)});
    }
  }
  return out;
}

// Events and signals exist because a step records or posts them.
class Declarations {
 public:
  explicit Declarations(ProgramDraft& draft) : draft_(draft) {}

  void steps(const std::vector<StepText>& steps) {
    for (const StepText& step : steps) {
      if (step.record) record(step);
      if (step.post && !signals.has(step.post->text)) {
        signals.add(*step.post, step.place.path, {draft_.program.signals++});
      }
      this->steps(step.steps);
    }
  }

  NameTable events{"an event that some step records"};
  NameTable signals{"a signal that some step posts"};

 private:
  void record(const StepText& step) {
    const auto width =
        static_cast<std::uint32_t>(streams_of(step.place, step.stream, draft_).size());
    const std::string path = joined(step.place.path, "record");
    if (events.has(step.record->text)) {
      const std::size_t first = events.find(*step.record, path).size();
      if (first == width) return;
      step.place.fail("record", fmt::format("{} streams", width),
                      fmt::format("{}, as where '{}' is first recorded", first, step.record->text));
    }
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < width; ++i) indices.push_back(draft_.program.events++);
    events.add(*step.record, path, std::move(indices));
  }

  ProgramDraft& draft_;
};

// How often a signal is posted in all, and the await that waits for most posts.
struct SignalUse {
  std::uint64_t posts = 0;
  std::uint64_t awaited = 0;
  const StepText* last_await = nullptr;
};

class ThreadWriter {
 public:
  ThreadWriter(ProgramDraft& draft, const Declarations& names, std::vector<SignalUse>& signals,
               HostThread& thread, std::size_t& calls)
      : draft_(draft), names_(names), signals_(signals), thread_(thread), calls_(calls) {}

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
    for (const Call& call : calls) {
      for (std::uint32_t i = 0; i < step.times; ++i) add(step, call);
    }
  }

  void repeat(const StepText& step) {
    verb_of(step.place, step_verbs());
    if (step.steps.empty()) step.place.fail("steps", "nothing to repeat", "at least one step");
    for (std::uint32_t i = 0; i < *step.repeat; ++i) steps(step.steps);
  }

  void add(const StepText& step, Call call) {
    if (++calls_ > kCallsMost) {
      step.place.fail("", "a program of too many calls", fmt::format("at most {}", kCallsMost));
    }
    if (call.kind == CallKind::kPost) ++signals_[call.object].posts;
    if (call.kind == CallKind::kAwait) {
      std::uint64_t& awaited = awaited_[call.object];
      awaited += step.posts;
      call.work = Duration(static_cast<std::int64_t>(awaited));
      SignalUse& use = signals_[call.object];
      if (awaited > use.awaited) use.last_await = &step;
      use.awaited = std::max(use.awaited, awaited);
    }
    thread_.calls.push_back(call);
  }

  // The calls of a step, before `times`.
  std::vector<Call> read(const StepText& step) {
    const std::string& verb = verb_of(step.place, step_verbs()).key;
    Call call;
    call.cost = step.cost.value_or(kModelled);
    if (step.label) call.name = draft_.string(*step.label);
    const std::string path = joined(step.place.path, verb);
    if (step.launch) return launch(step, call, path);
    if (step.copy || step.fill) return move(step, call);
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
      const Stream& used = draft_.program.streams[stream];
      if (used.process != thread_.process) {
        step.place.fail("stream", fmt::format("stream '{}' of process {}", used.name, used.process),
                        fmt::format("a stream of the thread's process, {}", thread_.process));
      }
      out.push_back(call);
      out.back().stream = stream;
    }
    return out;
  }

  std::vector<Call> launch(const StepText& step, Call call, const std::string& path) {
    call.kind = CallKind::kLaunchKernel;
    call.object = draft_.kernels.find(*step.launch, path).front();
    call.work = launch_work(step.place, call.object, step.duration, draft_);
    call.programmatic = step.programmatic;
    return on_streams(step, step.stream, call);
  }

  std::vector<Call> move(const StepText& step, Call call) {
    call.kind = step.copy ? CallKind::kCopy : CallKind::kFill;
    call.bytes = step.copy ? *step.copy : *step.fill;
    call.direction = step.direction.value_or(CopyDirection::kHostToDevice);
    call.pinned = step.pinned;
    call.blocking = step.blocking;
    call.work = step.duration.value_or(kModelled);
    return on_streams(step, step.stream, call);
  }

  std::vector<Call> graph(const StepText& step, Call call, const std::string& path) {
    const std::optional<Name>& name = step.launch_graph   ? step.launch_graph
                                      : step.upload_graph ? step.upload_graph
                                                          : step.instantiate_graph;
    call.object = draft_.graphs.find(*name, path).front();
    call.kind = step.launch_graph ? CallKind::kLaunchGraph : CallKind::kUploadGraph;
    if (step.launch_graph || step.upload_graph) return on_streams(step, step.stream, call);
    call.kind = CallKind::kInstantiateGraph;
    return {call};
  }

  std::vector<Call> record(const StepText& step, Call call) {
    call.kind = CallKind::kRecordEvent;
    std::vector<Call> out = on_streams(step, step.stream, call);
    const auto& events = names_.events.find(*step.record, step.place.path);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].object = events[i];
    return out;
  }

  std::vector<Call> wait(const StepText& step, Call call, const std::string& path) {
    call.kind = CallKind::kWaitEvent;
    std::vector<Call> out;
    for (Call on_stream : on_streams(step, step.stream, call)) {
      for (const std::uint32_t event : names_.events.find(*step.wait, path)) {
        on_stream.object = event;
        out.push_back(on_stream);
      }
    }
    return out;
  }

  std::vector<Call> synchronize(const StepText& step, Call call, const std::string& path) {
    if (step.synchronize_stream) {
      call.kind = CallKind::kSynchronizeStream;
      return on_streams(step, step.synchronize_stream, call);
    }
    if (step.synchronize_device) {
      call.kind = CallKind::kSynchronizeDevice;
      call.object = *step.synchronize_device;
      if (call.object < draft_.program.devices) return {call};
      step.place.fail("synchronize_device", std::to_string(call.object),
                      fmt::format("an index below hardware.gpus, {}", draft_.program.devices));
    }
    call.kind = CallKind::kSynchronizeEvent;
    std::vector<Call> out;
    for (const std::uint32_t event : names_.events.find(*step.synchronize_event, path)) {
      call.object = event;
      out.push_back(call);
    }
    return out;
  }

  std::vector<Call> other(const StepText& step, Call call, const std::string& path) {
    if (step.host_work) {
      call.kind = CallKind::kHostWork;
      call.work = *step.host_work;
    } else if (step.api) {
      call.kind = CallKind::kApi;
      call.name = draft_.string(*step.api);
    } else if (step.marker) {
      call.kind = CallKind::kMarker;
      call.object = draft_.string(*step.marker);
    } else {
      call.kind = step.post ? CallKind::kPost : CallKind::kAwait;
      call.object = names_.signals.find(step.post ? *step.post : *step.await, path).front();
    }
    return {call};
  }

  ProgramDraft& draft_;
  const Declarations& names_;
  std::vector<SignalUse>& signals_;
  HostThread& thread_;
  std::size_t& calls_;
  std::map<std::uint32_t, std::uint64_t> awaited_;        // by signal, in this thread
  std::map<const StepText*, std::vector<Call>> written_;  // a repeated step is read once
};

// An await that can never be met would stop the simulation with nothing to say.
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
  Declarations names(draft);
  for (const ThreadDraft& thread : threads) names.steps(thread.steps);
  std::vector<SignalUse> signals(draft.program.signals);
  std::size_t calls = 0;
  for (const ThreadDraft& thread : threads) {
    HostThread& out = draft.program.threads.emplace_back(thread.thread);
    draft.program.processes = std::max(draft.program.processes, out.process + 1);
    ThreadWriter(draft, names, signals, out, calls).steps(thread.steps);
  }
  check_signals(signals);
}

}  // namespace septet
