// The profiles that there are, as messages list them: a new one changes no test.
#pragma once

#include <string>

#include "scenarios/config/hardware/profile.hpp"

namespace septet {

inline std::string names_of(const ProfileLibrary& library, ProfileKind kind) {
  std::string out;
  for (const Profile& profile : library.all()) {
    if (profile.kind == kind) out += (out.empty() ? "" : ", ") + profile.name;
  }
  return out;
}

inline std::string gpu_names(const ProfileLibrary& library) {
  return names_of(library, ProfileKind::kGpu);
}
inline std::string host_names(const ProfileLibrary& library) {
  return names_of(library, ProfileKind::kHost);
}

}  // namespace septet
