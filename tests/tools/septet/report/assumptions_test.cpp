#include "tools/septet/report/assumptions.hpp"

#include <gtest/gtest.h>

namespace septet::command {
namespace {

TEST(Assumptions, HaveKeyValueSourceAndOrigin) {
  const std::vector<Assumption> all = assumptions_of(
      "# Resolved configuration.\n"
      "description = \"a  # b\"  # s.toml:1\n"
      "\n[engine]\n"
      "max_num_seqs = { value = 256, source = \"vLLM, arg_utils\" }  # engine.toml:7\n"
      "overlapped = true  # --set\n"
      "\n[arrivals.input]\ntokens = 500  # s.toml:9\n");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].key, "description");
  EXPECT_EQ(all[0].value, "\"a  # b\"");
  EXPECT_EQ(all[0].origin, "s.toml:1");
  EXPECT_EQ(all[1].key, "engine.max_num_seqs");
  EXPECT_EQ(all[1].value, "256");
  EXPECT_EQ(all[1].source, "vLLM, arg_utils");
  EXPECT_EQ(all[2].value, "true");
  EXPECT_EQ(all[2].source, "");
  EXPECT_EQ(all[2].origin, "--set");
  EXPECT_EQ(all[3].key, "arrivals.input.tokens");
}

}  // namespace
}  // namespace septet::command
