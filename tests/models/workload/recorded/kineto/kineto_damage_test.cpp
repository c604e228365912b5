// Files that are damaged, cut short or no traces at all: read as far as possible with the anomaly
// counted, or refused with file, line or byte, and reason.
#include <gtest/gtest.h>

#include "models/workload/recorded/recorded_reader.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {
namespace {

const std::string kTwo = "{\"traceEvents\": [\n" + operation(R"("ts": 1, "dur": 1)") + ",\n" +
                         operation(R"("ts": 2, "dur": 1)") + "\n]}";

TEST(KinetoFile, MayBeABareArray) {
  const recorded::RecordedTrace trace = read_text("[" + kernel("1") + "," + kernel("2") + "]");
  EXPECT_EQ(trace.events.size(), 2U);
  EXPECT_TRUE(read_text("[]").events.empty());
  EXPECT_EQ(anomaly(read_text("[]"), "the file has no entries"), 1U);
}

TEST(KinetoFile, HasItsPropertiesBeforeOrAfterTheEvents) {
  const std::string events = R"("traceEvents": [)" + kernel("1") + "]";
  const std::string properties =
      R"("deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132}, {"id": 1, "name":
      "NVIDIA H200", "numSms": 132}], "distributedInfo": {"backend": "nccl", "rank": 3,
      "world_size": 8, "pg_config": [{"rank": 77}]})";
  for (const std::string& text :
       {"{" + events + "," + properties + "}", "{" + properties + "," + events + "}"}) {
    const recorded::RecordedTrace trace = read_text(text);
    ASSERT_EQ(trace.devices.size(), 2U);
    EXPECT_EQ(trace.devices[1].id, 1);
    EXPECT_EQ(trace.devices[0].name, "NVIDIA H200");
    EXPECT_EQ(trace.devices[0].sm_count, 132U);
    EXPECT_EQ(trace.rank, 3);
    EXPECT_EQ(trace.world_size, 8);
    EXPECT_TRUE(trace.anomalies.contains("kernels without a grid"));
    EXPECT_EQ(trace.anomalies.size(), 1U);
  }
}

TEST(KinetoFile, CountsOddProperties) {
  const recorded::RecordedTrace trace = read_text(
      R"({"deviceProperties": [{"id": 1, "numSms": -5}, {"id": 1}, {"name": "x"}, {"id": 70000}],
      "distributedInfo": {"rank": "one"}, "baseTimeNanoseconds": 1.5, "traceEvents": [)" +
      operation(R"("ts": 1, "dur": 1)") + "]}");
  EXPECT_EQ(trace.devices.size(), 1U);
  EXPECT_EQ(anomaly(trace, "deviceProperties with an impossible numSms"), 1U);
  EXPECT_EQ(anomaly(trace, "duplicate deviceProperties of a device (the first are used)"), 1U);
  EXPECT_EQ(anomaly(trace, "deviceProperties without a usable id"), 2U);
  EXPECT_EQ(anomaly(trace, "distributedInfo with a rank or size that is not an integer"), 1U);
  EXPECT_EQ(anomaly(trace, "baseTimeNanoseconds is not an integer, taken as 0"), 1U);
  EXPECT_EQ(trace.rank, -1);
}

TEST(KinetoFile, CutAfterAnEntryKeepsIt) {
  const std::size_t second = kTwo.rfind("aten::add");
  const recorded::RecordedTrace trace = read_text(kTwo.substr(0, second));
  EXPECT_EQ(trace.events.size(), 1U);
  EXPECT_EQ(trace.cut_at_byte, static_cast<std::int64_t>(second));
  EXPECT_EQ(anomaly(trace, "the file is truncated"), 1U);
  EXPECT_EQ(read_text(kTwo).cut_at_byte, -1);
}

TEST(KinetoFile, CutBeforeItsFirstEntryIsRefused) {
  const std::size_t middle = kTwo.find("aten::add");
  EXPECT_EQ(error_of(kTwo.substr(0, middle)),
            "trace.json:2: the file ends before the first complete entry (byte " +
                std::to_string(middle) + ")");
}

TEST(KinetoFile, CutInTheMiddleOfGzipKeepsCompleteEntries) {
  std::string entries = operation(R"("ts": 1, "dur": 1)");
  for (int i = 0; i < 20'000; ++i) {
    entries += ",\n" + operation("\"ts\": " + std::to_string(i * i) + ", \"dur\": 1");
  }
  const std::string packed = gzip("{\"traceEvents\": [" + entries + "]}");
  const recorded::RecordedTrace trace = read_text(packed.substr(0, packed.size() / 2));
  EXPECT_GT(trace.events.size(), 5'000U);
  EXPECT_LT(trace.events.size(), 15'000U);
  EXPECT_EQ(anomaly(trace, "the gzip data are truncated"), 1U);
  EXPECT_EQ(anomaly(trace, "the file is truncated"), 1U);
}

TEST(KinetoFile, GzipThatLosesOnlyItsChecksumIsReadAndCounted) {
  const std::string packed = gzip(kTwo);
  const recorded::RecordedTrace trace = read_text(packed.substr(0, packed.size() - 3));
  EXPECT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(anomaly(trace, "the gzip data are truncated"), 1U);
  EXPECT_EQ(trace.cut_at_byte, -1);
}

TEST(KinetoFile, GzipMayHaveSeveralMembers) {
  const std::string packed = gzip(kTwo.substr(0, 40)) + gzip("") + gzip(kTwo.substr(40));
  const recorded::RecordedTrace trace = read_text(packed + std::string(100, '\0'));
  EXPECT_EQ(trace.events.size(), 2U);
  EXPECT_TRUE(trace.anomalies.empty());
  EXPECT_EQ(anomaly(read_text(packed + "junk"), "bytes after the gzip data"), 4U);
}

TEST(KinetoFile, DamagedGzipIsRefused) {
  std::string packed = gzip(kTwo);
  packed[packed.size() - 6] ^= 1;  // in the checksum
  EXPECT_NE(error_of(packed).find("the gzip data are damaged: incorrect data check"),
            std::string::npos);
}

TEST(KinetoFile, IsCompressedByContentNotByName) {
  EXPECT_EQ(read_text(gzip(kTwo), "trace.json").events.size(), 2U);
  EXPECT_EQ(anomaly(read_text(kTwo, "trace.json.gz"), "named .gz, but not compressed"), 1U);
  EXPECT_NE(error_of("not a trace", "trace.json.gz"), "");
}

TEST(KinetoFile, EmptyIsRefused) {
  const std::string message = ":1: the file is empty; wanted a JSON object or array (byte ";
  EXPECT_EQ(error_of(""), "trace.json" + message + "0)");
  EXPECT_EQ(error_of("  "), "trace.json" + message + "2)");
  EXPECT_EQ(error_of(gzip("")), "trace.json" + message + "0)");
}

TEST(KinetoFile, MissingOrDirectoryIsRefused) {
  const TemporaryDirectory directory;
  EXPECT_THROW(recorded::read_recorded(directory.path().string()), ConfigError);
  EXPECT_THROW(recorded::read_recorded((directory.path() / "none").string()), ConfigError);
  EXPECT_THROW(recorded::read_kineto(directory.path().string()), ConfigError);
}

TEST(KinetoFile, BrokenJsonIsRefusedWithItsLineAndByte) {
  const std::string text = "{\"traceEvents\": [\n" + kernel("1") + ",\n" + "{\"ph\" \"X\"}]}";
  EXPECT_EQ(error_of(text),
            "trace.json:3: not valid JSON: Missing a colon after a name of object member. (byte " +
                std::to_string(text.find("\"X\"}]}")) + ")");
  EXPECT_NE(error_of(kTwo + kTwo), "");
  EXPECT_NE(error_of("{\"traceEvents\": [{\"name\": \"a\"b\"}]}"), "");
  EXPECT_NE(error_of("{\"traceEvents\": [{\"name\": \"\\x\"}]}"), "");
}

TEST(KinetoFile, LinesCountThoseInsideStringsToo) {
  EXPECT_EQ(error_of("[{\"name\": \"a\nb\nc\"},\n oops]").substr(0, 13), "trace.json:4:");
}

TEST(KinetoFile, OfOtherJsonIsRefused) {
  EXPECT_EQ(error_of("{\"nodes\": []}"),
            "trace.json: the JSON object has no traceEvents; not a Kineto trace");
  EXPECT_NE(error_of("{\"traceEvents\": {}}").find("traceEvents is an object"), std::string::npos);
  EXPECT_NE(error_of("{\"traceEvents\": 3}").find("not an array"), std::string::npos);
  EXPECT_NE(error_of("17"), "");
  EXPECT_NE(error_of("\xFF\xFE{\0}"), "");
}

TEST(KinetoFile, NestedTooDeeplyIsRefusedBeforeTheStackEnds) {
  const auto nested = [](std::size_t levels) {
    return "[{\"args\": {\"a\": " + std::string(levels, '[') + std::string(levels, ']') + "}}]";
  };
  EXPECT_EQ(error_of(nested(900)), "");
  EXPECT_NE(error_of(nested(1000)).find("nested more than 1000 deep"), std::string::npos);
  EXPECT_NE(error_of(std::string(10'000'000, '[')), "");
}

TEST(KinetoFile, MayStartWithAByteOrderMark) {
  const recorded::RecordedTrace trace = read_text("\xEF\xBB\xBF" + kTwo);
  EXPECT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(anomaly(trace, "byte order mark"), 1U);
  EXPECT_EQ(error_of("\xEF\xBB\xBF[oops"), "trace.json:1: not valid JSON: Invalid value. (byte 4)");
}

TEST(KinetoFile, MayHoldControlCharactersAndNul) {
  const std::string name = std::string("a\x01") + '\0' + "\nb";
  const recorded::RecordedTrace trace = read_entries(
      "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"ts\": 1, \"dur\": 1, \"name\": \"" + name + "\"}");
  EXPECT_EQ(trace.text(trace.events[0].name), "a   b");
  EXPECT_EQ(anomaly(trace, "control characters in strings, replaced by spaces"), 3U);
}

TEST(KinetoFile, MayHoldTextThatIsNotUtf8) {
  const recorded::RecordedTrace trace = read_entries(
      "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"ts\": 1, \"name\": \"\xC3\xA9\xFFx\\u0000\"}");
  EXPECT_EQ(trace.text(trace.events[0].name), "\xC3\xA9\xEF\xBF\xBDx\xEF\xBF\xBD");
  EXPECT_EQ(anomaly(trace, "names that are not valid UTF-8"), 1U);
}

TEST(KinetoFile, MayHoldNamesOfMegabytes) {
  const std::string name(5'000'000, 'n');
  const recorded::RecordedTrace trace =
      read_entries(R"({"ph": "X", "cat": "cpu_op", "ts": 1, "dur": 1, "name": ")" + name + "\"}," +
                   operation(R"("ts": 2)"));
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.text(trace.events[0].name), name);
}

TEST(RecordedReader, TellsTheFormatByContent) {
  const TemporaryDirectory directory;
  EXPECT_EQ(recorded::read_recorded(directory.write("a", kTwo)).events.size(), 2U);
  EXPECT_EQ(recorded::read_recorded(directory.write("b", gzip(kTwo))).events.size(), 2U);
  try {
    recorded::read_recorded(directory.write("c", "PK\x03\x04"));
    FAIL() << "a zip file was accepted";
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("recording: got a zip archive (unpack it), wanted "
                           "Kineto JSON (plain or gzip)"),
              std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace septet::test
