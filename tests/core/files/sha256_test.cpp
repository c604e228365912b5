#include "core/files/sha256.hpp"

#include "core/base/error.hpp"
#include "tests/core/files/temporary_folder.hpp"

namespace septet::files {
namespace {

// The examples of FIPS 180-4 as NIST publishes them: "abc", and a million times 'a'.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kMillion = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

using Sha256Test = InTemporaryFolder;

TEST_F(Sha256Test, OfAFileIsThatOfTheStandard) {
  put(in("abc"), "abc");
  EXPECT_EQ(sha256_of_file(in("abc")), kAbc);
  put(in("a"), std::string(1'000'000, 'a'));
  EXPECT_EQ(sha256_of_file(in("a")), kMillion);
}

TEST_F(Sha256Test, AFileThatCannotBeReadHasNone) {
  EXPECT_THROW(sha256_of_file(in("missing")), ConfigError);
  EXPECT_THROW(sha256_of_file("/proc/self/mem"), ConfigError);
}

}  // namespace
}  // namespace septet::files
