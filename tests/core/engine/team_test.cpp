#include "core/engine/team.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace septet {
namespace {

TEST(Team, DoesEveryJobOnceInEveryRun) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Team team(threads, 37);
    std::vector<std::atomic<int>> done(37);
    const Team::Job job = [&](std::size_t index) {
      // Long enough for runs to be shared, and of a work that changes the order of the jobs.
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      return static_cast<std::uint64_t>(done[index].fetch_add(1)) * (index % 5);
    };
    team.gather([&] {
      for (int run = 0; run < 30; ++run) team.run(job);
    });
    for (const auto& count : done) EXPECT_EQ(count.load(), 30);
  }
}

TEST(Team, UsesTheThreadsThatItWasGiven) {
  // Two jobs that wait for one another end only where two threads do them. The first runs are
  // short, and so are done by the caller alone.
  Team team(2, 2);
  std::atomic<int> arrived{0};
  bool wait = false;
  const Team::Job job = [&](std::size_t) -> std::uint64_t {
    if (!wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    }
    return 1;
  };
  team.gather([&] {
    team.run(job);
    wait = true;
    team.run(job);
  });
  EXPECT_EQ(arrived.load(), 2);
}

}  // namespace
}  // namespace septet
