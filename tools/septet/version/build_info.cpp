#include "tools/septet/version/build_info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <septet_commit.hpp>

namespace septet::command {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

const BuildInfo& build_info() {
  static const BuildInfo kInfo{SEPTET_VERSION, SEPTET_COMMIT, SEPTET_COMMIT_DATE, compiler(),
                               SEPTET_BUILD_TYPE};
  return kInfo;
}

std::string version_and_commit() {
  return build_info().version + " (commit " + build_info().commit + ")";
}

std::string build_text() { return "septet " + version_and_commit(); }

std::string version_text() {
  return fmt::format("{}\ncompiler: {}, {}\nlibraries: {}", version_and_commit(),
                     build_info().compiler, build_info().build_type,
                     fmt::join(library_versions(), ", "));
}

}  // namespace septet::command
