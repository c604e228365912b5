// scenarios/WHATIFS.md describes the what-ifs that there are.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/whatif/what_if.hpp"

namespace septet::whatif {
namespace {

TEST(WhatIfReference, HasASectionForEachAndForNothingElse) {
  std::vector<std::string> described;
  std::ifstream file(std::string(SEPTET_SOURCE_DIR) + "/scenarios/WHATIFS.md");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("### `")) described.push_back(line.substr(5, line.size() - 6));
  }
  std::vector<std::string> known;
  for (const WhatIfKind& kind : what_if_kinds()) known.push_back(kind.name + kind.value);
  std::sort(described.begin(), described.end());
  std::sort(known.begin(), known.end());
  EXPECT_EQ(described, known);
}

}  // namespace
}  // namespace septet::whatif
