#include "core/files/output_file.hpp"

#include "tests/core/files/temporary_folder.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;
using OutputFileTest = InTemporaryFolder;

TEST_F(OutputFileTest, AppearsOnlyWhenItIsComplete) {
  OutputFile file(in("a.json"));
  file.write("some ");
  EXPECT_FALSE(fs::exists(in("a.json")));
  file.write("bytes");
  file.finish();
  EXPECT_EQ(content(in("a.json")), "some bytes");
  EXPECT_EQ(names(), std::set<std::string>{"a.json"});
}

TEST_F(OutputFileTest, LeavesNothingBehindWhenItIsNotFinished) {
  { OutputFile(in("a.json")).write("half"); }
  EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(OutputFileTest, KeepsAnOlderFileUntilTheNewOneIsComplete) {
  put(in("a.json"), "old");
  { OutputFile(in("a.json")).write("half"); }
  EXPECT_EQ(content(in("a.json")), "old");
}

TEST_F(OutputFileTest, TwoOfOneNameDoNotMeet) {
  OutputFile first(in("a"));
  OutputFile second(in("a"));
  first.write("first");
  second.write("second");
  second.finish();
  first.finish();
  EXPECT_EQ(content(in("a")), "first");
  EXPECT_EQ(names(), std::set<std::string>{"a"});
}

TEST_F(OutputFileTest, ReplacesWhatALinkStandsFor) {
  put(in("real"), "old");
  fs::create_symlink("real", in("link"));
  write_text(in("link"), "new");
  EXPECT_EQ(content(in("real")), "new");
  EXPECT_TRUE(fs::is_symlink(in("link")));
}

TEST_F(OutputFileTest, WritesToADeviceInsteadOfReplacingIt) {
  fs::create_symlink("/dev/null", in("device"));
  OutputFile file(in("device"));
  file.write("bytes");
  file.finish();
  EXPECT_TRUE(fs::is_character_file(in("device")));
  EXPECT_EQ(names(), std::set<std::string>{"device"});
}

TEST_F(OutputFileTest, AFullDeviceIsNamed) {
  EXPECT_EQ(error_of([] { write_text("/dev/full", std::string(3'000'000, 'x')); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(error_of([] { write_text("/dev/full", "x"); }),
            "/dev/full: cannot be completed: No space left on device");
}

TEST_F(OutputFileTest, CompressesWhatIsNamedSo) {
  write_text(in("a.json.gz"), std::string(100'000, 'x'));
  EXPECT_LT(fs::file_size(in("a.json.gz")), 1'000U);
  EXPECT_EQ(content(in("a.json.gz")).substr(0, 2), "\x1F\x8B");  // the mark of gzip
}

TEST_F(OutputFileTest, InAFolderThatIsMadeAsideItHasItsNameAtOnce) {
  OutputFile file(in("a"), OutputFile::Placement::kInFolder);
  EXPECT_EQ(names(), std::set<std::string>{"a"});
  file.write("bytes");
  file.finish();
  EXPECT_EQ(content(in("a")), "bytes");
  EXPECT_NE(error_of([&] {
              OutputFile(in("a"), OutputFile::Placement::kInFolder);
            }).find("cannot be created: File exists"),
            std::string::npos);
}

TEST_F(OutputFileTest, SaysWhyItCannotBeMade) {
  EXPECT_EQ(error_of([&] { OutputFile file(in("missing") / "a.json"); }),
            (in("missing") / "a.json").string() + ": cannot be created: No such file or directory");
  EXPECT_NE(error_of([&] { OutputFile file(in("")); }).find("cannot be created: Is a directory"),
            std::string::npos);
}

}  // namespace
}  // namespace septet::files
