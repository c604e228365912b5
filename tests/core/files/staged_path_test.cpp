#include "core/files/staged_path.hpp"

#include <chrono>
#include <thread>

#include "tests/core/files/temporary_folder.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;
using Kind = StagedPath::Kind;
using StagedPathTest = InTemporaryFolder;

TEST_F(StagedPathTest, HasANameOfItsOwnBesideTheTarget) {
  const StagedPath one(in("a"), Kind::kFile);
  const StagedPath two(in("a"), Kind::kFolder);
  EXPECT_NE(one.path(), two.path());
  for (const StagedPath* staged : {&one, &two}) {
    EXPECT_EQ(staged->path().parent_path(), in("a").parent_path());
    EXPECT_TRUE(is_staged_name(staged->path().filename(), "a"));
  }
  EXPECT_FALSE(fs::exists(in("a")));
}

TEST_F(StagedPathTest, VanishesUnlessItIsPublished) {
  {
    const StagedPath staged(in("a"), Kind::kFolder);
    put(staged.path() / "inner" / "file", "text");
  }
  EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(StagedPathTest, AFolderReplacesAnEarlierOneWhole) {
  put(in("a") / "old", "old");
  StagedPath staged(in("a"), Kind::kFolder);
  put(staged.path() / "new", "new");
  EXPECT_EQ(names(in("a")), std::set<std::string>{"old"});
  staged.publish();
  EXPECT_EQ(names(), std::set<std::string>{"a"});
  EXPECT_EQ(names(in("a")), std::set<std::string>{"new"});
}

TEST_F(StagedPathTest, AFolderAppearsWhereThereWasNone) {
  StagedPath staged(in("a"), Kind::kFolder);
  staged.publish();
  EXPECT_EQ(names(), std::set<std::string>{"a"});
}

TEST_F(StagedPathTest, TakesOverThePermissionsOfWhatItReplaces) {
  put(in("a"), "old");
  fs::permissions(in("a"), fs::perms::owner_read | fs::perms::owner_write);
  StagedPath staged(in("a"), Kind::kFile);
  staged.publish();
  EXPECT_EQ(content(in("a")), "");
  EXPECT_EQ(fs::status(in("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(StagedPathTest, AResultThatCannotTakeItsPlaceStaysWhereItIs) {
  StagedPath staged(in("a"), Kind::kFile);
  put(staged.path(), "result");
  const fs::path aside = staged.path();
  put(in("a") / "in the way", "text");
  const std::string text = error_of([&] { staged.publish(); });
  EXPECT_EQ(text, in("a").string() + ": cannot be replaced by the result, which is in " +
                      aside.string() + ": Is a directory");
  EXPECT_EQ(content(aside), "result");
}

TEST_F(StagedPathTest, AFolderThatIsMissingIsNamed) {
  EXPECT_EQ(error_of([&] { const StagedPath staged(in("none") / "a", Kind::kFile); }),
            (in("none") / "a").string() + ": cannot be created: No such file or directory");
}

TEST_F(StagedPathTest, NamesOfOthersAreNotTakenForStagedOnes) {
  EXPECT_TRUE(is_staged_name("a.part-Ab3xYz", "a"));
  for (const char* name : {"a", "a.part-", "a.part-Ab3xY", "a.part-Ab3xYzz", "b.part-Ab3xYz"}) {
    EXPECT_FALSE(is_staged_name(name, "a")) << name;
  }
}

TEST_F(StagedPathTest, LinksAndSlashesAtTheEndAreResolved) {
  fs::create_directory(in("real"));
  fs::create_directory_symlink(in("real"), in("link"));
  EXPECT_EQ(resolved(in("link")), in("real"));
  EXPECT_EQ(resolved(in("link") / "new" / ""), in("real") / "new");
}

// In a process of its own, since nothing can be staged afterwards.
using StagedPathDeathTest = InTemporaryFolder;

TEST_F(StagedPathDeathTest, AbandoningRemovesAllThatIsStagedWhileOthersWrite) {
  EXPECT_EXIT(
      {
        const StagedPath folder(in("a"), Kind::kFolder);
        const StagedPath file(in("b"), Kind::kFile);
        std::jthread writer([&](const std::stop_token& stop) {
          for (int i = 0; i < 100'000 && !stop.stop_requested(); ++i) {
            std::ofstream(folder.path() / std::to_string(i)) << i;
          }
        });
        abandon_staged();
        std::_Exit(names().empty() ? 10 : 11);
      },
      testing::ExitedWithCode(10), "");
}

TEST_F(StagedPathDeathTest, WhoeverPublishesWhileAllIsAbandonedWaits) {
  EXPECT_EXIT(
      {
        StagedPath staged(in("a"), Kind::kFile);
        abandon_staged();
        std::thread([&] { staged.publish(); }).detach();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::_Exit(names().empty() ? 10 : 11);
      },
      testing::ExitedWithCode(10), "");
}

}  // namespace
}  // namespace septet::files
