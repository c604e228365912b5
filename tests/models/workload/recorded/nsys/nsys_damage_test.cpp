#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/models/workload/recorded/nsys/made_export.hpp"

namespace septet::test {
namespace {

std::string refusal_of(const std::string& name, std::string_view content) {
  const TemporaryDirectory directory;
  try {
    recorded::read_recorded(directory.write(name, content));
    return "";
  } catch (const ConfigError& error) {
    return std::string(error.what()).substr(directory.path().string().size() + 1);
  }
}

std::string content_of(const MadeExport& made) {
  std::ifstream in(made.path(), std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

MadeExport& with_kernels(MadeExport& made) {
  made.strings().run(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, "
      "correlationId, shortName)");
  for (int k = 0; k < 400; ++k) {
    made.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(k * 10) + ", " +
             std::to_string(k * 10 + 5) + ", 0, 7, " + std::to_string(k + 1) + ", 2)");
  }
  return made;
}

TEST(NsysDamage, AFileOfSixteenBytesIsNoDatabase) {
  using namespace std::string_view_literals;
  EXPECT_NE(refusal_of("nsys.sqlite", "SQLite format 3\0"sv).find("nsys.sqlite: the SQLite file"),
            std::string::npos);
}

TEST(NsysDamage, AnotherProgramsDatabaseIsNamed) {
  MadeExport made;
  made.run("CREATE TABLE cookies (id)");
  EXPECT_EQ(made.refusal(), "step.sqlite: an SQLite file, but no export of Nsight Systems");
}

TEST(NsysDamage, AnExportWithoutCudaActivitySaysHowToRecordIt) {
  MadeExport made;
  made.strings();
  EXPECT_EQ(made.refusal(),
            "step.sqlite: an export of Nsight Systems without CUDA activity; record with nsys "
            "profile --trace=cuda,nvtx");
}

TEST(NsysDamage, ATruncatedFileIsRefused) {
  MadeExport made;
  const std::string whole = content_of(with_kernels(made));
  for (const std::size_t part : {2U, 3U, 4U}) {
    EXPECT_NE(refusal_of("step.sqlite", std::string_view(whole).substr(0, whole.size() / part)), "")
        << part;
  }
}

TEST(NsysDamage, AnyDamageIsReadOrRefused) {
  MadeExport made;
  const std::string whole = content_of(with_kernels(made));
  std::mt19937_64 random(20261201);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    for (int byte = 0; byte < 8; ++byte) {
      damaged[16 + random() % (damaged.size() - 16)] = static_cast<char>(random());
    }
    refusal_of("step.sqlite", damaged);  // must return
  }
  SUCCEED();
}

TEST(NsysDamage, AReportWithoutNsysSaysTheCommand) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const std::string said = refusal_of("step.nsys-rep", "QUADD");
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(said.find("step.nsys-rep: a report of Nsight Systems, and nsys, which reads it, is not "
                      "installed here; run nsys export --type sqlite --output step.sqlite "),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace septet::test
