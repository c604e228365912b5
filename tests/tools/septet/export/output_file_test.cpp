#include "tools/septet/export/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace septet::command {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("septet_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsOnlyWhenItIsComplete) {
  const fs::path path = folder_ / "a.json";
  OutputFile file(path);
  file.write("some ");
  EXPECT_FALSE(fs::exists(path));
  file.write("bytes");
  file.finish();
  EXPECT_EQ(content(path), "some bytes");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, LeavesNothingBehindWhenItIsNotFinished) {
  { OutputFile(folder_ / "a.json").write("half"); }
  EXPECT_EQ(files(), 0U);
}

TEST_F(OutputFileTest, KeepsAnOlderFileUntilTheNewOneIsComplete) {
  const fs::path path = folder_ / "a.json";
  std::ofstream(path) << "old";
  { OutputFile(path).write("half"); }
  EXPECT_EQ(content(path), "old");
}

TEST_F(OutputFileTest, WritesToADeviceInsteadOfReplacingIt) {
  const fs::path path = folder_ / "device";
  fs::create_symlink("/dev/null", path);
  OutputFile file(path);
  file.write("bytes");
  file.finish();
  EXPECT_TRUE(fs::is_character_file(path));
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, CompressesWhatIsNamedSo) {
  const fs::path path = folder_ / "a.json.gz";
  OutputFile file(path);
  file.write(std::string(100'000, 'x'));
  file.finish();
  EXPECT_LT(fs::file_size(path), 1'000U);
  EXPECT_EQ(content(path).substr(0, 2), "\x1F\x8B");  // the mark of gzip
}

TEST_F(OutputFileTest, SaysWhyItCannotBeMade) {
  try {
    OutputFile file(folder_ / "missing" / "a.json");
    FAIL() << "made a file in a folder that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be made: No such file"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace septet::command
