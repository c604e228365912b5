#include "core/trace/trial.hpp"

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

namespace septet::trace {
namespace {

std::string end_of(const std::function<void()>& work) {
  return fatal_end_of(work, std::chrono::seconds(60));
}

TEST(Trial, ComesBackFromWorkAndFromItsExceptions) {
  EXPECT_EQ(end_of([] {}), "");
  EXPECT_EQ(end_of([] { throw std::runtime_error("nothing serious"); }), "");
}

TEST(Trial, SaysHowTheChildEnded) {
  EXPECT_EQ(end_of([] { raise(SIGSEGV); }), "Segmentation fault");
  EXPECT_EQ(end_of([] { abort(); }), "Aborted");
  EXPECT_EQ(end_of([] { _exit(0); }), "exit status 0");
}

TEST(Trial, EndsWorkThatDoesNot) {
  const auto forever = [] {
    for (;;) std::chrono::steady_clock::now();
  };
  EXPECT_EQ(fatal_end_of(forever, std::chrono::seconds(1)), "did not end within 1 s");
}

TEST(Trial, ChangesNothingHere) {
  int changed = 0;
  testing::internal::CaptureStdout();
  EXPECT_EQ(end_of([&] {
              changed = 1;
              std::puts("said by the child");
              std::fflush(stdout);
            }),
            "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(changed, 0);
}

}  // namespace
}  // namespace septet::trace
