#include "core/base/error_parts.hpp"

#include <gtest/gtest.h>

namespace septet {
namespace {

TEST(ErrorParts, AreThoseThatTheErrorWasMadeOf) {
  const ConfigError error = ConfigError::value({"a.toml", 3}, "kernel.'a: b'.grid", "\"2, 3\"",
                                               "a number, wanted or not");
  const ErrorParts parts = parts_of(error.reason());
  EXPECT_EQ(parts.key, "kernel.'a: b'.grid");
  EXPECT_EQ(parts.got, "\"2, 3\"");
  EXPECT_EQ(parts.wanted, "a number, wanted or not");
}

TEST(ErrorParts, AreEmptyForOtherMessages) {
  for (const char* message : {"no table [serving]", "grid: got 3", "", "grid: wanted 3"}) {
    EXPECT_EQ(parts_of(message).key, "");
    EXPECT_EQ(parts_of(message).wanted, "");
  }
}

}  // namespace
}  // namespace septet
