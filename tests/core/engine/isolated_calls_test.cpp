#include "core/engine/isolated_calls.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/units.hpp"

namespace septet::engine {
namespace {

using namespace std::chrono_literals;

std::map<std::size_t, CallAnswer> answers_to(IsolatedCalls calls) {
  std::map<std::size_t, CallAnswer> out;
  calls.answer = [&](std::size_t call, const CallAnswer& answer) { out[call] = answer; };
  EXPECT_TRUE(run_isolated(calls));
  EXPECT_EQ(out.size(), calls.count);
  return out;
}

TEST(IsolatedCalls, EachIsAnsweredOnceHoweverLongTheAnswer) {
  const auto text = [](std::size_t call) { return std::string(call * 1000, 'a'); };
  for (const unsigned processes : {1U, 3U, 500U}) {
    const auto answers =
        answers_to({.count = 200, .processes = processes, .work = text, .answer = {}});
    for (const auto& [call, answer] : answers) EXPECT_EQ(answer.text, text(call));
  }
}

TEST(IsolatedCalls, OneThatTakesTooLongIsEndedAloneAndTheOthersGoOn) {
  const auto begin = std::chrono::steady_clock::now();
  const auto answers = answers_to({.count = 5,
                                   .processes = 2,
                                   .limits = {.time = 100ms},
                                   .work =
                                       [](std::size_t call) {
                                         if (call == 1) std::this_thread::sleep_for(1h);
                                         return std::string("done");
                                       },
                                   .answer = {}});
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 100ms);
  for (const auto& [call, answer] : answers) {
    EXPECT_EQ(answer.end, call == 1 ? CallEnd::kTimedOut : CallEnd::kAnswered) << call;
  }
}

TEST(IsolatedCalls, OneThatWantsMoreMemoryThanAllowedIsToldApart) {
  const auto answers = answers_to({.count = 6,
                                   .processes = 1,
                                   .limits = {.memory = parse_bytes("64 MB")},
                                   .work =
                                       [](std::size_t call) {
                                         const std::size_t bytes =
                                             call % 2 == 1 ? 128'000'000 : 16'000'000;
                                         const std::vector<char> block(bytes, 'a');
                                         return std::to_string(std::ranges::count(block, 'a'));
                                       },
                                   .answer = {}});
  for (const auto& [call, answer] : answers) {
    EXPECT_EQ(answer.end, call % 2 == 1 ? CallEnd::kOutOfMemory : CallEnd::kAnswered) << call;
  }
}

TEST(IsolatedCalls, ACrashIsTheEndOfOneCallAndNamed) {
  const auto answers = answers_to({.count = 4,
                                   .processes = 2,
                                   .work =
                                       [](std::size_t call) {
                                         if (call == 2) std::raise(SIGKILL);
                                         if (call == 3) throw std::runtime_error("a reason");
                                         return std::string("done");
                                       },
                                   .answer = {}});
  EXPECT_EQ(answers.at(1).end, CallEnd::kAnswered);
  EXPECT_EQ(answers.at(2).end, CallEnd::kDied);
  EXPECT_EQ(answers.at(2).text, "was ended by Killed");
  EXPECT_EQ(answers.at(3).text, "a reason");
}

TEST(IsolatedCalls, StopsInTheMiddleOfACall) {
  bool asked = false;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(run_isolated({.count = 2,
                             .processes = 1,
                             .work =
                                 [](std::size_t) {
                                   std::this_thread::sleep_for(1h);
                                   return std::string();
                                 },
                             .answer = [](std::size_t, const CallAnswer&) { FAIL(); },
                             .stop = [&] { return std::exchange(asked, true); }}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1min);
}

}  // namespace
}  // namespace septet::engine
