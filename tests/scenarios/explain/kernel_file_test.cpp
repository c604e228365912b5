// Kernel files: what is read, and each class of mistake with its whole message.
#include "scenarios/explain/kernel_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/gpu/kernel/memory.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "tests/scenarios/explain/shipped_kernels.hpp"
#include "tests/support/profile_names.hpp"

namespace septet::testing {
namespace {

const std::string kKernel = "[kernel]\nname = \"k\"\ngrid = 10\nblock = 256\n";

explain::ExplainQuestion question_of(const std::string& text, const std::string& gpu = "",
                                     const std::vector<std::string>& settings = {}) {
  return explain::read_kernel(config::read_toml(text, "k.toml"), gpu, settings, shipped_profiles());
}

std::string mistake_in(const std::string& text, const std::string& gpu = "",
                       const std::vector<std::string>& settings = {}) {
  try {
    question_of(text, gpu, settings);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

TEST(KernelFile, ARequestTouchesNoMoreLinesThanSectors) {
  const auto with_lines = [](const std::string& lines) {
    return mistake_in(kKernel + "[[segment]]\n[[segment.memory]]\nsectors = 8\nlines = " + lines +
                      "\n");
  };
  EXPECT_EQ(with_lines("8"), "no mistake");
  EXPECT_EQ(with_lines("9"),
            "k.toml:8:9: segment.0.memory.0.lines: got 9, wanted at most as many as the sectors in "
            "them, 8");
}

TEST(KernelFile, IsReadWhole) {
  const explain::ExplainQuestion q = question_of(
      "[kernel]\nname = \"k\"\ngrid = [10, 2]\nblock = [32, 8]\nregisters = 40\n"
      "static_shared = \"4 KiB\"\nonce = 70\nwave = 30\n"
      "[[segment]]\nrepeat = 5\ninstructions = { fma = 8, other = 2 }\n"
      "register_conflicts = { fma = 1 }\nchain = 100\nbarrier = 20\nshared_wavefronts = 3\n"
      "code = \"1 KiB\"\nasync_tensor = 6\n"
      "[[segment.memory]]\nrequests = 2\nelement = \"8 B\"\nl1_hit = 0.25\nl2_hit = 0.5\n"
      "[[segment.memory]]\nelement = \"4 B\"\nsectors = 32\nlines = 30\nextra_rows = 0.5\n"
      "footprint = \"1 GB\"\nmoved = \"2 KiB\"\nwrite = true\nstreaming = false\ndependent = "
      "true\n");
  EXPECT_EQ(q.gpu.name, "h200-sxm");
  const explain::KernelDescription& k = q.kernel;
  EXPECT_EQ(k.shape.blocks(), 20U);
  EXPECT_EQ(k.shape.threads_per_block(), 256U);
  EXPECT_EQ(k.shape.registers_per_thread, 40U);
  EXPECT_EQ(k.shape.static_shared, Bytes(4096));
  ASSERT_EQ(k.segments.size(), 1U);
  program::Segment expected;
  expected.repeat = 5;
  expected[program::Pipe::kFma] = 8;
  expected[program::Pipe::kOther] = 2;
  expected[program::Pipe::kLsu] = 3;  // the requests of both batches
  expected.bank_conflicts[static_cast<std::size_t>(program::Pipe::kFma)] = 1;
  expected.chain_cycles = 120;  // the barrier in it
  expected.shared_wavefronts = 3;
  expected.code_bytes = 1024;
  expected.async_tensor_cycles = 6;
  EXPECT_EQ(k.segments[0].segment, expected);
  EXPECT_DOUBLE_EQ(k.segments[0].barrier_cycles, 20);
  const program::MemoryBatch load{1, 2, 8, 2, 0, 0, 0.25, 0.5, 0, false, true};
  const program::MemoryBatch store{1, 1, 32, 30, 2048, 0.5, 0, 0, 1e9, true, false};
  EXPECT_EQ(k.segments[0].accesses.at(0).batch, load);
  EXPECT_DOUBLE_EQ(k.segments[0].accesses.at(0).element_bytes, 8);
  EXPECT_EQ(k.segments[0].accesses.at(1).batch, store);
  EXPECT_TRUE(k.segments[0].accesses.at(1).dependent);
  const program::InstructionWork work = work_of(k);
  EXPECT_EQ(work.segments[0].batches.size(), 2U);
  EXPECT_DOUBLE_EQ(work.once_cycles, 70);
  EXPECT_DOUBLE_EQ(work.wave_cycles, 30);
}

TEST(KernelFile, TurnsAWorkingSetIntoAHitRate) {
  const explain::ExplainQuestion q = question_of(
      kKernel + "[[segment]]\n[[segment.memory]]\nelement = \"4 B\"\nworking_set = \"58 MB\"\n");
  const gpu::MemorySpec& memory = q.gpu.kernel.memory;
  EXPECT_DOUBLE_EQ(q.kernel.segments[0].accesses[0].batch.l2_hit,
                   gpu::cyclic_hit(memory.l2_capacity, memory.l2_edge, 58e6));
  EXPECT_DOUBLE_EQ(q.kernel.segments[0].accesses[0].working_set, 58e6);
}

TEST(KernelFile, TakesSettingsAndTheGpuFromTheCommandLine) {
  const std::string text = "[hardware]\ngpu = \"no-such\"\n" + kKernel + "[[segment]]\nchain = 5\n";
  const explain::ExplainQuestion q =
      question_of(text, "H200", {"kernel.registers=64", "segment.0.repeat=7", "gpu.clock=1 GHz"});
  EXPECT_EQ(q.kernel.shape.registers_per_thread, 64U);
  EXPECT_DOUBLE_EQ(q.kernel.segments[0].segment.repeat, 7);
  EXPECT_EQ(q.gpu.clock, Frequency(1e9));
  const std::string gpus = gpu_names(config::ProfileLibrary(config::data_directories()));
  EXPECT_EQ(mistake_in(text),
            "k.toml:2:7: hardware.gpu: got \"no-such\", wanted a GPU profile (" + gpus + ")");
  EXPECT_EQ(mistake_in(kKernel + "[[segment]]\n", "h2000"),
            "--gpu: hardware.gpu: got \"h2000\", wanted a GPU profile (" + gpus +
                ") (did you mean 'H200' or 'h200'?)");
}

TEST(KernelFile, MistakesNameTheirPlace) {
  EXPECT_EQ(mistake_in(kKernel + "[[segment]]\nrepeats = 3\n").substr(0, 52),
            "k.toml:6:1: segment.0.repeats: got an unknown key, w");
  EXPECT_NE(mistake_in(kKernel + "[[segment]]\nrepeats = 3\n").find("did you mean 'repeat'?"),
            std::string::npos);
  EXPECT_EQ(mistake_in(kKernel + "[[segment]]\nrepeat = 0\n"),
            "k.toml:6:10: segment.0.repeat: got the integer 0, wanted a number from 1 to "
            "1000000000000");
  EXPECT_EQ(mistake_in(kKernel + "[[segment]]\ncode = 64\n"),
            "k.toml:6:8: segment.0.code: got the integer 64, wanted a size with its unit, such as "
            "\"228 KiB\"");
  EXPECT_NE(mistake_in(kKernel + "[[segment]]\ninstructions = { fmaa = 1 }\n")
                .find("k.toml:6:18: segment.0.instructions.fmaa: got an unknown key"),
            std::string::npos);
  EXPECT_EQ(mistake_in(kKernel + "[[segment]]\n[[segment.memory]]\nrequests = 2\n"),
            "k.toml:6:1: segment.0.memory.0: got nothing, wanted sectors, element or both");
  EXPECT_EQ(
      mistake_in(kKernel + "[[segment]]\n[[segment.memory]]\nelement = \"4 B\"\nl2_hit = 0.5\n"
                           "working_set = \"1 MB\"\n"),
      "k.toml:9:15: segment.0.memory.0.working_set: got both working_set and l2_hit, wanted "
      "one of the two");
  EXPECT_EQ(mistake_in(kKernel + "[[segment]]\ninstructions = { lsu = 1 }\n"
                                 "[[segment.memory]]\nrequests = 2\nelement = \"4 B\"\n"),
            "k.toml:6:24: segment.0.instructions.lsu: got 1, wanted at least the 2 requests "
            "of `memory`");
}

TEST(KernelFile, KernelsThatCannotBeAreRefusedByTheirLimit) {
  const auto kernel = [](const std::string& more) {
    return mistake_in("[kernel]\nname = \"k\"\n" + more + "[[segment]]\nchain = 5\n");
  };
  EXPECT_EQ(kernel("grid = 0\nblock = 32\n"),
            "k.toml:3:8: kernel.grid: got the integer 0, wanted a whole number of at least 1");
  EXPECT_EQ(kernel("grid = 1\nblock = 1056\n"),
            "k.toml:4:9: kernel.block: got 1056 threads, wanted at most 1024 on this GPU");
  EXPECT_EQ(kernel("grid = 1\nblock = 32\nregisters = 256\n"),
            "k.toml:5:13: kernel.registers: got 256, wanted at most 255 on this GPU");
  EXPECT_EQ(kernel("grid = 1\nblock = 32\ndynamic_shared = \"228 KiB\"\n"),
            "k.toml:5:18: kernel.dynamic_shared: got 0 B static and 228 KiB dynamic, wanted "
            "together at most 227 KiB on this GPU");
  EXPECT_EQ(kernel("grid = 1\nblock = 1024\nregisters = 65\n"),
            "k.toml:1:1: kernel: a block of 1024 threads with 65 registers each takes 73728 "
            "registers, an SM has 65536");
}

TEST(KernelFile, ShippedKernelsSayWhatTheyShow) {
  std::size_t files = 0;
  const std::filesystem::path folder =
      std::string(SEPTET_SOURCE_DIRECTORY) + "/scenarios/shipped/kernels";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const config::ConfigValue file = config::read_toml_file(entry.path());
    EXPECT_NE(file.find("description"), nullptr) << entry.path();
    EXPECT_FALSE(explain::read_kernel(file, "", {}, shipped_profiles()).kernel.segments.empty());
    ++files;
  }
  EXPECT_EQ(files, std::size(kShippedKernels));
}

// With SEPTET_UPDATE_REFERENCE set in the environment the file is written anew instead.
TEST(KernelFile, FieldReferenceIsThatOfTheTables) {
  const std::string file = std::string(SEPTET_SOURCE_DIRECTORY) + "/scenarios/KERNELS.md";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::size_t start = text.str().find("### The file");
  ASSERT_NE(start, std::string::npos);
  if (std::getenv("SEPTET_UPDATE_REFERENCE") != nullptr) {
    std::ofstream(file) << text.str().substr(0, start) << explain::kernel_file_reference();
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text.str().substr(start), explain::kernel_file_reference())
      << "run this test with SEPTET_UPDATE_REFERENCE=1";
}

// The first block of TOML in the page is a whole kernel.
TEST(KernelFile, ExampleOfThePageCanBeRead) {
  std::stringstream text;
  text << std::ifstream(std::string(SEPTET_SOURCE_DIRECTORY) + "/scenarios/KERNELS.md").rdbuf();
  const std::string fence = "```toml\n";
  const std::size_t begin = text.str().find(fence) + fence.size();
  const std::size_t end = text.str().find("```", begin);
  EXPECT_EQ(question_of(text.str().substr(begin, end - begin)).kernel.name, "scale");
}

}  // namespace
}  // namespace septet::testing
