#include "core/files/output_folder.hpp"

#include <csignal>

#include <sys/wait.h>

#include "tests/core/files/temporary_folder.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;
using OutputFolderTest = InTemporaryFolder;

bool known(const std::string& name) { return name == "trace" || name == "summary"; }

TEST_F(OutputFolderTest, IsReplacedAsOne) {
  put(in("out") / "summary", "old");
  OutputFolder folder(in("out"), known);
  put(folder.path() / "trace", "new");
  EXPECT_EQ(content(in("out") / "summary"), "old");
  folder.publish();
  EXPECT_EQ(names(in("out")), std::set<std::string>{"trace"});
}

TEST_F(OutputFolderTest, LeavesTheEarlierOneWhereItIsNotPublished) {
  put(in("out") / "summary", "old");
  { const OutputFolder folder(in("out"), known); }
  EXPECT_EQ(names(), std::set<std::string>{"out"});
  EXPECT_EQ(content(in("out") / "summary"), "old");
}

TEST_F(OutputFolderTest, MakesTheFoldersAboveIt) {
  OutputFolder folder(in("a") / "b" / "out" / "", known);
  folder.publish();
  EXPECT_TRUE(fs::is_directory(in("a") / "b" / "out"));
}

TEST_F(OutputFolderTest, NeverReplacesWhatIsNoResult) {
  put(in("out") / "summary", "old");
  put(in("out") / "notes.md", "mine");
  EXPECT_EQ(
      error_of([&] { const OutputFolder folder(in("out"), known); }),
      in("out").string() +
          ": contains notes.md, which is not a result of septet and would be lost; name another "
          "folder");
  put(in("file"), "mine");
  EXPECT_EQ(error_of([&] { const OutputFolder folder(in("file"), known); }),
            in("file").string() + ": is not a folder");
  EXPECT_EQ(names(), (std::set<std::string>{"file", "out"}));
}

TEST_F(OutputFolderTest, NeverReplacesTheCurrentFolderOrOneAboveIt) {
  const fs::path before = fs::current_path();
  fs::create_directories(in("out") / "inner");
  fs::current_path(in("out") / "inner");
  const std::string here = error_of([] { const OutputFolder folder(".", known); });
  const std::string above =
      error_of([] { const OutputFolder folder("..", [](const std::string&) { return true; }); });
  fs::current_path(before);
  EXPECT_NE(here.find("is the current folder"), std::string::npos) << here;
  EXPECT_NE(above.find("is the current folder"), std::string::npos) << above;
}

TEST_F(OutputFolderTest, ASecondRunIsRefusedAndTheFirstGoesOn) {
  OutputFolder first(in("out"), known);
  EXPECT_NE(
      error_of([&] { const OutputFolder second(in("out"), known); }).find("is writing its result"),
      std::string::npos);
  put(first.path() / "trace", "first");
  first.publish();
  EXPECT_EQ(content(in("out") / "trace"), "first");
}

TEST_F(OutputFolderTest, RemovesWhatAKilledRunLeftAndNothingElse) {
  const pid_t child = fork();
  if (child == 0) {
    const OutputFolder folder(in("out"), known);
    put(folder.path() / "trace", "half");
    std::raise(SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(names().size(), 2U);
  put(in("out.part-mine00") / "notes.md", "mine");
  put(in("other.part-Ab3xYz") / "trace", "of another");
  { const OutputFolder folder(in("out"), known); }
  EXPECT_EQ(names(), (std::set<std::string>{"out.part-mine00", "other.part-Ab3xYz"}));
}

}  // namespace
}  // namespace septet::files
