#include "scenarios/whatif/what_if.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/whatif/recorded_program.hpp"

namespace septet::test {
namespace {

program::Program one_kernel() {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(0, 0, 4_us, 10_us);
  recorded.synchronize_device();
  return recorded.program;
}

TEST(WhatIf, ChangesAreAppliedFromLeftToRight) {
  // 1 launch, 3, 10, 2; halved by the host: 0.5, 3, 10, 1.5. The other way round the launch is 1.
  EXPECT_EQ(span_of(one_kernel(), "launch-cost=1 us + host-speed=2"), 15_us);
  EXPECT_EQ(span_of(one_kernel(), "host-speed=2 + launch-cost=1 us"), 15'500_ns);
}

TEST(WhatIf, EachChangeLeavesANote) {
  EXPECT_EQ(changed(one_kernel(), "connections=2 + host-speed=2").notes.size(), 2U);
}

TEST(WhatIf, AnUnknownNameIsAnErrorWithNearMisses) {
  EXPECT_EQ(error_of(one_kernel(), "conections=3"),
            "unknown what-if 'conections' (did you mean 'connections'?)");
  EXPECT_TRUE(error_of(one_kernel(), "zzz").starts_with("unknown what-if 'zzz'; there are: "));
}

TEST(WhatIf, AValueWhereNoneBelongsAndAMissingOneAreErrors) {
  for (const whatif::WhatIfKind& kind : whatif::what_if_kinds()) {
    if (kind.value.empty()) {
      EXPECT_EQ(error_of(one_kernel(), kind.name + "=3"),
                "what-if " + kind.name + ": got '3', wanted no value");
    } else if (kind.value.starts_with("=")) {
      const std::string wanted = "what-if " + kind.name + ": got no value, wanted " + kind.name;
      EXPECT_EQ(error_of(one_kernel(), kind.name), wanted + kind.value);
      EXPECT_EQ(error_of(one_kernel(), kind.name + "="), wanted + kind.value);
    }
  }
}

TEST(WhatIf, AFactorIsANumberAboveZero) {
  for (const char* value : {"0", "-1", "fast", "2x", "nan", "inf"}) {
    EXPECT_EQ(error_of(one_kernel(), std::string("host-speed=") + value),
              std::string("what-if host-speed: got '") + value +
                  "', wanted a number from 0.000001 to 1000000");
  }
}

}  // namespace
}  // namespace septet::test
