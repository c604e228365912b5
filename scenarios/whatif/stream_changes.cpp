// What-ifs about streams: one for all, one for each thread, other ones, other priorities.
#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/name_pattern.hpp"
#include "scenarios/whatif/stream_map.hpp"
#include "scenarios/whatif/stream_moves.hpp"
#include "scenarios/whatif/submission.hpp"
#include "scenarios/whatif/thread_streams.hpp"

namespace septet::whatif::changes {
namespace {

std::vector<std::uint32_t> same_streams(const program::Program& program) {
  std::vector<std::uint32_t> target(program.streams.size());
  std::iota(target.begin(), target.end(), 0U);
  return target;
}

// Streams that run a kernel of the pattern, alone or in a graph.
std::set<std::uint32_t> streams_of(const NamePattern& pattern, const program::Program& program) {
  std::vector<bool> graphs;
  for (const program::Graph& graph : program.graphs) {
    graphs.push_back(
        std::any_of(graph.nodes.begin(), graph.nodes.end(),
                    [&](const program::GraphNode& node) { return pattern.launch(node); }));
  }
  std::set<std::uint32_t> streams;
  for (const program::HostThread& thread : program.threads) {
    for (const program::Call& call : thread.calls) {
      const auto* graph = program::get_if<program::LaunchGraph>(call);
      const bool matches = graph == nullptr ? pattern.launch(call) : graphs[graph->graph];
      if (matches) streams.insert(call.stream);
    }
  }
  return streams;
}

// Waits for events that the recording doesn't name: on one stream, all that was recorded before is
// done by then. Returns how many there were.
std::uint64_t drop_unknown_event_waits(program::Program& program) {
  std::uint64_t dropped = 0;
  for (program::HostThread& thread : program.threads) {
    dropped += std::erase_if(thread.calls, [](const program::Call& call) {
      const auto* hold = program::get_if<program::Hold>(call);
      return hold != nullptr && hold->reason == program::HoldReason::kUnknownEvent;
    });
  }
  return dropped;
}

}  // namespace

void one_stream(const std::string& /*value*/, WhatIfState& state) {
  program::Program& program = state.program;
  std::vector<std::uint32_t> target = same_streams(program);
  std::size_t moved = 0;
  for (std::uint32_t s = 0; s < target.size(); ++s) {
    for (std::uint32_t first = 0; first < s; ++first) {
      const program::Stream& a = program.streams[first];
      const program::Stream& b = program.streams[s];
      if (a.device != b.device || a.process != b.process) continue;
      target[s] = first;
      ++moved;
      break;
    }
  }
  std::uint64_t separated = 0;
  for (program::HostThread& thread : program.threads) separated += move_streams(thread, target);
  state.notes.emplace_back(
      fmt::format("the work of {} streams runs on {}", target.size(), target.size() - moved));
  if (separated > 0) state.notes.push_back(separated_note(separated));
  if (moved == 0) return;
  const std::uint64_t dropped = drop_unknown_event_waits(program);
  if (dropped == 0) return;
  state.notes.push_back(fmt::format(
      "{} waits for events of other streams that the recording does not name are gone", dropped));
}

void stream_per_thread(const std::string& /*value*/, WhatIfState& state) {
  share_if_alone(state);
  const ThreadStreams split = split_streams_by_thread(state.program);
  state.notes.push_back(
      fmt::format("{} streams shared by threads became {}; {} hand-offs and {} synchronisations "
                  "preserve the order",
                  split.shared, split.parts, split.hand_offs, split.synchronizations));
  if (split.separated > 0) state.notes.push_back(separated_note(split.separated));
}

void streams(const std::string& value, WhatIfState& state) {
  share_if_alone(state);
  const StreamMap map = read_stream_map(value, state.program);
  for (const std::string& note : apply_stream_map(map, state.program)) state.notes.push_back(note);
}

void priority(const std::string& value, WhatIfState& state) {
  program::Program& program = state.program;
  // Smaller is more urgent; CUDA offers -5 to 0 on current GPUs, 0 being the default.
  std::int32_t wanted = -5;
  std::string who = value;
  for (const auto& [suffix, level] : {std::pair{":high", -5}, std::pair{":low", 0}}) {
    if (!value.ends_with(suffix)) continue;
    wanted = level;
    who = value.substr(0, value.size() - std::string_view(suffix).size());
  }
  std::set<std::uint32_t> chosen;
  if (const std::uint32_t stream = find_stream(program, who); stream != kNone) {
    chosen.insert(stream);
  } else {
    const NamePattern pattern("priority", who, program);
    chosen = streams_of(pattern, program);
    if (chosen.empty()) pattern.nothing_matches(program);
  }
  std::vector<std::string> labels;
  for (const std::uint32_t stream : chosen) {
    labels.push_back(fmt::format("{} (was {})", stream_label(program, stream),
                                 program.streams[stream].priority));
    program.streams[stream].priority = wanted;
  }
  state.notes.push_back(fmt::format("priority {} for {}", wanted, fmt::join(labels, ", ")));
  const bool recorded =
      std::any_of(program.kernels.begin(), program.kernels.end(), [](const program::Kernel& k) {
        return std::holds_alternative<program::RecordedWork>(k.work);
      });
  if (!recorded) return;
  state.notes.push_back(
      "priorities decide whose blocks are scheduled first; recorded kernels keep their durations "
      "and use no SM resources, so their times do not change");
}

}  // namespace septet::whatif::changes
