#include "scenarios/whatif/stream_map.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/name_pattern.hpp"
#include "scenarios/whatif/stream_moves.hpp"
#include "scenarios/whatif/submission.hpp"

namespace septet::whatif {
namespace {

constexpr const char* kWanted =
    "FROM:TO[,FROM:TO...], FROM a stream or /REGEX/, TO a stream or 'new'";

struct Pair {
  std::string from, to;
  bool regex = false;
};

// Takes the first pair off `text`.
Pair next_pair(std::string& text, const std::string& whole) {
  const bool regex = text.starts_with("/");
  const std::size_t end = regex ? text.find("/:", 1) : text.find(':');
  if (end == std::string::npos) changes::wrong_value("streams", whole, kWanted);
  Pair pair;
  pair.regex = regex;
  pair.from = regex ? text.substr(1, end - 1) : text.substr(0, end);
  const std::size_t to = end + (regex ? 2 : 1);
  const std::size_t comma = std::min(text.find(',', to), text.size());
  pair.to = text.substr(to, comma - to);
  const bool trailing = comma + 1 == text.size();
  if (pair.from.empty() || pair.to.empty() || trailing) {
    changes::wrong_value("streams", whole, kWanted);
  }
  text.erase(0, comma + 1);
  return pair;
}

void check_same_device(const program::Program& program, std::uint32_t from, std::uint32_t to) {
  const program::Stream& a = program.streams[from];
  const program::Stream& b = program.streams[to];
  if (a.device == b.device && a.process == b.process) return;
  changes::wrong_value("streams", stream_label(program, to),
                       fmt::format("a stream on the device and of the process of '{}'",
                                   stream_label(program, from)));
}

// Moves single kernels of one thread to other streams.
class KernelMover {
 public:
  KernelMover(const StreamMap& map, program::Program& program) : map_(map), program_(program) {
    for (const KernelMove& move : map.kernels) {
      patterns_.emplace_back("streams", move.regex, program);
      moved_.push_back(0);
    }
  }

  void rewrite(program::HostThread& thread) {
    std::vector<program::Call> calls;
    for (std::size_t c = 0; c < thread.calls.size(); ++c) {
      program::Call call = thread.calls[c];
      // A hold goes with the command that it holds.
      const bool hold = program::is<program::Hold>(call) && c + 1 < thread.calls.size();
      if (hold) {
        const std::uint32_t with = stream_for(thread.calls[c + 1]);
        if (with != kNone) call.stream = with;
        calls.push_back(call);
        continue;
      }
      const std::uint32_t to = target_of(call);
      if (to != kNone && to != call.stream) {
        tie(call.stream, to, calls);
        gone_[call.stream].insert(to);
        call.stream = to;
        program::as<program::LaunchKernel>(call).programmatic = false;
      } else if (needs_results(call)) {
        join(call.stream, calls);
      }
      calls.push_back(call);
    }
    thread.calls = std::move(calls);
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> out;
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
      if (moved_[p] == 0 && in_graphs(patterns_[p])) {
        changes::wrong_value("streams", map_.kernels[p].regex,
                             "a kernel outside of graphs (only nodes of graphs match)");
      }
      if (moved_[p] == 0) patterns_[p].nothing_matches(program_);
      out.push_back(fmt::format("{} kernel launches that match '{}' run on {}", moved_[p],
                                map_.kernels[p].regex,
                                stream_label(program_, map_.kernels[p].stream)));
    }
    return out;
  }

 private:
  std::size_t pattern_of(const program::Call& call) const {
    std::size_t p = 0;
    while (p < patterns_.size() && !patterns_[p].launch(call)) ++p;
    return p;
  }

  // Where a call moves; kNone: it stays.
  std::uint32_t stream_for(const program::Call& call) const {
    const std::size_t p = pattern_of(call);
    return p == patterns_.size() ? kNone : map_.kernels[p].stream;
  }

  std::uint32_t target_of(const program::Call& call) {
    const std::size_t p = pattern_of(call);
    if (p == patterns_.size()) return kNone;
    check_same_device(program_, call.stream, map_.kernels[p].stream);
    ++moved_[p];
    return map_.kernels[p].stream;
  }

  bool in_graphs(const NamePattern& pattern) const {
    return std::any_of(
        program_.graphs.begin(), program_.graphs.end(), [&](const program::Graph& graph) {
          return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                             [&](const program::GraphNode& node) { return pattern.launch(node); });
        });
  }

  static bool needs_results(const program::Call& call) {
    return is_blocking(call) || program::is<program::RecordEvent>(call) ||
           program::is<program::SynchronizeStream>(call);
  }

  // What `stream` gets next waits for what is in `before`.
  void tie(std::uint32_t before, std::uint32_t stream, std::vector<program::Call>& calls) {
    const std::uint32_t event = program_.events++;
    calls.push_back(free_command(program::RecordEvent{event}, before));
    calls.push_back(free_command(program::WaitEvent{event}, stream));
  }

  void join(std::uint32_t stream, std::vector<program::Call>& calls) {
    for (const std::uint32_t other : gone_[stream]) tie(other, stream, calls);
    gone_[stream].clear();
  }

  const StreamMap& map_;
  program::Program& program_;
  std::vector<NamePattern> patterns_;
  std::vector<std::uint64_t> moved_;                       // by pattern
  std::map<std::uint32_t, std::set<std::uint32_t>> gone_;  // by stream: where its kernels went
};

}  // namespace

StreamMap read_stream_map(const std::string& text, program::Program& program) {
  StreamMap map;
  map.target.resize(program.streams.size());
  std::iota(map.target.begin(), map.target.end(), 0U);
  std::set<std::uint32_t> seen;
  std::string rest = text;
  while (!rest.empty()) {
    const Pair pair = next_pair(rest, text);
    const bool fresh = pair.to == "new";
    if (program.streams.empty()) changes::wrong_value("streams", text, "a program with streams");
    const std::uint32_t from = pair.regex ? 0 : require_stream("streams", program, pair.from);
    if (!pair.regex && !seen.insert(from).second) {
      changes::wrong_value("streams", text, "each FROM once");
    }
    const std::uint32_t to =
        fresh ? add_stream_like(program, from, fmt::format("new {}", program.streams.size()))
              : require_stream("streams", program, pair.to);
    if (pair.regex) {
      map.kernels.push_back({pair.from, to});
    } else {
      check_same_device(program, from, to);
      map.target[from] = to;
    }
  }
  return map;
}

std::vector<std::string> apply_stream_map(const StreamMap& map, program::Program& program) {
  std::vector<std::uint32_t> target = map.target;
  for (auto s = static_cast<std::uint32_t>(target.size()); s < program.streams.size(); ++s) {
    target.push_back(s);  // new ones
  }
  KernelMover mover(map, program);
  std::uint64_t separated = 0;
  for (program::HostThread& thread : program.threads) {
    separated += move_streams(thread, target);
    mover.rewrite(thread);
  }
  std::vector<std::string> notes = mover.notes();
  for (std::uint32_t s = 0; s < map.target.size(); ++s) {
    if (map.target[s] == s) continue;
    notes.push_back(fmt::format("all work of {} runs on {}", stream_label(program, s),
                                stream_label(program, map.target[s])));
  }
  if (separated > 0) notes.push_back(separated_note(separated));
  return notes;
}

}  // namespace septet::whatif
