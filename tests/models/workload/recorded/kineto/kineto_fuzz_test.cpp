// Whatever happens to a file, reading it ends with a trace or a ConfigError. Run with sanitizers.
#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {
namespace {

// One entry of each sort.
std::string small_trace() {
  return R"j({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200",
  "numSms": 132}], "distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 1682725898236567.5,
   "dur": 9.25, "args": {"External id": 3, "Input Dims": [[2, 3], []]}},
  {"ph": "s", "cat": "ac2g", "id": 1, "pid": 1, "tid": 2, "ts": 1682725898236568},
  {"ph": "f", "cat": "ac2g", "id": 1, "pid": 1, "tid": 3, "ts": 1682725898236569, "bp": "e"},
  {"ph": "B", "cat": "user_annotation", "name": "step", "pid": 1, "tid": 2, "ts": 1682725898236568},
  {"ph": "E", "pid": 1, "tid": 2, "ts": 1682725898236570},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2,
   "ts": 1682725898236568.125, "dur": 4, "args": {"cbid": 211, "correlation": 77}},
  {"ph": "X", "cat": "kernel", "name": "gemm\u00e9\n", "pid": 0, "tid": "stream 7",
   "ts": 1682725898236575, "dur": 2.5, "args": {"device": 0, "stream": 7, "correlation": 77,
   "registers per thread": 32, "shared memory": 1024, "grid": [4, 1, 1], "block": [128, 1, 1],
   "graph id": 1, "graph node id": 65537, "blocks per SM": inf, "priority": 0}},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7,
   "ts": 1682725898236580, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 78,
   "bytes": 4096}},
  {"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "dur": 3,
   "ts": 1682725898236576, "args": {"cuda_sync_kind": "Stream Sync", "wait_on_stream": -1}},
  {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}}],
  "baseTimeNanoseconds": 1719853884000000000})j";
}

class Fuzzer {
 public:
  // True when the text was read, false when it was refused; anything else fails the test.
  bool survives(const std::string& text) const {
    const std::string path = directory_.write("fuzz", text);
    try {
      check(recorded::read_kineto(path));
      return true;
    } catch (const ConfigError&) {
      return false;
    }
  }

 private:
  static void check(const recorded::RecordedTrace& trace) {
    Instant last;
    for (const recorded::RecordedEvent& event : trace.events) {
      ASSERT_GE(event.start, last);
      ASSERT_GE(event.duration, Duration{});
      ASSERT_GE(event.start + event.duration, event.start);
      ASSERT_LT(event.name, trace.strings.size());
      ASSERT_TRUE(event.activity == recorded::kNoActivity ||
                  event.activity < trace.activities.size());
      last = event.start;
    }
  }

  TemporaryDirectory directory_;
};

TEST(KinetoFuzz, SurvivesACutAtEveryByte) {
  const Fuzzer fuzzer;
  const std::string text = small_trace();
  ASSERT_TRUE(fuzzer.survives(text));
  // The first entry is complete once its brace closes; from there on every cut can be read.
  const std::size_t first = text.find("{\"ph\": \"s\"") - std::string(",\n  ").size();
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(fuzzer.survives(text.substr(0, length)), length >= first) << "cut at " << length;
  }
}

TEST(KinetoFuzz, SurvivesACutAtEveryByteOfGzip) {
  const Fuzzer fuzzer;
  const std::string packed = gzip(small_trace());
  std::size_t read = 0;
  for (std::size_t length = 0; length <= packed.size(); ++length) {
    if (fuzzer.survives(packed.substr(0, length))) ++read;
  }
  EXPECT_GE(read, 9U);  // at least the cuts inside the checksum and the whole file
}

// Applies `damage(text, random)` to copies of the trace, plain and gzip.
template <class Damage>
void survive_rounds(std::uint32_t purpose, Damage damage) {
  const Fuzzer fuzzer;
  const std::string plain = small_trace();
  const std::string packed = gzip(plain);
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomStream random({.seed = seed, .owner = 0, .purpose = purpose});
    std::string text = seed % 4 == 0 ? packed : plain;
    for (std::uint64_t i = random.below(4); i < 4; ++i) damage(text, random);
    fuzzer.survives(text);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(KinetoFuzz, SurvivesFlippedBits) {
  survive_rounds(1, [](std::string& text, RandomStream& random) {
    text[random.below(text.size())] ^= static_cast<char>(1U << random.below(8));
  });
}

TEST(KinetoFuzz, SurvivesLostPieces) {
  survive_rounds(2, [](std::string& text, RandomStream& random) {
    const std::size_t at = random.below(text.size());
    text.erase(at, 1 + random.below(20));
    text += ' ';
  });
}

TEST(KinetoFuzz, SurvivesForeignPieces) {
  const std::vector<std::string> pieces = {"{",
                                           "}",
                                           "[",
                                           "]",
                                           "\"",
                                           ",",
                                           ":",
                                           "-1",
                                           "1e9",
                                           "-inf",
                                           "null",
                                           "\\",
                                           std::string(1, '\0'),
                                           "99999999999",
                                           "0",
                                           "[[",
                                           "\"\":",
                                           "1e308",
                                           "\\u12",
                                           "\xFF"};
  survive_rounds(3, [&pieces](std::string& text, RandomStream& random) {
    text.insert(random.below(text.size()), pieces[random.below(pieces.size())]);
  });
}

TEST(KinetoFuzz, SurvivesSwappedNumbers) {
  const std::vector<std::string> numbers = {"0",
                                            "-1",
                                            "4294967295",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "18446744073709551615",
                                            "1e18",
                                            "-9.9e18",
                                            "1e-300",
                                            "123456789012345678901234567890"};
  survive_rounds(4, [&numbers](std::string& text, RandomStream& random) {
    const std::size_t at = text.find_first_of("0123456789", random.below(text.size()));
    if (at == std::string::npos) return;
    const std::size_t end = text.find_first_not_of("0123456789.", at);
    text.replace(at, end == std::string::npos ? end : end - at,
                 numbers[random.below(numbers.size())]);
  });
}

}  // namespace
}  // namespace septet::test
