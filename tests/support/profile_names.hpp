// The profiles that there are, as messages list them: a new one changes no test.
#pragma once

#include <string>

#include "scenarios/config/hardware/profile.hpp"

namespace septet {

inline std::string names_of(const config::ProfileLibrary& library, config::ProfileKind kind) {
  std::string out;
  for (const config::Profile& profile : library.all()) {
    if (profile.kind == kind) out += (out.empty() ? "" : ", ") + profile.name;
  }
  return out;
}

inline std::string gpu_names(const config::ProfileLibrary& library) {
  return names_of(library, config::ProfileKind::kGpu);
}
inline std::string host_names(const config::ProfileLibrary& library) {
  return names_of(library, config::ProfileKind::kHost);
}

}  // namespace septet
