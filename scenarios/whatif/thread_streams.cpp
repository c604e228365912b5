#include "scenarios/whatif/thread_streams.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/whatif/stream_moves.hpp"
#include "scenarios/whatif/submission.hpp"

namespace septet::whatif {
namespace {

// The parts of a shared stream, by thread.
using Parts = std::map<std::uint32_t, std::uint32_t>;

class Splitter {
 public:
  explicit Splitter(program::Program& program) : program_(program) {}

  ThreadStreams run() {
    find_shared();
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) rewrite(t);
    return out_;
  }

 private:
  void find_shared() {
    std::map<std::uint32_t, std::set<std::uint32_t>> users;
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      for (const program::Call& call : program_.threads[t].calls) {
        if (submits(call.kind())) users[call.stream].insert(t);
        if (const auto* post = program::get_if<program::Post>(call))
          posters_[post->signal].insert(t);
      }
    }
    for (const auto& [stream, threads] : users) {
      if (threads.size() < 2) continue;
      ++out_.shared;
      out_.parts += threads.size();
      split(stream, *threads.begin());
    }
  }

  // `owner` keeps the stream. All other threads of its process get a part: those that submit
  // nothing may still pass the order on from one thread to another, or wait for it.
  void split(std::uint32_t stream, std::uint32_t owner) {
    const std::string label = stream_label(program_, stream);
    Parts& parts = shared_[stream];
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      if (program_.threads[t].process != program_.streams[stream].process) continue;
      parts[t] = t == owner
                     ? stream
                     : add_stream_like(program_, stream, fmt::format("{}, thread {}", label, t));
    }
  }

  // What a thread has in its part of a stream when it posts a signal.
  std::uint32_t posted(std::uint32_t signal, std::uint32_t thread, std::uint32_t stream) {
    const auto [entry, fresh] = posted_.try_emplace({signal, thread, stream}, program_.events);
    if (fresh) ++program_.events;
    return entry->second;
  }

  void rewrite(std::uint32_t thread) {
    const program::HostThread before = program_.threads[thread];
    program::HostThread& moved = program_.threads[thread];
    out_.separated += move_streams(moved, targets_of(thread));
    std::vector<program::Call> calls;
    for (std::size_t c = 0; c < moved.calls.size(); ++c) {
      const program::Call& call = moved.calls[c];
      if (const auto* post = program::get_if<program::Post>(call))
        record_before_post(thread, post->signal, calls);
      if (program::is<program::SynchronizeStream>(call))
        join(thread, before.calls[c].stream, calls);
      calls.push_back(call);
      if (const auto* await = program::get_if<program::Await>(call))
        wait_after_await(thread, await->signal, calls);
    }
    moved.calls = std::move(calls);
  }

  std::vector<std::uint32_t> targets_of(std::uint32_t thread) const {
    std::vector<std::uint32_t> target;
    for (std::uint32_t s = 0; s < program_.streams.size(); ++s) target.push_back(s);
    for (const auto& [stream, parts] : shared_) {
      if (parts.contains(thread)) target[stream] = parts.at(thread);
    }
    return target;
  }

  void record_before_post(std::uint32_t thread, std::uint32_t signal,
                          std::vector<program::Call>& calls) {
    for (const auto& [stream, parts] : shared_) {
      if (!parts.contains(thread)) continue;
      calls.push_back(
          free_command(program::RecordEvent{posted(signal, thread, stream)}, parts.at(thread)));
      ++out_.hand_offs;
    }
  }

  void wait_after_await(std::uint32_t thread, std::uint32_t signal,
                        std::vector<program::Call>& calls) {
    for (const std::uint32_t poster : posters_[signal]) {
      for (const auto& [stream, parts] : shared_) {
        if (poster == thread || !parts.contains(thread) || !parts.contains(poster)) continue;
        calls.push_back(
            free_command(program::WaitEvent{posted(signal, poster, stream)}, parts.at(thread)));
      }
    }
  }

  // The thread's part of a stream waits for the other parts.
  void join(std::uint32_t thread, std::uint32_t stream, std::vector<program::Call>& calls) {
    const auto shared = shared_.find(stream);
    if (shared == shared_.end()) return;
    ++out_.synchronizations;
    for (const auto& [other, part] : shared->second) {
      if (other == thread) continue;
      const std::uint32_t event = program_.events++;
      calls.push_back(free_command(program::RecordEvent{event}, part));
      calls.push_back(free_command(program::WaitEvent{event}, shared->second.at(thread)));
    }
  }

  program::Program& program_;
  ThreadStreams out_;
  std::map<std::uint32_t, Parts> shared_;
  std::map<std::uint32_t, std::set<std::uint32_t>> posters_;  // by signal: threads
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> posted_;
};

}  // namespace

ThreadStreams split_streams_by_thread(program::Program& program) { return Splitter(program).run(); }

}  // namespace septet::whatif
