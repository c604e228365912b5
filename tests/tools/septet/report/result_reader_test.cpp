#include "tools/septet/report/result_reader.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/trace/sample.hpp"
#include "tools/septet/report/document_of.hpp"

namespace septet::command {
namespace {

using sample::TemporaryDirectory;

std::filesystem::path write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
  return file;
}

std::string refusal(const std::filesystem::path& path) {
  try {
    document_of({read_result(path)}, {}, "");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ResultReader, TellsKindsByTheirKeys) {
  const TemporaryDirectory folder;
  const auto kind = [&](const std::string& json) {
    return read_result(write(folder / "r.json", json)).kind;
  };
  EXPECT_EQ(kind(R"({"feasible": true})"), ResultKind::kCapacity);
  EXPECT_EQ(kind(R"({"limiter": "memory"})"), ResultKind::kExplain);
  EXPECT_EQ(kind(R"({"recording": "a.json", "summary": {}})"), ResultKind::kReplay);
  EXPECT_EQ(kind(R"({"summary": {"requests": {}}})"), ResultKind::kServing);
  EXPECT_EQ(kind(R"({"summary": {"kernels": []}})"), ResultKind::kRun);
}

TEST(ResultReader, NamesTheFileThatIsNoResult) {
  const TemporaryDirectory folder;
  EXPECT_NE(refusal(write(folder / "a.json", "{")).find("not JSON"), std::string::npos);
  EXPECT_NE(refusal(write(folder / "a.json", "[1]")).find("none of the results"),
            std::string::npos);
  EXPECT_NE(refusal(folder / "missing").find("missing"), std::string::npos);
}

TEST(ResultReader, AResultThatLacksSomethingIsRefusedWithItsKey) {
  const TemporaryDirectory folder;
  const std::string said = refusal(write(folder / "a.json", R"({"feasible": true, "best": {}})"));
  EXPECT_NE(said.find("key 'gpus' not found"), std::string::npos) << said;
}

}  // namespace
}  // namespace septet::command
