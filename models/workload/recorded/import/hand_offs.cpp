#include "models/workload/recorded/import/hand_offs.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace septet::recorded {
namespace {

constexpr Duration kShortestPause = 50_us;
// From the moment one thread falls idle to the moment the other resumes.
constexpr Duration kLongestHandOver = 2_ms;

// A stretch in which a thread paused nowhere for kShortestPause.
struct Burst {
  Instant begin;
  Instant end;
  bool work = false;  // has operators or launches; threads that only poll have none
};

class Bursts {
 public:
  Bursts(const RecordedTrace& trace, const RecordingIndex& index)
      : of_thread(index.threads.size()) {
    std::vector<bool> launches(trace.events.size());
    for (const HostCall& call : index.calls) launches[call.event] = !call.commands.empty();
    for (std::uint32_t e = 0; e < trace.events.size(); ++e) {
      const RecordedEvent& event = trace.events[e];
      const bool operation = event.kind == RecordedKind::kCpuOp;
      if (!operation && event.kind != RecordedKind::kApiCall) continue;
      const Instant begin((event.start - index.origin).count());
      add(of_thread[event.thread], begin, begin + event.duration, operation || launches[e]);
    }
  }

  std::vector<std::vector<Burst>> of_thread;

 private:
  static void add(std::vector<Burst>& bursts, Instant begin, Instant end, bool work) {
    if (bursts.empty() || begin >= bursts.back().end + kShortestPause) {
      bursts.push_back({begin, end, work});
      return;
    }
    bursts.back().end = std::max(bursts.back().end, end);
    bursts.back().work = bursts.back().work || work;
  }
};

class Finder {
 public:
  Finder(const RecordedTrace& trace, const RecordingIndex& index)
      : trace_(trace), index_(index), bursts_(trace, index) {}

  std::vector<HandOff> find() {
    for (std::uint32_t thread = 0; thread < index_.threads.size(); ++thread) {
      Instant paused;
      const std::vector<Burst>& bursts = bursts_.of_thread[thread];
      for (auto burst = bursts.begin(); burst != bursts.end(); ++burst) {
        // A call by itself may be the begin of work: Python runs between.
        const auto next = std::next(burst);
        const bool leads_to_work =
            next != bursts.end() && next->work && next->begin - burst->end <= kLongestHandOver;
        if (burst->work || leads_to_work) find_giver(thread, paused, *burst);
        paused = burst->end;
      }
    }
    return std::move(found_);
  }

 private:
  void find_giver(std::uint32_t thread, Instant paused, const Burst& resumed) {
    const std::vector<HostPiece>& pieces = index_.threads[thread];
    const auto to = std::lower_bound(
        pieces.begin(), pieces.end(), resumed.begin,
        [](const HostPiece& piece, Instant instant) { return piece.begin < instant; });
    if (to == pieces.end() || to->begin >= resumed.end) return;
    std::optional<std::uint32_t> giver;
    Instant latest = paused;
    for (std::uint32_t other = 0; other < index_.threads.size(); ++other) {
      if (other == thread || trace_.threads[other].process != trace_.threads[thread].process) {
        continue;
      }
      const std::optional<Instant> fell_idle = idle_since(other, resumed.begin);
      if (!fell_idle || *fell_idle <= latest) continue;
      latest = *fell_idle;
      giver = other;
    }
    if (giver) add(*giver, thread, static_cast<std::uint32_t>(to - pieces.begin()), resumed.begin);
  }

  // When `thread`, idle at `now`, ended its last burst of work, if that was just before.
  std::optional<Instant> idle_since(std::uint32_t thread, Instant now) const {
    const std::vector<Burst>& bursts = bursts_.of_thread[thread];
    const auto next =
        std::upper_bound(bursts.begin(), bursts.end(), now,
                         [](Instant instant, const Burst& burst) { return instant < burst.end; });
    if (next != bursts.end() && next->begin <= now + kShortestPause) return std::nullopt;
    if (next == bursts.begin()) return std::nullopt;
    const Burst& last = *std::prev(next);
    if (!last.work || now - last.end > kLongestHandOver) return std::nullopt;
    return last.end;
  }

  void add(std::uint32_t giver, std::uint32_t thread, std::uint32_t to_piece, Instant resumed) {
    const std::vector<HostPiece>& pieces = index_.threads[giver];
    const auto after = std::upper_bound(
        pieces.begin(), pieces.end(), resumed,
        [](Instant instant, const HostPiece& piece) { return instant < piece.end; });
    if (after == pieces.begin()) return;
    const auto from_piece = static_cast<std::uint32_t>(std::prev(after) - pieces.begin());
    found_.push_back({giver, from_piece, thread, to_piece});
  }

  const RecordedTrace& trace_;
  const RecordingIndex& index_;
  Bursts bursts_;
  std::vector<HandOff> found_;
};

}  // namespace

std::vector<HandOff> find_hand_offs(const RecordedTrace& trace, const RecordingIndex& index) {
  return Finder(trace, index).find();
}

}  // namespace septet::recorded
