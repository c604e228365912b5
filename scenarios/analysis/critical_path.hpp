// The chain of work that determined the end of a run: each link could not start before the previous
// one had ended. Found by walking back from the last activity along the recorded wait causes. From
// a collective that waited, the walk continues at its last rank; if that rank has no rows, at what
// the waiting GPU itself had finished when that rank arrived.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::analysis {

enum class LinkKind : std::uint8_t {
  kKernel,
  kCopy,
  kLaunchLatency,
  kDependency,
  kSmResources,
  kApiCall,
  kHostWork,
  kSynchronization,
  kCommunication,    // a collective moves data
  kWaitingForRanks,  // and waits for a rank without rows
  kUnrecorded
};
constexpr auto enum_table(std::type_identity<LinkKind>) {
  return enum_texts<LinkKind>("kernel", "copy", "launch latency", "dependency", "SM resources",
                              "api call", "host work", "synchronization", "communication",
                              "waiting for ranks", "unrecorded");
}

struct PathLink {
  LinkKind kind = LinkKind::kKernel;
  Instant begin, end;
  std::int32_t name = -1;  // code of a kernel or collective, copy kind or call code, by kind
};

// From the first link to the last; the links do not overlap.
std::vector<PathLink> critical_path(const RunRows& rows);

}  // namespace septet::analysis
