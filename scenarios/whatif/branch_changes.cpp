// What-if: independent chains of a step on streams of their own.
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/stream_moves.hpp"

namespace septet::whatif::changes {
namespace {

// The launches of one step on one stream of one thread, by call.
struct Stretch {
  std::uint32_t thread = 0;
  std::uint32_t stream = 0;
  std::vector<std::size_t> launches;
};

// Steps end at markers and at calls that wait.
std::vector<Stretch> stretches_of(const program::Program& program) {
  std::vector<Stretch> out;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    Stretch open{t, kNone, {}};
    const auto close = [&] {
      if (!open.launches.empty()) out.push_back(std::exchange(open, {t, kNone, {}}));
    };
    const std::vector<program::Call>& calls = program.threads[t].calls;
    for (std::size_t c = 0; c < calls.size(); ++c) {
      const bool ends = program::is<program::Marker>(calls[c]) ||
                        program::is<program::SynchronizeStream>(calls[c]) ||
                        program::is<program::SynchronizeDevice>(calls[c]);
      if (ends) close();
      if (!is_launch(calls[c].kind())) continue;
      if (!open.launches.empty() && calls[c].stream != open.stream) close();
      open.stream = calls[c].stream;
      open.launches.push_back(c);
    }
    close();
  }
  return out;
}

// What a thread calls before and after its calls, by call; and where its launches go.
struct Edits {
  std::vector<std::vector<program::Call>> before, after;
  std::vector<std::uint32_t> stream;
};

program::Call on_stream(decltype(program::Call::what) what, std::uint32_t stream) {
  return {.what = std::move(what), .stream = stream};
}

class Brancher {
 public:
  Brancher(program::Program& program, std::size_t count) : program_(program), count_(count) {
    for (const program::HostThread& thread : program.threads) {
      Edits& edit = edits_.emplace_back();
      edit.before.resize(thread.calls.size());
      edit.after.resize(thread.calls.size());
      edit.stream.assign(thread.calls.size(), kNone);
    }
  }

  void cut(const Stretch& stretch) {
    Edits& edit = edits_[stretch.thread];
    const std::vector<std::size_t>& launches = stretch.launches;
    const std::uint32_t fork = program_.events++;
    edit.before[launches.front()].push_back(on_stream(program::RecordEvent{fork}, stretch.stream));
    for (std::size_t b = 0; b < count_; ++b) {
      const std::size_t first = b * launches.size() / count_;
      const std::size_t last = (b + 1) * launches.size() / count_ - 1;
      const std::uint32_t to = branch(stretch.stream, b);
      edit.before[launches[first]].push_back(on_stream(program::WaitEvent{fork}, to));
      for (std::size_t l = first; l <= last; ++l) edit.stream[launches[l]] = to;
      const std::uint32_t join = program_.events++;
      edit.after[launches[last]].push_back(on_stream(program::RecordEvent{join}, to));
      edit.after[launches.back()].push_back(on_stream(program::WaitEvent{join}, stretch.stream));
    }
  }

  void finish() {
    for (std::size_t t = 0; t < edits_.size(); ++t) rewrite(program_.threads[t], edits_[t]);
  }

 private:
  std::uint32_t branch(std::uint32_t stream, std::size_t number) {
    const auto [entry, fresh] = streams_.try_emplace({stream, number}, kNone);
    if (fresh) entry->second = add_stream_like(program_, stream, fmt::format("branch {}", number));
    return entry->second;
  }

  static void rewrite(program::HostThread& thread, const Edits& edit) {
    std::vector<program::Call> calls;
    for (std::size_t c = 0; c < edit.before.size(); ++c) {
      program::Call call = thread.calls[c];
      if (edit.stream[c] != kNone) call.stream = edit.stream[c];
      auto* launch = program::get_if<program::LaunchKernel>(call);
      if (edit.stream[c] != kNone && launch != nullptr) launch->programmatic = false;
      calls.insert(calls.end(), edit.before[c].begin(), edit.before[c].end());
      calls.push_back(call);
      calls.insert(calls.end(), edit.after[c].begin(), edit.after[c].end());
    }
    thread.calls = std::move(calls);
  }

  program::Program& program_;
  std::size_t count_;
  std::vector<Edits> edits_;                                                // by thread
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> streams_;  // by branch
};

}  // namespace

void branches(const std::string& value, WhatIfState& state) {
  const double number = read_factor("branches", value);
  const auto count = static_cast<std::size_t>(number);
  if (number != std::floor(number) || count < 2 || count > 128) {
    wrong_value("branches", value, "a whole number from 2 to 128");
  }
  share_if_alone(state);
  Brancher brancher(state.program, count);
  std::size_t cut = 0;
  for (const Stretch& stretch : stretches_of(state.program)) {
    if (stretch.launches.size() < count) continue;
    ++cut;
    brancher.cut(stretch);
  }
  if (cut == 0) {
    throw ConfigError({}, fmt::format("what-if branches: no step launches {} or more kernels and "
                                      "copies one after the other on a stream",
                                      count));
  }
  brancher.finish();
  state.notes.push_back(fmt::format(
      "the launches of {} steps run in {} equal parts, each on a stream of its own; nothing checks "
      "that the parts are independent",
      cut, count));
}

}  // namespace septet::whatif::changes
