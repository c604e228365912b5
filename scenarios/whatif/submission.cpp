#include "scenarios/whatif/submission.hpp"

namespace septet {

bool launches_work(CallKind kind) {
  return kind == CallKind::kLaunchKernel || kind == CallKind::kLaunchGraph ||
         kind == CallKind::kCopy || kind == CallKind::kFill;
}

bool submits(CallKind kind) { return uses_stream(kind) && kind != CallKind::kSynchronizeStream; }

}  // namespace septet
