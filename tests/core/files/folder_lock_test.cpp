#include "core/files/folder_lock.hpp"

#include <csignal>

#include <sys/wait.h>

#include "tests/core/files/temporary_folder.hpp"

namespace septet::files {
namespace {

using FolderLockTest = InTemporaryFolder;

TEST_F(FolderLockTest, ASecondOneOfTheSameFolderIsRefusedAndToldWhoHasIt) {
  const FolderLock first(in("out"));
  EXPECT_TRUE(first.alone());
  const std::string text = error_of([&] { const FolderLock second(in("out")); });
  const std::string wanted = in("out").string() + ": process " + std::to_string(getpid()) + " on ";
  EXPECT_EQ(text.substr(0, wanted.size()), wanted);
  EXPECT_NE(text.find(" is writing its result there"), std::string::npos) << text;
}

TEST_F(FolderLockTest, OtherFoldersAreFree) {
  const FolderLock first(in("out"));
  const FolderLock second(in("out2"));
  EXPECT_TRUE(second.alone());
}

TEST_F(FolderLockTest, LeavesNothingAndCanBeHadAgain) {
  { const FolderLock lock(in("out")); }
  EXPECT_EQ(names(), std::set<std::string>{});
  const FolderLock again(in("out"));
  EXPECT_TRUE(again.alone());
}

TEST_F(FolderLockTest, TheFileOfAProcessThatWasKilledMeansNothing) {
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(in("out"));
    std::raise(SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(names(), std::set<std::string>{".out.lock"});
  { const FolderLock lock(in("out")); }
  EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(FolderLockTest, ALinkInItsPlaceIsNotFollowed) {
  put(in("precious"), "text");
  std::filesystem::create_symlink(in("precious"), in(".out.lock"));
  EXPECT_NE(error_of([&] { const FolderLock lock(in("out")); }).find("cannot be created"),
            std::string::npos);
  EXPECT_EQ(content(in("precious")), "text");
}

}  // namespace
}  // namespace septet::files
