#include "tools/septet/interrupt.hpp"

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/files/staged_path.hpp"

namespace septet::command {
namespace {

// Each runs in a process of its own ("death test"), because a signal is remembered for good.
[[noreturn]] void leave(bool seen) { std::_Exit(seen ? 10 : 11); }

TEST(InterruptDeathTest, EndsAtOnceWithoutAGuard) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        std::raise(SIGTERM);
        wait_if_ending();
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
        wait_if_ending();
        leave(false);
      },
      testing::ExitedWithCode(75), "septet: interrupted");
}

TEST(InterruptDeathTest, RemovesWhatWasMadeAside) {
  const std::filesystem::path target = std::filesystem::path(testing::TempDir()) / "interrupted";
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        const files::StagedPath staged(target, files::StagedPath::Kind::kFolder);
        std::raise(SIGHUP);
        wait_if_ending();
        leave(false);
      },
      testing::ExitedWithCode(75), "septet: interrupted");
  for (const auto& entry : std::filesystem::directory_iterator(target.parent_path())) {
    EXPECT_FALSE(files::is_staged_name(entry.path().filename(), "interrupted")) << entry.path();
  }
}

TEST(Interrupt, IsAnExceptionForThoseWhoAskForOne) {
  EXPECT_FALSE(interrupted());
  EXPECT_NO_THROW(throw_if_interrupted());
}

}  // namespace
}  // namespace septet::command
