#include "core/files/input.hpp"

#include <cerrno>
#include <sstream>

#include "core/base/error.hpp"
#include "tests/core/files/temporary_folder.hpp"

namespace septet::files {
namespace {

using InputTest = InTemporaryFolder;

TEST_F(InputTest, ReadsAllBytes) {
  const std::string text("a\0\r\n\xFF", 5);
  put(in("a"), text + std::string(200'000, 'x'));
  EXPECT_EQ(read_text(in("a")), text + std::string(200'000, 'x'));
  put(in("empty"), "");
  EXPECT_EQ(read_text(in("empty")), "");
}

TEST_F(InputTest, SaysWhyAFileCannotBeOpened) {
  EXPECT_EQ(error_of([&] { read_text(in("a")); }),
            in("a").string() + ": cannot be opened: No such file or directory");
  EXPECT_EQ(error_of([&] { read_text(in("")); }),
            in("").string() + ": is a directory, wanted a file");
}

// The memory of the process at address 0 can be opened, but not read: EIO.
TEST_F(InputTest, AnErrorOfTheDiskIsNotTheEndOfTheFile) {
  EXPECT_EQ(error_of([] { read_text("/proc/self/mem"); }),
            "/proc/self/mem: cannot be read to its end: Input/output error");
}

TEST_F(InputTest, AStreamThatCameToItsEndWasRead) {
  std::istringstream stream("one line");
  std::string line;
  while (std::getline(stream, line)) {
  }
  EXPECT_NO_THROW(check_read(stream, "a"));
  errno = EIO;
  stream.setstate(std::ios::badbit);
  EXPECT_EQ(error_of([&] { check_read(stream, "a"); }),
            "a: cannot be read to its end: Input/output error");
}

}  // namespace
}  // namespace septet::files
