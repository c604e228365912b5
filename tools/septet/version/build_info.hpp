// Which Septet this is.
#pragma once

#include <string>
#include <vector>

namespace septet::command {

struct BuildInfo {
  std::string version;   // "0.1.0"
  std::string commit;    // of git, 12 digits, "+" behind it where files had been changed; "unknown"
  std::string date;      // of the commit, "2026-12-01"; empty where it is unknown
  std::string compiler;  // "GCC 12.2.0"
  std::string build_type;  // "Release"
};

const BuildInfo& build_info();

// "Boost 1.74.0", ...: by name.
std::vector<std::string> library_versions();

// "0.1.0 (commit 0123456789ab)"
std::string version_and_commit();

// "septet 0.1.0 (commit 0123456789ab)"
std::string build_text();

// The same without the name, and on lines of their own compiler and libraries.
std::string version_text();

}  // namespace septet::command
