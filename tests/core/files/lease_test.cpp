#include "core/files/lease.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/files/file_error.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr LeaseTiming kFast{20ms, 200ms};

// Of another machine, where the process ids of this one mean nothing.
LeaseOwner elsewhere(const std::string& host, std::int64_t process) {
  return {host, "boot of " + host, process, 1};
}

class LeaseFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    target_ = folder_ / "journal";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string refusal(const LeaseOwner& owner) const {
    try {
      const Lease second(target_, {}, kFast, owner);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  // What a process leaves that is killed: its file, and a count that stands still.
  void leave_behind(const LeaseOwner& owner) const {
    { const Lease ended(target_, {}, kFast, owner); }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      std::ofstream(entry.path()) << owner.host << "\n"
                                  << owner.machine << "\n"
                                  << owner.process << " " << owner.started << "\n7 held\n";
    }
  }

  fs::path folder_;
  fs::path target_;
};

TEST_F(LeaseFolder, ATwinOnAnotherHostIsRefusedWhileTheHolderLives) {
  const Lease holder(target_, {}, kFast, elsewhere("node1", 11));
  EXPECT_NE(refusal(elsewhere("node2", 22)).find("process 11 on node1 is writing"),
            std::string::npos);
}

TEST_F(LeaseFolder, ATwinOnTheSameHostIsRefusedAtOnce) {
  const Lease holder(target_, {}, {20ms, 1h});
  EXPECT_NE(refusal(this_owner()).find("is writing"), std::string::npos);
}

TEST_F(LeaseFolder, IsFreeOnceReleased) {
  { const Lease first(target_, {}, {20ms, 1h}, elsewhere("node1", 11)); }
  bool waited = false;
  const Lease second(
      target_, [&](const std::string&) { waited = true; }, {20ms, 1h}, elsewhere("node2", 22));
  EXPECT_FALSE(waited);
}

TEST_F(LeaseFolder, ALostHolderIsFollowedAfterItsExpiry) {
  leave_behind(elsewhere("node1", 11));
  std::string said;
  const auto begin = std::chrono::steady_clock::now();
  const Lease second(
      target_, [&](const std::string& text) { said = text; }, kFast, elsewhere("node2", 22));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, kFast.expiry);
  EXPECT_NE(said.find("process 11 on node1"), std::string::npos);
}

TEST_F(LeaseFolder, AHolderOfThisMachineWhoseProcessIsGoneIsFollowedAtOnce) {
  LeaseOwner gone = this_owner();
  gone.started += 1;  // the id is that of another process now
  leave_behind(gone);
  const Lease second(target_, {}, {20ms, 1h});
  EXPECT_NE(refusal(this_owner()).find("is writing"), std::string::npos);
}

TEST_F(LeaseFolder, AHolderThatWasStoppedForTooLongMustNotWrite) {
  Lease holder(target_, {}, kFast, elsewhere("node1", 11));
  std::this_thread::sleep_for(2 * kFast.beat);
  EXPECT_NO_THROW(holder.check());
  std::ofstream(folder_ / ".journal.lease-2") << "what another process makes that takes over";
  std::this_thread::sleep_for(2 * kFast.beat);
  EXPECT_THROW(holder.check(), FileError);
}

TEST_F(LeaseFolder, OfManyThatWaitForALostHolderOneGetsIt) {
  leave_behind(elsewhere("node1", 11));
  std::atomic<int> holders{0};
  std::vector<std::thread> waiting;
  std::atomic<bool> done{false};
  for (int i = 0; i < 8; ++i) {
    waiting.emplace_back([&, i] {
      try {
        const Lease mine(target_, {}, kFast, elsewhere("node" + std::to_string(2 + i), 22));
        ++holders;
        while (!done) std::this_thread::sleep_for(1ms);
      } catch (const FileError&) {
      }
    });
  }
  std::this_thread::sleep_for(4 * kFast.expiry);
  EXPECT_EQ(holders, 1);
  done = true;
  for (std::thread& thread : waiting) thread.join();
}

}  // namespace
}  // namespace septet::files
