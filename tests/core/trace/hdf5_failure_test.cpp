// Files that cannot be written, files that are not traces, runs that are killed.
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/trace/file_seal.hpp"
#include "core/trace/hdf5_handle.hpp"
#include "core/trace/hdf5_reader.hpp"
#include "core/trace/hdf5_text.hpp"
#include "tests/core/trace/sample.hpp"

// A file that HDF5 could not flush stays open in it, and so do the names of what is inside: not a
// leak of ours. The leak sanitizer asks for this function; nothing else calls it.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:H5MM_xstrdup\n"; }

namespace septet::trace {
namespace {

namespace fs = std::filesystem;
using sample::TemporaryDirectory;

std::string writer_error(const fs::path& path) {
  try {
    Hdf5Writer writer(path, sample::schema());
  } catch (const TraceFileError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error for " << path;
  return "";
}

std::string reader_error(const fs::path& path) {
  try {
    const Hdf5Reader reader(path);
  } catch (const ConfigError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error for " << path;
  return "";
}

TEST(Hdf5Failure, ADirectoryThatIsMissing) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "none" / "run.h5";
  EXPECT_EQ(writer_error(path),
            path.string() + ": cannot write: no directory " + (directory / "none").string());
}

TEST(Hdf5Failure, AFileInPlaceOfADirectory) {
  const TemporaryDirectory directory;
  sample::write_contents(directory / "file", "x");
  const fs::path path = directory / "file" / "run.h5";
  EXPECT_EQ(writer_error(path), path.string() + ": cannot write: " + (directory / "file").string() +
                                    " is not a directory");
}

TEST(Hdf5Failure, ADirectoryInPlaceOfAFile) {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "run.h5");
  EXPECT_NE(writer_error(directory / "run.h5").find("it is a directory"), std::string::npos);
  EXPECT_NE(reader_error(directory / "run.h5").find("it is a directory"), std::string::npos);
}

TEST(Hdf5Failure, APartThatCannotBeCreated) {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "run.h5.part");  // also stops a superuser, unlike permissions
  const std::string error = writer_error(directory / "run.h5");
  EXPECT_NE(error.find("run.h5.part: cannot create the file: "), std::string::npos) << error;
  EXPECT_NE(error.find("Is a directory"), std::string::npos) << error;
}

TEST(Hdf5Failure, ASecondWriterOfTheSameFile) {
  const TemporaryDirectory directory;
  const Hdf5Writer first(directory / "run.h5", sample::schema());
  EXPECT_NE(writer_error(directory / "run.h5").find("run.h5.part: cannot create the file: "),
            std::string::npos);
}

// A limit on the size of files is as a full disk: write() fails after some bytes. Runs in a child,
// because HDF5 keeps a file that it could not flush, and ends with exit(), so that whatever runs
// then must neither crash nor hang. The exit status says what happened.
enum Outcome { kClearError = 0, kNoLimit = 2, kNoError = 3, kUnclearError = 4 };

[[noreturn]] void write_beyond_limit(const fs::path& path, rlim_t bytes, std::int64_t rows) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) std::exit(kNoLimit);
  try {
    Hdf5Writer writer(path, sample::schema());
    sample::write_kernels(writer, 0, rows);
    writer.finish();
  } catch (const TraceFileError& error) {
    const std::string text = error.what();
    const bool clear = text.find("run.h5.part: cannot ") != std::string::npos &&
                       text.find("(File too large)") != std::string::npos;
    std::fprintf(stderr, "%s\n", text.c_str());
    std::exit(clear ? kClearError : kUnclearError);
  }
  std::exit(kNoError);
}

TEST(Hdf5FailureDeathTest, AFullDiskIsReportedWhileTheRunGoesOn) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.h5";
  // Would run for minutes if nothing were reported before finish().
  EXPECT_EXIT(write_beyond_limit(path, 200'000, 1'000'000'000),
              testing::ExitedWithCode(kClearError), "cannot");
}

TEST(Hdf5FailureDeathTest, AFullDiskIsReportedByFinish) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.h5";
  // Less than a chunk: nothing but headers (some 10 KB) is written before finish().
  EXPECT_EXIT(write_beyond_limit(path, 30'000, 60'000), testing::ExitedWithCode(kClearError),
              "cannot");
  EXPECT_FALSE(fs::exists(path));
}

TEST(Hdf5Failure, AFileThatIsMissing) {
  EXPECT_EQ(reader_error("/nonexistent/run.h5"), "/nonexistent/run.h5: no such file");
}

TEST(Hdf5Failure, AFileThatIsNotHdf5) {
  const TemporaryDirectory directory;
  sample::write_contents(directory / "a.h5", "this is text, not HDF5\n");
  EXPECT_NE(reader_error(directory / "a.h5").find("cannot open it as a trace file: "),
            std::string::npos);
  sample::write_contents(directory / "b.h5", "");
  EXPECT_NE(reader_error(directory / "b.h5").find("cannot open it as a trace file: "),
            std::string::npos);
}

TEST(Hdf5Failure, AFileThatWasCutOff) {
  const TemporaryDirectory directory;
  sample::write_file(directory / "run.h5");
  const std::string whole = sample::contents(directory / "run.h5");
  const std::size_t content = whole.size() - kSealBytes;
  for (const std::size_t length : {content - 1, content / 2, std::size_t{600}}) {
    sample::write_contents(directory / "cut.h5", whole.substr(0, length));
    EXPECT_NE(reader_error(directory / "cut.h5").find("truncated"), std::string::npos) << length;
  }
  // Without its checksum alone nothing is missing.
  sample::write_contents(directory / "cut.h5", whole.substr(0, whole.size() - 1));
  EXPECT_EQ(Hdf5Reader(directory / "cut.h5").status(), "complete");
}

TEST(Hdf5Failure, AnHdf5FileOfSomebodyElse) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "other.h5";
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_NE(reader_error(path).find("not a Septet trace: no schema_version"), std::string::npos);
}

TEST(Hdf5Failure, AFileOfAnotherVersion) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.h5";
  sample::write_file(path);
  {
    const Hdf5Handle file =
        owned(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
    write_attribute(file.get(), "schema_version", std::int64_t{2});
  }
  EXPECT_NE(reader_error(path).find("schema_version: got 2, wanted 1"), std::string::npos);
}

// Writes without end; says through the pipe when `flush` has been done.
[[noreturn]] void write_until_killed(const fs::path& path, int pipe) {
  Hdf5Options options;
  options.flush_blocks = 1'000'000;  // no flush but the one asked for
  Hdf5Writer writer(path, sample::schema(), options);
  sample::write_kernels(writer, 0, 100'000);
  writer.flush();
  writer.set_attribute("after", "flush");  // waits until the flush has begun
  for (std::int64_t row = 100'000;; row += 1000) {
    sample::write_kernels(writer, row, row + 1000);
    if (row == 1'000'000 && write(pipe, "x", 1) != 1) _exit(2);
  }
}

TEST(Hdf5Failure, AKilledRunLeavesWhatWasFlushed) {
  const TemporaryDirectory directory;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) write_until_killed(directory / "run.h5", ends[1]);
  char ready = 0;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  ASSERT_EQ(kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(fs::exists(directory / "run.h5"));

  const Hdf5Reader reader(directory / "run.h5.part");
  EXPECT_EQ(reader.status(), "running");
  const std::vector<std::int64_t> starts = reader.integers("kernels", "start");
  ASSERT_GE(starts.size(), 100'000U);
  for (std::size_t i = 0; i < 100'000; ++i) {
    ASSERT_EQ(starts[i], 1000 * static_cast<std::int64_t>(i));
  }
}

}  // namespace
}  // namespace septet::trace
