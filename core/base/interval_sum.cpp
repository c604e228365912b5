#include "core/base/interval_sum.hpp"

#include <algorithm>

namespace septet {
namespace {

struct Change {
  Instant at;
  double by = 0;
  int open = 0;  // +1: an interval starts, -1: one ends
};

}  // namespace

std::vector<ValueStep> interval_sum(const std::vector<ValuedInterval>& intervals) {
  std::vector<Change> changes;
  for (const ValuedInterval& one : intervals) {
    if (one.end <= one.start) continue;
    changes.push_back({one.start, one.value, 1});
    changes.push_back({one.end, -one.value, -1});
  }
  std::ranges::stable_sort(changes, {}, &Change::at);
  std::vector<ValueStep> out;
  double value = 0;
  int open = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    value += changes[i].by;
    open += changes[i].open;
    if (open == 0) value = 0;  // no rest of rounded numbers
    if (i + 1 < changes.size() && changes[i + 1].at == changes[i].at) continue;
    if (value != (out.empty() ? 0 : out.back().value)) out.push_back({changes[i].at, value});
  }
  return out;
}

}  // namespace septet
