// Trace files that are damaged, foreign or incomplete: refused with file, place and reason.
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/base/error.hpp"
#include "core/trace/file_seal.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"
#include "tests/models/workload/recorded/septet/simulated_trace.hpp"

namespace septet::test {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A column of `values` in place of one that is there.
void replace(hid_t file, const char* path, const std::vector<std::int64_t>& values, hid_t type) {
  H5Ldelete(file, path, H5P_DEFAULT);
  const hsize_t length = values.size();
  const hid_t space = H5Screate_simple(1, &length, nullptr);
  const hid_t data = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(data);
  H5Sclose(space);
}

class SeptetDamage : public testing::Test {
 protected:
  SeptetDamage() : path_((directory_.path() / "trace.h5").string()) {
    program::ProgramBuilder builder;
    const std::uint32_t kernel = builder.kernel(program::spin_kernel(1, 32, 5_us));
    const std::uint32_t stream = builder.stream();
    builder.thread();
    for (int n = 0; n < 3; ++n) builder.launch(kernel, stream);
    builder.copy(stream, program::CopyDirection::kDeviceToHost, 1_KiB);
    builder.synchronize_stream(stream);
    write_trace(builder.take(), plain_system(), path_);
  }

  void change(const std::function<void(hid_t)>& edit) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    edit(file);
    H5Fclose(file);
  }

  // The message with which the file is refused; empty: it isn't.
  static std::string refusal(const std::string& path) {
    try {
      recorded::import_recording(recorded::read_recorded(path));
      return {};
    } catch (const ConfigError& error) {
      return error.what();
    }
  }

  void expect_refused(const std::string& reason) const {
    const std::string message = refusal(path_);
    EXPECT_TRUE(message.starts_with(path_)) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  }

  TemporaryDirectory directory_;
  std::string path_;
};

TEST_F(SeptetDamage, TheFileIsReadAsItIs) { EXPECT_EQ(refusal(path_), ""); }

TEST_F(SeptetDamage, AFileCutAnywhereIsRefused) {
  const std::string whole = bytes_of(path_);
  const std::size_t step = std::max<std::size_t>(1, whole.size() / 200);
  // Without its checksum alone it is whole.
  for (std::size_t length = 8; length < whole.size() - trace::kSealBytes - 8; length += step) {
    const std::string cut = directory_.write("cut.h5", whole.substr(0, length));
    const std::string message = refusal(cut);
    EXPECT_TRUE(message.starts_with(cut)) << "cut at byte " << length << ": " << message;
  }
}

TEST_F(SeptetDamage, AByteChangedAnywhereIsRefused) {
  const std::string whole = bytes_of(path_);
  const std::size_t step = std::max<std::size_t>(1, whole.size() / 400);
  for (std::size_t at = 0; at < whole.size() - trace::kSealBytes; at += step) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
    const std::string message = refusal(directory_.write("changed.h5", changed));
    EXPECT_NE(message.find("changed.h5: "), std::string::npos) << "byte " << at << ": " << message;
  }
}

// Nothing tells that these are damaged, and libhdf5 crashes on some of them.
TEST_F(SeptetDamage, AByteChangedInAFileWithoutAChecksumIsSurvived) {
  const std::string whole = bytes_of(path_);
  const std::string content = whole.substr(0, whole.size() - trace::kSealBytes);
  const std::size_t step = std::max<std::size_t>(1, content.size() / 60);
  for (std::size_t at = 0; at < content.size(); at += step) {
    std::string changed = content;
    changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
    const std::string message = refusal(directory_.write("changed.h5", changed));
    const bool named = message.find("changed.h5: ") != std::string::npos;
    EXPECT_TRUE(message.empty() || named) << "byte " << at << ": " << message;
  }
}

TEST_F(SeptetDamage, AFileThatAnotherProgramEditedIsRead) {
  change([](hid_t file) { H5Adelete(file, "tool_version"); });
  EXPECT_EQ(refusal(path_), "");
}

TEST_F(SeptetDamage, AnEmptyFileAndAForeignOneAreRefused) {
  const std::string empty = directory_.write("empty.h5", "");
  EXPECT_NE(refusal(empty).find("got an empty file"), std::string::npos) << refusal(empty);
  const std::string foreign = (directory_.path() / "foreign.h5").string();
  const hid_t file = H5Fcreate(foreign.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_NE(refusal(foreign).find("not a Septet trace"), std::string::npos) << refusal(foreign);
}

TEST_F(SeptetDamage, AMissingTableIsNamed) {
  change([](hid_t file) { H5Ldelete(file, "kernels", H5P_DEFAULT); });
  expect_refused("no kernels");
}

TEST_F(SeptetDamage, EveryMissingColumnIsNamed) {
  const std::string whole = bytes_of(path_);
  for (const char* column :
       {"api_calls/start", "api_calls/kind", "api_calls/call", "api_calls/manner", "kernels/ready",
        "kernels/end", "kernels/blocks", "kernels/node", "kernels/issued", "copies/kind",
        "copies/bytes", "copies/stream"}) {
    directory_.write("trace.h5", whole);
    change([column](hid_t file) { H5Ldelete(file, column, H5P_DEFAULT); });
    expect_refused("has no " + std::filesystem::path(column).filename().string());
  }
}

TEST_F(SeptetDamage, MissingDictionariesAttributesAndGraphsAreNamed) {
  const std::string whole = bytes_of(path_);
  for (const char* name : {"dict/kernel", "dict/call", "dict/thread", "graphs", "graph_edges"}) {
    directory_.write("trace.h5", whole);
    change([name](hid_t file) { H5Ldelete(file, name, H5P_DEFAULT); });
    expect_refused("has no " + std::filesystem::path(name).filename().string());
  }
  for (const char* name : {"gpu", "connections", "peer_latency", "status"}) {
    directory_.write("trace.h5", whole);
    change([name](hid_t file) { H5Adelete(file, name); });
    expect_refused(std::string("no attribute ") + name);
  }
}

TEST_F(SeptetDamage, AColumnOfAnotherLengthIsRefused) {
  change([](hid_t file) { replace(file, "kernels/start", {1, 2}, H5T_STD_I64LE); });
  expect_refused("kernels/start: got 2 values, wanted 3");
}

TEST_F(SeptetDamage, AColumnOfAnotherTypeIsRefused) {
  change([](hid_t file) { replace(file, "kernels/start", {1, 2, 3}, H5T_IEEE_F64LE); });
  expect_refused("kernels/start does not hold integers");
}

TEST_F(SeptetDamage, AColumnOfATypeThatNoTraceHasIsRefused) {
  change([](hid_t file) { replace(file, "kernels/start", {1, 2, 3}, H5T_STD_I16LE); });
  expect_refused("start has a type that no trace has");
}

TEST_F(SeptetDamage, ValuesOutOfTheirRangeAreRefusedWithTheirRow) {
  const std::string whole = bytes_of(path_);
  const auto refused = [&](const char* column, const std::vector<std::int64_t>& values,
                           const std::string& reason) {
    directory_.write("trace.h5", whole);
    change([&](hid_t file) { replace(file, column, values, H5T_STD_I64LE); });
    expect_refused(reason);
  };
  refused("kernels/start", {8'000'000, -5, 1}, "kernels/start, row 1: got -5");
  refused("kernels/end", {0, 0, 0}, "kernels/start, row 0");
  refused("kernels/name", {0, 0, 7}, "kernels/name, row 2: got 7, wanted 0 to 0");
  refused("kernels/cause", {0, 8, 0}, "kernels/cause, row 0: got 0, wanted one of submission,");
  refused("kernels/thread", {0, 3, 0}, "kernels/thread, row 1: got 3, wanted 0 to 0");
  refused("api_calls/call", {0, 1, 1, 3, 4}, "got call 1 of thread 0 again");
  refused("api_calls/kind", {2, 2, 2, 99, 11}, "api_calls/kind, row");
}

TEST_F(SeptetDamage, AColumnThatClaimsMoreThanItHoldsIsRefused) {
  // 10^12 rows of nothing: they must not be read.
  change([](hid_t file) {
    for (const char* name : {"kernels/kernel_run", "kernels/issued", "kernels/start"}) {
      H5Ldelete(file, name, H5P_DEFAULT);
      const hsize_t length = 1'000'000'000'000;
      const hsize_t chunk = 65'536;
      const hid_t space = H5Screate_simple(1, &length, nullptr);
      const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(list, 1, &chunk);
      const hid_t data =
          H5Dcreate2(file, name, H5T_STD_I64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
      H5Dclose(data);
      H5Pclose(list);
      H5Sclose(space);
    }
  });
  expect_refused("kernels/issued");
}

}  // namespace
}  // namespace septet::test
