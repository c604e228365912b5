#include "tools/septet/interrupt.hpp"

#include <csignal>

#include <gtest/gtest.h>

namespace septet::command {
namespace {

// Each runs in a process of its own ("death test"), because a signal is remembered for good.
[[noreturn]] void leave(bool seen) { std::_Exit(seen ? 10 : 11); }

TEST(InterruptDeathTest, EndsAtOnceWithoutAGuard) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        std::raise(SIGTERM);
        leave(false);
      },
      testing::ExitedWithCode(75), "septet: interrupted");
}

TEST(InterruptDeathTest, IsOnlyRememberedInsideAGuard) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        const InterruptGuard guard;
        std::raise(SIGINT);
        leave(interrupted());
      },
      testing::ExitedWithCode(10), "");
}

TEST(InterruptDeathTest, EndsAtOnceAtTheSecondSignal) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        const InterruptGuard guard;
        std::raise(SIGINT);
        std::raise(SIGINT);
        leave(false);
      },
      testing::ExitedWithCode(75), "septet: interrupted");
}

TEST(Interrupt, IsAnExceptionForThoseWhoAskForOne) {
  EXPECT_FALSE(interrupted());
  EXPECT_NO_THROW(throw_if_interrupted());
}

}  // namespace
}  // namespace septet::command
