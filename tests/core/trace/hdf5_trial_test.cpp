// Damage that no checksum tells of, anywhere in a file: refused or read, and never the end of the
// process that reads it.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/trace/file_seal.hpp"
#include "core/trace/hdf5_reader.hpp"
#include "tests/core/trace/sample.hpp"

namespace septet::trace {
namespace {

using sample::TemporaryDirectory;

class Hdf5Trial : public testing::Test {
 protected:
  Hdf5Trial() {
    sample::write_file(directory_ / "run.h5");
    const std::string whole = sample::contents(directory_ / "run.h5");
    content_ = whole.substr(0, whole.size() - kSealBytes);
  }

  // What is said of a file with this content; empty where it can be read.
  std::string refusal(const std::string& content) {
    sample::write_contents(directory_ / "file.h5", content);
    try {
      const Hdf5Reader reader(directory_ / "file.h5");
      EXPECT_FALSE(reader.sealed());
      for (const std::string& table : reader.tables()) {
        for (const ColumnSpec& column : reader.table(table).columns) {
          if (column.type == ColumnType::kInt64) reader.integers(table, column.name);
        }
      }
      return {};
    } catch (const ConfigError& error) {
      return error.what();
    }
  }

  TemporaryDirectory directory_;
  std::string content_;
};

TEST_F(Hdf5Trial, AWholeFileWithoutItsChecksumIsRead) { EXPECT_EQ(refusal(content_), ""); }

TEST_F(Hdf5Trial, DamageAnywhereIsSurvived) {
  RandomStream random({.seed = 1});
  for (int turn = 0; turn < 60; ++turn) {
    std::string damaged = content_;
    for (int change = 0; change < 3; ++change) {
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    }
    const std::string message = refusal(damaged);
    EXPECT_TRUE(message.empty() || message.find("file.h5: ") != std::string::npos) << message;
  }
}

}  // namespace
}  // namespace septet::trace
