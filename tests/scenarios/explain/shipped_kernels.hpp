// The example kernels that ship with Septet, on the default GPU.
#pragma once

#include <string>

#include "scenarios/explain/kernel_file.hpp"

namespace septet::testing {

inline constexpr const char* kShippedKernels[] = {"vector-add", "transpose-conflicts",
                                                  "register-heavy-fma"};

inline const config::ProfileLibrary& shipped_profiles() {
  static const config::ProfileLibrary library({std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
  return library;
}

inline explain::ExplainQuestion shipped_kernel(const std::string& name,
                                               const std::vector<std::string>& settings = {}) {
  return explain::read_kernel_file(
      std::string(SEPTET_SOURCE_DIRECTORY) + "/scenarios/shipped/kernels/" + name + ".toml", "",
      settings, shipped_profiles());
}

}  // namespace septet::testing
