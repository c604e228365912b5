#include <algorithm>

#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {
namespace {

class Sequence {
 public:
  explicit Sequence(const std::vector<HostCall>& calls) : calls_(calls) {}

  void add(std::uint32_t call, Counts& anomalies) {
    const HostCall& entered = calls_[call];
    while (!open_.empty() && end_of(open_.back()) <= entered.begin) close(end_of(open_.back()));
    while (!open_.empty() && end_of(open_.back()) < entered.end) {
      ++anomalies["calls of one thread that overlap"];
      close(entered.begin);
    }
    if (!open_.empty() && entered.begin > cursor_) {
      pieces_.push_back({open_.back(), cursor_, entered.begin, false});
    }
    cursor_ = std::max(cursor_, entered.begin);
    open_.push_back(call);
  }

  std::vector<HostPiece> finish() {
    while (!open_.empty()) close(end_of(open_.back()));
    return std::move(pieces_);
  }

 private:
  Instant end_of(std::uint32_t call) const { return calls_[call].end; }

  void close(Instant end) {
    pieces_.push_back({open_.back(), cursor_, std::max(end, cursor_), true});
    cursor_ = std::max(end, cursor_);
    open_.pop_back();
  }

  const std::vector<HostCall>& calls_;
  std::vector<std::uint32_t> open_;
  Instant cursor_;
  std::vector<HostPiece> pieces_;
};

}  // namespace

std::vector<HostPiece> host_sequence(const std::vector<HostCall>& calls,
                                     const std::vector<std::uint32_t>& of_thread,
                                     Counts& anomalies) {
  // Of calls that begin at the same instant the longer one is the outer one.
  std::vector<std::uint32_t> order = of_thread;
  std::stable_sort(order.begin(), order.end(), [&calls](std::uint32_t a, std::uint32_t b) {
    if (calls[a].begin != calls[b].begin) return calls[a].begin < calls[b].begin;
    return calls[a].end > calls[b].end;
  });
  Sequence sequence(calls);
  for (const std::uint32_t call : order) sequence.add(call, anomalies);
  return sequence.finish();
}

}  // namespace septet::recorded
