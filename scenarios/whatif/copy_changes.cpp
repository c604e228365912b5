// What-ifs about copies: from page-locked memory, and issued before they are needed.
#include <algorithm>

#include <fmt/format.h>

#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/name_pattern.hpp"
#include "scenarios/whatif/scopes.hpp"
#include "scenarios/whatif/stream_moves.hpp"
#include "scenarios/whatif/submission.hpp"

namespace septet::whatif::changes {
namespace {

// A copy that the CPU doesn't wait for: at the cost and in the time that the models give it.
void make_asynchronous(program::Call& call) {
  program::Copy& copy = program::as<program::Copy>(call);
  copy.pinned = true;
  copy.blocking = false;
  copy.recorded = program::kModelled;
  call.cost = program::kModelled;
  call.submit = program::kModelled;
}

// The synchronisations with the copy's stream behind it in the innermost operator around it, which
// wait for nothing else, go.
void mark_waits(const program::HostThread& thread, const std::vector<HostScope>& scopes,
                std::size_t copy, std::vector<bool>& removed) {
  std::size_t end = copy;
  for (const HostScope& scope : scopes) {
    if (scope.begin < copy && copy < scope.end) end = scope.end;  // the last one is innermost
  }
  for (std::size_t c = copy + 1; c < end; ++c) {
    const program::Call& call = thread.calls[c];
    if (is_launch(call.kind())) return;
    const bool waits = program::is<program::SynchronizeStream>(call) ||
                       program::is<program::SynchronizeDevice>(call);
    if (waits) removed[c] = true;
  }
}

class CopyChange {
 public:
  CopyChange(const NamePattern& pattern, bool early, program::Program& program)
      : pattern_(pattern), early_(early), program_(program) {}

  void change(program::HostThread& thread) {
    std::vector<bool> removed(thread.calls.size(), false);
    const std::vector<HostScope> scopes = scopes_of(thread);
    for (std::size_t c = 0; c < thread.calls.size(); ++c) {
      if (matches(thread.calls[c])) mark_waits(thread, scopes, c, removed);
    }
    std::vector<program::Call> calls;
    for (std::size_t c = 0; c < thread.calls.size(); ++c) {
      if (removed[c]) {
        ++waits;
        continue;
      }
      program::Call call = thread.calls[c];
      if (!matches(call)) {
        calls.push_back(call);
        continue;
      }
      ++copies;
      make_asynchronous(call);
      early_ ? issue_early(call, calls) : calls.push_back(call);
    }
    thread.calls = std::move(calls);
  }

  std::uint64_t copies = 0;
  std::uint64_t waits = 0;

 private:
  bool matches(const program::Call& call) const {
    return program::is<program::Copy>(call) && pattern_.work(call);
  }

  // On a stream of its own, where it makes ready what the next such copy was for; what comes next
  // on its old stream needs the copy before.
  void issue_early(program::Call& call, std::vector<program::Call>& calls) {
    const std::uint32_t consumer = call.stream;
    if (side_.size() < program_.streams.size()) side_.resize(program_.streams.size(), kNone);
    std::uint32_t side = side_[consumer];
    if (side == kNone) {
      side = add_stream_like(program_, consumer, fmt::format("early {}", program_.streams.size()));
      side_[consumer] = side;
    }
    if (last_ != kNone) calls.push_back(free_command(program::WaitEvent{last_}, consumer));
    call.stream = side;
    calls.push_back(call);
    last_ = program_.events++;
    calls.push_back(free_command(program::RecordEvent{last_}, side));
  }

  const NamePattern& pattern_;
  const bool early_;
  program::Program& program_;
  std::vector<std::uint32_t> side_;  // by stream
  std::uint32_t last_ = kNone;       // the event behind the last early copy
};

}  // namespace

void copies(const std::string& value, WhatIfState& state) {
  static constexpr const char* kWanted = "REGEX:pinned or REGEX:early";
  const std::size_t colon = value.rfind(':');
  const std::string how = colon == std::string::npos ? "" : value.substr(colon + 1);
  if (how != "pinned" && how != "early") wrong_value("copies", value, kWanted);
  const NamePattern pattern("copies", value.substr(0, colon), state.program);
  CopyChange change(pattern, how == "early", state.program);
  for (program::HostThread& thread : state.program.threads) change.change(thread);
  if (change.copies == 0) pattern.nothing_matches(state.program);
  state.notes.push_back(fmt::format(
      "{} copies from page-locked memory{}; the CPU no longer waits for them, and {} "
      "synchronisations behind them are gone",
      change.copies, how == "early" ? ", each issued one copy ahead on a stream of its own" : "",
      change.waits));
}

}  // namespace septet::whatif::changes
