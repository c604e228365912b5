#include "scenarios/system/deadlock.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace septet::system {
namespace {

using Helps = std::function<bool(const program::HostThread&, const program::Call&)>;

class WaitGraph {
 public:
  WaitGraph(const program::Program& program, std::vector<program::Waiting> waiting,
            const std::vector<program::QueueState>& queues,
            const std::vector<program::IncompleteCollective>& collectives)
      : program_(program) {
    for (program::Waiting& one : waiting) parties_.emplace(one.who, std::move(one));
    for (std::uint32_t q = 0; q < queues.size(); ++q) add(queue(q, queues[q]));
    for (std::uint32_t s = 0; s < program.signals; ++s) add(signal(s));
    for (const program::IncompleteCollective& one : collectives) add(incomplete(one));
  }

  // The first party of each chain that has to be told: threads, then streams on which none waits.
  std::vector<program::Party> heads() const {
    std::vector<program::Party> out;
    for (const auto& [party, waiting] : parties_) {
      if (party.kind == program::PartyKind::kThread || party.kind == program::PartyKind::kStream) {
        out.push_back(party);
      }
    }
    return out;
  }

  // From `from` along waits to a party already on the path, or to one that nothing can unblock. A
  // path that ends in a cycle is preferred, since that must be broken.
  std::vector<program::Party> chain(const program::Party& from) const {
    std::vector<program::Party> way{from};
    std::set<program::Party> seen{from};
    if (circle(way, seen)) return way;
    way = {from};
    seen = {from};
    while (true) {
      const std::vector<program::Party>& on = parties_.at(way.back()).on;
      const auto next = std::find_if(on.begin(), on.end(), [&](const program::Party& party) {
        return parties_.count(party) > 0 && seen.insert(party).second;
      });
      if (next == on.end()) return way;
      way.push_back(*next);
    }
  }

  const program::Waiting& at(const program::Party& party) const { return parties_.at(party); }

 private:
  // Several pairs of ranks may wait in one communicator.
  void add(program::Waiting waiting) {
    const auto [known, fresh] = parties_.try_emplace(waiting.who, waiting);
    if (fresh) return;
    known->second.what += "\n  " + waiting.what;
    known->second.on.insert(known->second.on.end(), waiting.on.begin(), waiting.on.end());
  }

  // Depth-first search until the path closes a cycle; leaves the path unchanged if it never does.
  bool circle(std::vector<program::Party>& way, std::set<program::Party>& seen) const {
    for (const program::Party& party : parties_.at(way.back()).on) {
      if (parties_.count(party) == 0) continue;
      const bool back = std::find(way.begin(), way.end(), party) != way.end();
      if (!back && !seen.insert(party).second) continue;
      way.push_back(party);
      if (back || circle(way, seen)) return true;
      way.pop_back();
    }
    return false;
  }

  // The threads that would still make a call that helps, and which call.
  std::string helpers(const Helps& helps, const char* verb, std::vector<program::Party>& on) const {
    std::string text;
    for (const auto& [party, waiting] : parties_) {
      if (party.kind != program::PartyKind::kThread) continue;
      const program::HostThread& thread = program_.threads[party.index];
      const std::span<const program::Call> calls = calls_of(program_, thread);
      const auto from = calls.begin() + static_cast<std::ptrdiff_t>(waiting.call);
      const auto call = std::find_if(from, calls.end(),
                                     [&](const program::Call& one) { return helps(thread, one); });
      if (call == calls.end()) continue;
      on.push_back(party);
      text += fmt::format("{}{} would {} in call {}", text.empty() ? "" : ", ",
                          thread_text(program_, party.index), verb, call - calls.begin());
    }
    return text;
  }

  program::Waiting queue(std::uint32_t index, const program::QueueState& state) const {
    program::Waiting out;
    out.who = {program::PartyKind::kQueue, index};
    out.what = queue_text(program_, index);
    if (state.held == 0) {
      const auto pushes = [&](const program::HostThread&, const program::Call& call) {
        const auto* push = program::get_if<program::PushItem>(call);
        return push != nullptr && push->queue == index;
      };
      const std::string who = helpers(pushes, "push the next one", out.on);
      out.what += " holds no item; " + (who.empty() ? "nothing will push another one" : who);
      return out;
    }
    out.what += fmt::format(" holds {} that no block takes", program::counted(state.held, "item"));
    if (state.server != kNone) {
      out.on.push_back({program::PartyKind::kStream, state.server});
      return out;
    }
    const auto serves = [&](const program::HostThread&, const program::Call& call) {
      const std::vector<std::uint32_t> queues = queues_served(program_, call);
      return std::find(queues.begin(), queues.end(), index) != queues.end();
    };
    const std::string who = helpers(serves, "launch its kernel", out.on);
    out.what += "; " + (who.empty() ? "nothing will launch its kernel" : who);
    return out;
  }

  program::Waiting signal(std::uint32_t index) const {
    program::Waiting out;
    out.who = {program::PartyKind::kSignal, index};
    const auto posts = [&](const program::HostThread&, const program::Call& call) {
      const auto* post = program::get_if<program::Post>(call);
      return post != nullptr && post->signal == index;
    };
    const std::string who = helpers(posts, "post it", out.on);
    out.what =
        signal_text(program_, index) + ": " + (who.empty() ? "nothing will post it again" : who);
    return out;
  }

  // Ranks, at most eight of them by number: "ranks 0, 3 and 5", "rank 2".
  static std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
    constexpr std::size_t kMost = 8;
    std::string text = ranks.size() == 1 ? "rank" : "ranks";
    for (std::size_t i = 0; i < std::min(kMost, ranks.size()); ++i) {
      const bool last = i > 0 && i + 1 == ranks.size();
      text += fmt::format("{} {}", i == 0 ? "" : last ? " and" : ",", ranks[i]);
    }
    if (ranks.size() > kMost) text += fmt::format(" and {} more", ranks.size() - kMost);
    return text;
  }

  // Whether a thread's call is one of `communicator`'s on `device`, alone or in a graph.
  bool joins(const program::HostThread& thread, const program::Call& call,
             std::uint32_t communicator, std::uint32_t device) const {
    if (!uses_stream(call.kind())) return false;
    if (program_.streams[stream_of(thread, call)].device != device) return false;
    const auto of = [&](std::uint32_t collective) {
      return communicator_of(thread, program_.collectives[collective]) == communicator;
    };
    if (const auto* join = program::get_if<program::JoinCollective>(call))
      return of(join->collective);
    const auto* launch = program::get_if<program::LaunchGraph>(call);
    if (launch == nullptr) return false;
    const std::vector<program::GraphNode>& nodes = program_.graphs[launch->graph].nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const program::GraphNode& node) {
      const auto* join = program::get_if<program::JoinCollective>(node);
      return join != nullptr && of(join->collective);
    });
  }

  // The streams of `device` that hold work and carry collectives of `communicator`.
  void add_streams(std::uint32_t communicator, std::uint32_t device,
                   std::vector<program::Party>& on) const {
    for (const auto& entry : parties_) {
      const program::Party& party = entry.first;
      if (party.kind != program::PartyKind::kStream) continue;
      if (program_.streams[party.index].device != device) continue;
      const bool carries =
          std::any_of(program_.threads.begin(), program_.threads.end(), [&](const auto& thread) {
            const std::span<const program::Call> calls = calls_of(program_, thread);
            return std::any_of(calls.begin(), calls.end(), [&](const program::Call& call) {
              return joins(thread, call, communicator, device) &&
                     stream_of(thread, call) == party.index;
            });
          });
      if (carries) on.push_back(party);
    }
  }

  // Of the missing ranks only the first is followed.
  program::Waiting incomplete(const program::IncompleteCollective& collective) const {
    const std::uint32_t index = collective.communicator;
    const program::Communicator& communicator = program_.communicators[index];
    const std::uint32_t rank = collective.missing.front();
    const std::uint32_t device = communicator.devices[rank];
    program::Waiting out;
    out.who = {program::PartyKind::kCommunicator, index};
    out.what =
        fmt::format("{}: {} at position {} has {}, not {}", communicator_text(communicator, index),
                    collective.operation, collective.position, ranks_text(collective.present),
                    ranks_text(collective.missing));
    add_streams(index, device, out.on);
    if (!out.on.empty()) return out;
    const auto helps = [&](const program::HostThread& thread, const program::Call& call) {
      return joins(thread, call, index, device);
    };
    const std::string who = helpers(helps, "call it", out.on);
    out.what += who.empty() ? fmt::format("; rank {} will never call it", rank) : "; " + who;
    return out;
  }

  const program::Program& program_;
  std::map<program::Party, program::Waiting> parties_;
};

}  // namespace

std::string explain_deadlock(const program::Program& program, std::vector<program::Waiting> waiting,
                             const std::vector<program::QueueState>& queues,
                             const std::vector<program::IncompleteCollective>& collectives) {
  const WaitGraph graph(program, std::move(waiting), queues, collectives);
  std::string out;
  std::set<program::Party> told;
  for (const program::Party& head : graph.heads()) {
    if (told.count(head) > 0) continue;
    const std::vector<program::Party> chain = graph.chain(head);
    const bool circle = chain.size() > 1 &&
                        std::find(chain.begin(), chain.end() - 1, chain.back()) != chain.end() - 1;
    if (!out.empty()) out += "\n";
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const bool known = !told.insert(chain[i]).second;
      const bool closes = circle && i + 1 == chain.size();
      out += fmt::format("  {}{}\n", graph.at(chain[i]).what, closes ? " (a cycle)" : "");
      if (known && !closes) break;  // the rest was told before
    }
  }
  if (!out.empty()) out.pop_back();  // a message ends without an end of line
  return out;
}

}  // namespace septet::system
