#include "models/workload/recorded/json/object_scanner.hpp"

#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "models/workload/recorded/json/rapidjson_reader.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {
namespace {

using Outcome = recorded::ObjectScanner::Outcome;

struct Scanned {
  Outcome outcome = Outcome::kNotPlain;
  std::size_t length = 0;  // of the object
  std::string tokens;
};

Scanned scan(const std::string& text) {
  const auto scanner = std::make_unique<recorded::ObjectScanner>();
  const std::string padded = text + std::string(recorded::ObjectScanner::kSlack, '\0');
  Scanned out;
  out.outcome = scanner->scan(std::string_view(padded).substr(0, text.size()));
  if (out.outcome != Outcome::kWhole) return out;
  out.length = static_cast<std::size_t>(scanner->end() - padded.data());
  for (const recorded::ObjectScanner::Token& token : scanner->tokens()) {
    out.tokens += "{}[]ktn-"[static_cast<std::size_t>(token.kind)];
    out.tokens += std::string(token.text) + ";";
  }
  return out;
}

// What RapidJSON makes of the same text, in the same words; empty: it refuses.
class Teller : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Teller> {
 public:
  bool Null() { return add('-', {}); }
  bool Bool(bool) { return add('-', {}); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    return add('n', {text, length});
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return add('t', {text, length});
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) { return add('k', {text, length}); }
  bool StartObject() { return add('{', {}); }
  bool EndObject(rapidjson::SizeType) { return add('}', {}); }
  bool StartArray() { return add('[', {}); }
  bool EndArray(rapidjson::SizeType) { return add(']', {}); }

  std::string told;

 private:
  bool add(char kind, std::string_view text) {
    told += kind;
    told += std::string(text) + ";";
    return true;
  }
};

std::string rapidjson_tokens(const std::string& text) {
  rapidjson::StringStream stream(text.c_str());
  rapidjson::Reader reader;
  Teller teller;
  if (reader.Parse<rapidjson::kParseNumbersAsStringsFlag>(stream, teller).IsError()) return {};
  return teller.told;
}

const std::string kEntry =
    R"x({"ph": "X", "name": "void k<float, 4>(int*)", "ts": 5106788221131.859, "dur":-3,)x"
    "\n    "
    R"("args": {"grid": [1, 20, 300], "none": null, "yes": true, "no": false, "e": {}, "a": []}})";

TEST(ObjectScanner, TellsWhatAFullParserTells) {
  const Scanned scanned = scan(kEntry);
  EXPECT_EQ(scanned.outcome, Outcome::kWhole);
  EXPECT_EQ(scanned.length, kEntry.size());
  EXPECT_EQ(scanned.tokens, rapidjson_tokens(kEntry));
}

TEST(ObjectScanner, StopsJustAfterTheObject) { EXPECT_EQ(scan(R"({"a":1} , {"b":2})").length, 7U); }

TEST(ObjectScanner, EveryBeginningOfAnObjectIsUnfinished) {
  for (std::size_t length = 0; length < kEntry.size(); ++length) {
    EXPECT_EQ(scan(kEntry.substr(0, length)).outcome, Outcome::kUnfinished) << length;
  }
}

TEST(ObjectScanner, LeavesWhatIsNotPlainToTheFullParser) {
  for (const std::string text :
       {R"({"a":"\n"})", R"({"a\"":1})", "{\"a\":\"\t\"}", "{\"a\":\x01 1}", R"({"a":1e5})",
        R"({"a":01})", R"({"a":1.})", R"({"a":.5})", R"({"a":+1})", R"({"a":nan})", R"({"a":tru })",
        R"({"a":1,})", R"({"a" 1})", R"({a:1})", R"({"a":[1,]})", R"({"a":-})",
        R"({"a":[[[[[[[[1]]]]]]]]})"}) {
    EXPECT_EQ(scan(text + "  ").outcome, Outcome::kNotPlain) << text;
  }
  EXPECT_EQ(scan("{\"a\":" + std::string(41, '1') + "}").outcome, Outcome::kNotPlain);
  EXPECT_EQ(scan("{\"a\":" + std::string(40, '1') + "}").outcome, Outcome::kWhole);
}

TEST(ObjectScanner, NeverAcceptsWhatAFullParserRefusesOrReadsOtherwise) {
  constexpr std::string_view kBytes = "{}[]\",:0123456789.-+eEtrufalsn \n\\\x01\x80\xff";
  for (unsigned seed = 1; seed <= 20'000; ++seed) {
    std::mt19937 random(seed);
    std::string text = kEntry;
    for (int change = 0; change < 2; ++change) {
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    const Scanned scanned = scan(text);
    if (scanned.outcome != Outcome::kWhole) continue;
    EXPECT_EQ(scanned.tokens, rapidjson_tokens(text.substr(0, scanned.length)))
        << "seed " << seed << ": " << text;
  }
}

// An odd entry makes the reader change over to the full parser and back.
TEST(PlainEntries, AnOddEntryBetweenPlainOnesChangesNothing) {
  const TemporaryDirectory directory;
  std::string entries;
  for (int n = 0; n < 5000; ++n) {  // several buffers full
    const std::string name = n % 7 == 3 ? R"(odd \u0041)" : "plain A";
    entries += (n == 0 ? "" : ",\n  ") + std::string(R"({"ph":"X","cat":"cpu_op","name":")") +
               name + R"(","ts":)" + std::to_string(n) + R"(.5,"dur":)" +
               (n % 11 == 5 ? "2e0" : "2") + R"(,"pid":1,"tid":2})";
  }
  const recorded::RecordedTrace trace = recorded::read_kineto(
      directory.write("t.json", R"({"traceEvents":[)" + entries + R"(],"baseTimeNanoseconds":7})"));
  ASSERT_EQ(trace.events.size(), 5000U);
  EXPECT_EQ(trace.entries, 5000U);
  EXPECT_EQ(trace.strings.size(), 2U);  // "plain A" and "odd A"
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    EXPECT_EQ(trace.events[n].start, Instant(static_cast<std::int64_t>(n) * 1'000'000));
    EXPECT_EQ(trace.events[n].duration, 2_us);
    EXPECT_EQ(trace.text(trace.events[n].name), n % 7 == 3 ? "odd A" : "plain A");
  }
}

TEST(PlainEntries, ACommaIsWantedBetweenEntries) {
  const TemporaryDirectory directory;
  const std::string entry =
      R"({"ph":"X","cat":"cpu_op","name":"a","ts":1,"dur":2,"pid":1,"tid":2})";
  EXPECT_THROW(
      recorded::read_kineto(directory.write("t.json", "[" + entry + "," + entry + entry + "]")),
      ConfigError);
}

}  // namespace
}  // namespace septet::test
