// Which calls are launches.
#pragma once

#include "models/program/program.hpp"

namespace septet {

// Whether calls of this kind start work on a GPU that ends by itself.
constexpr bool is_launch(CallKind kind) {
  switch (kind) {
    case CallKind::kLaunchKernel:
    case CallKind::kLaunchGraph:
    case CallKind::kCopy:
    case CallKind::kFill:
    case CallKind::kCollective:
      return true;
    default:
      return false;
  }
}

}  // namespace septet
