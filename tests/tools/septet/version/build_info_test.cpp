#include "tools/septet/version/build_info.hpp"

#include <regex>

#include <gtest/gtest.h>

namespace septet::command {
namespace {

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_match(text, std::regex(pattern));
}

TEST(BuildInfo, NamesVersionAndCommit) {
  EXPECT_TRUE(matches(build_info().version, "\\d+\\.\\d+\\.\\d+"));
  const std::string& commit = build_info().commit;
  EXPECT_TRUE(matches(commit, "unknown|[0-9a-f]{12,}\\+?")) << commit;
  EXPECT_TRUE(matches(build_info().date, commit == "unknown" ? "" : "\\d{4}-\\d\\d-\\d\\d"));
  EXPECT_EQ(build_text(), "septet " + build_info().version + " (commit " + commit + ")");
}

TEST(BuildInfo, NamesEveryLibraryWithItsVersion) {
  std::vector<std::string> names;
  for (const std::string& library : library_versions()) {
    EXPECT_TRUE(matches(library, "[A-Za-z0-9+-]+ \\d+\\.\\d+(\\.\\d+)*")) << library;
    EXPECT_NE(version_text().find(library), std::string::npos);
    names.push_back(library.substr(0, library.find(' ')));
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"Boost", "fmt", "HDF5", "nlohmann-json", "oneTBB",
                                      "protozero", "RapidJSON", "SQLite", "toml++", "zlib"}));
}

TEST(BuildInfo, NamesTheCompilerThatCompiledThisTestToo) {
#if !defined(__clang__)
  EXPECT_EQ(build_info().compiler, std::string("GCC ") + __VERSION__);
#endif
}

}  // namespace
}  // namespace septet::command
