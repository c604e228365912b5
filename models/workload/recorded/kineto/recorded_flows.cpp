#include "models/workload/recorded/kineto/recorded_flows.hpp"

namespace septet {

bool FlowMatcher::add(std::uint64_t id, bool start, const FlowEnd& end) {
  Waiting& others = start ? ends_ : starts_;
  if (const auto other = others.find(id); other != others.end()) {
    pairs_.push_back({id, start ? end : other->second, start ? other->second : end});
    others.erase(other);
    return true;
  }
  return (start ? starts_ : ends_).insert_or_assign(id, end).second;
}

}  // namespace septet
