#include "core/trace/hdf5_writer.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "core/trace/hdf5_reader.hpp"
#include "tests/core/trace/sample.hpp"

namespace septet::trace {
namespace {

namespace fs = std::filesystem;
using sample::TemporaryDirectory;

TEST(Hdf5Writer, GivesTheFileItsNameOnlyAtTheEnd) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "run.h5";
  {
    Hdf5Writer writer(path, sample::schema());
    EXPECT_TRUE(fs::exists(directory / "run.h5.part"));
    EXPECT_FALSE(fs::exists(path));
    writer.finish();
  }
  EXPECT_FALSE(fs::exists(directory / "run.h5.part"));
  EXPECT_EQ(Hdf5Reader(path).status(), "complete");
}

TEST(Hdf5Writer, SaysThatARunWasInterrupted) {
  const TemporaryDirectory directory;
  Hdf5Writer writer(directory / "run.h5", sample::schema());
  writer.finish(Hdf5Writer::Outcome::kInterrupted);
  EXPECT_EQ(Hdf5Reader(directory / "run.h5").status(), "interrupted");
}

TEST(Hdf5Writer, LeavesAPartThatSaysFailedWhereARunEndsEarly) {
  const TemporaryDirectory directory;
  sample::write_file(directory / "run.h5", false);
  EXPECT_FALSE(fs::exists(directory / "run.h5"));
  const Hdf5Reader reader(directory / "run.h5.part");
  EXPECT_EQ(reader.status(), "failed");
  EXPECT_EQ(reader.rows("kernels"), kChunkRows);  // whole blocks were there already
}

TEST(Hdf5Writer, WritesTheSameBytesEveryTime) {
  const TemporaryDirectory directory;
  sample::write_file(directory / "a.h5");
  // HDF5's own times count in seconds; they would differ.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  sample::write_file(directory / "b.h5");
  const std::string first = sample::contents(directory / "a.h5");
  EXPECT_GT(first.size(), 50'000U);
  EXPECT_TRUE(first == sample::contents(directory / "b.h5"));
}

TEST(Hdf5Writer, WritesTheSameBytesHoweverFarItLagsBehind) {
  const TemporaryDirectory directory;
  for (const auto& [name, blocks] : {std::pair("a.h5", 1), std::pair("b.h5", 50)}) {
    Hdf5Options options;
    options.queue_blocks = static_cast<std::size_t>(blocks);
    options.flush_blocks = 2;
    Hdf5Writer writer(directory / name, sample::schema(), options);
    sample::write_kernels(writer, 0, 300'000);
    writer.finish();
  }
  EXPECT_TRUE(sample::contents(directory / "a.h5") == sample::contents(directory / "b.h5"));
}

TEST(Hdf5Writer, KeepsRowsWholeAcrossFlushes) {
  const TemporaryDirectory directory;
  constexpr auto kChunk = static_cast<std::int64_t>(kChunkRows);
  Hdf5Writer writer(directory / "run.h5", sample::schema());
  // Flushes before, at and after the end of a chunk.
  std::int64_t done = 0;
  for (const std::int64_t next :
       {std::int64_t{1}, kChunk - 1, kChunk, kChunk + 1, 3 * kChunk + 5}) {
    sample::write_kernels(writer, done, next);
    writer.flush();
    done = next;
  }
  writer.flush();  // of nothing
  writer.finish();
  const Hdf5Reader reader(directory / "run.h5");
  const std::vector<std::int64_t> starts = reader.integers("kernels", "start");
  ASSERT_EQ(starts.size(), static_cast<std::size_t>(done));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    ASSERT_EQ(starts[i], 1000 * static_cast<std::int64_t>(i));
  }
}

TEST(Hdf5Writer, KeepsSmallFilesSmall) {
  const TemporaryDirectory directory;
  Hdf5Writer writer(directory / "run.h5", sample::schema());
  sample::write_kernels(writer, 0, 10);
  writer.finish();
  // Headers of 8 datasets and 5 groups take some 30 KB; one 64 Ki chunk would take 512 KiB raw.
  EXPECT_LT(fs::file_size(directory / "run.h5"), 64U * 1024);
  EXPECT_EQ(Hdf5Reader(directory / "run.h5").reals("kernels", "power").back(), 4.5);
}

TEST(Hdf5Writer, AnAttributeCanBeSetAgain) {
  const TemporaryDirectory directory;
  Hdf5Writer writer(directory / "run.h5", sample::schema());
  writer.set_attribute("digest", "old");
  writer.set_attribute("digest", 1.5);
  writer.finish();
  EXPECT_EQ(Hdf5Reader(directory / "run.h5").attribute("digest"), AttributeValue(1.5));
}

TEST(Hdf5WriterDeathTest, RefusesUseAfterFinish) {
  const TemporaryDirectory directory;
  Hdf5Writer writer(directory / "run.h5", sample::schema());
  writer.finish();
  EXPECT_DEATH(writer.set_attribute("seed", 1.0), "finished");
}

}  // namespace
}  // namespace septet::trace
