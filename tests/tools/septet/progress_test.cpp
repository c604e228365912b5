#include "tools/septet/progress.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace septet::command {
namespace {

// What a Progress writes under a clock that the test moves.
struct Watched {
  explicit Watched(const Terminal& terminal)
      : progress(
            "replay", terminal, [this] { return now; },
            [this](const std::string& text) { written.push_back(text); }) {}

  void update(double at, double fraction) {
    now = at;
    progress.update(fraction);
  }

  double now = 100;
  std::vector<std::string> written;
  Progress progress;
};

TEST(Progress, WritesAPlainLineEvery30SecondsToALog) {
  Watched watched({.interactive = false, .color = false, .columns = 80});
  watched.update(129.9, 0.1);
  EXPECT_TRUE(watched.written.empty());
  watched.update(130, 0.25);
  watched.update(159.9, 0.3);
  ASSERT_EQ(watched.written.size(), 1U);
  // A quarter in 30 s: three quarters take three times as long.
  EXPECT_EQ(watched.written[0], "replay: 25 % done after 30.0 s, about 1 min 30 s left\n");
}

TEST(Progress, DrawsABarAtMostTenTimesASecondOnATerminal) {
  Watched watched({.interactive = true, .color = true, .columns = 60});
  watched.update(100.05, 0.1);
  EXPECT_TRUE(watched.written.empty());
  for (int i = 0; i < 1000; ++i) watched.update(100.125 + i * 0.001, 0.1);
  // 1 s at ten a second, and one for the beginning.
  EXPECT_GE(watched.written.size(), 9U);
  EXPECT_LE(watched.written.size(), 11U);
  EXPECT_EQ(watched.written[0].front(), '\r');
}

TEST(Progress, ErasesItsBarAtTheEnd) {
  std::vector<std::string> written;
  double now = 0;
  {
    Progress progress(
        "x", {.interactive = true, .color = false, .columns = 60}, [&] { return now; },
        [&](const std::string& text) { written.push_back(text); });
    now = 1;
    progress.update(0.5);
  }
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[1], "\r\x1b[K");
}

TEST(ProgressBar, FillsTheShareThatIsDone) {
  // 14 + 16 characters of text and 4 of frame leave 40 cells and more: the bar has its widest, 40.
  EXPECT_EQ(progress_bar("replay", 0.25, 2, 120),
            "replay  25 % [" + std::string(10, '#') + std::string(30, '-') + "] 2.0 s, 6.0 s left");
}

TEST(ProgressBar, NeverExceedsTheLine) {
  for (std::size_t columns = 1; columns < 120; ++columns) {
    EXPECT_LE(progress_bar("a rather long label", 0.5, 4000, columns).size(), columns);
  }
}

TEST(ProgressBar, EstimatesNothingBeforeOnePercent) {
  EXPECT_EQ(progress_bar("x", 0.0099, 5, 200).find("left"), std::string::npos);
  EXPECT_NE(progress_bar("x", 0.01, 5, 200).find("left"), std::string::npos);
  EXPECT_EQ(progress_line("x", 1, 5), "x: 100 % done after 5.0 s");
}

}  // namespace
}  // namespace septet::command
