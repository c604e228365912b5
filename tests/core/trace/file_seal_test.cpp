#include "core/trace/file_seal.hpp"

#include <gtest/gtest.h>

#include "core/trace/hdf5_handle.hpp"
#include "tests/core/trace/sample.hpp"

namespace septet::trace {
namespace {

using sample::TemporaryDirectory;

class FileSeal : public testing::Test {
 protected:
  // "no mistake", or what is wrong with the seal.
  std::string checked(const std::string& contents) {
    sample::write_contents(directory_ / "file", contents);
    try {
      check_seal(directory_ / "file");
      return "no mistake";
    } catch (const TraceFileError& error) {
      return error.what();
    }
  }
  std::string sealed(const std::string& contents) {
    sample::write_contents(directory_ / "file", contents);
    seal_file(directory_ / "file");
    return sample::contents(directory_ / "file");
  }

  TemporaryDirectory directory_;
};

TEST_F(FileSeal, FollowsTheContentWithItsLengthAndChecksum) {
  // CRC-32 of "123456789", the algorithm's check value: 0xCBF43926.
  const std::string length("\x09\0\0\0\0\0\0\0", 8);
  EXPECT_EQ(sealed("123456789"), "123456789SEPTSEAL" + length + "\x26\x39\xF4\xCB");
  EXPECT_EQ(checked(sealed("123456789")), "no mistake");
}

TEST_F(FileSeal, AnyOtherContentIsDamaged) {
  const std::string good = sealed(std::string(3'000'000, 'x'));
  EXPECT_EQ(checked(good), "no mistake");
  for (const std::size_t at : {std::size_t{0}, good.size() / 2, good.size() - kSealBytes - 1}) {
    std::string bad = good;
    bad[at] = 'y';
    EXPECT_TRUE(checked(bad).starts_with("damaged: ")) << at;
  }
  EXPECT_TRUE(checked(good.substr(1)).starts_with("damaged: "));
}

TEST_F(FileSeal, FilesWithoutOneAreNotLookedInto) {
  EXPECT_EQ(checked(""), "no mistake");
  EXPECT_EQ(checked("anything at all, longer than a seal"), "no mistake");
  const std::string good = sealed("content");
  EXPECT_EQ(checked(good.substr(0, good.size() - 1)), "no mistake");
}

}  // namespace
}  // namespace septet::trace
