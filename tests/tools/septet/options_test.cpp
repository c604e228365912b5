#include "tools/septet/options.hpp"

#include <gtest/gtest.h>

namespace septet::command {
namespace {

struct Values {
  CommonOptions common;
  std::vector<std::string> what_ifs;
  std::string file;
  std::string format = "perfetto";
  std::uint64_t streams = 3;
  double fraction = 0.5;
  Duration mean{};
  Duration end{};
  bool parsed = false;
};

Values parse(const std::vector<std::string>& arguments) {
  Values values;
  Options options({"septet sample", "FILE [options]", "Does nothing.", "septet sample a.toml"});
  options.common(values.common, {Common::kJson, Common::kThreads, Common::kSeed, Common::kSet});
  options.texts("what-if", "NAME", values.what_ifs, "a variation");
  options.choice("format", values.format, {"perfetto", "chrome", "csv"}, "the format");
  options.count("streams", values.streams, "number of streams", 1, 8);
  options.number("fraction", values.fraction, "a share", 0, 1);
  options.duration("mean", values.mean, "mean time");
  options.duration("end", values.end, "end of the run", "us");
  options.positional("FILE", values.file);
  values.parsed = options.parse(arguments);
  return values;
}

// The message of the UsageError that these arguments cause.
std::string mistake(const std::vector<std::string>& arguments) {
  try {
    parse(arguments);
  } catch (const UsageError& error) {
    EXPECT_EQ(error.command(), "septet sample");
    return error.what();
  }
  return "no error";
}

TEST(Options, ReadsTimesInTheUnitOfTheOptionWhereItHasOne) {
  EXPECT_EQ(parse({"a", "--end", "2.5"}).end, Duration(2'500'000));  // us, of 10^6 ps
  EXPECT_EQ(parse({"a", "--end", "2.5 ns"}).end, Duration(2'500));
  EXPECT_NE(mistake({"a", "--mean", "2.5"}), "no error");
  EXPECT_NE(mistake({"a", "--end", "2.5 apples"}), "no error");
}

TEST(Options, KeepTheirDefaultsWhereNothingIsGiven) {
  const Values values = parse({"a.toml"});
  EXPECT_TRUE(values.parsed);
  EXPECT_EQ(values.file, "a.toml");
  EXPECT_EQ(values.streams, 3U);
  EXPECT_EQ(values.common.threads, 1U);
  EXPECT_FALSE(values.common.json);
}

TEST(Options, ReadValuesBeforeAndAfterTheFile) {
  const Values values = parse({"--streams=8", "a.toml", "--format", "csv", "--what-if", "x",
                               "--fraction", "0.25", "--mean", "2.5 us", "--what-if=y", "--json",
                               "--seed", "18446744073709551615", "--set", "gpu.sms=4"});
  EXPECT_EQ(values.streams, 8U);
  EXPECT_EQ(values.format, "csv");
  EXPECT_EQ(values.what_ifs, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(values.fraction, 0.25);
  EXPECT_EQ(values.mean, Duration(2'500'000));  // 2.5 us = 2.5e6 ps
  EXPECT_TRUE(values.common.json);
  EXPECT_EQ(values.common.seed, 18446744073709551615U);  // 2^64 - 1
  EXPECT_EQ(values.common.settings, std::vector<std::string>{"gpu.sms=4"});
}

TEST(Options, UseAllCoresForZeroThreads) {
  EXPECT_GE(parse({"a.toml", "--threads", "0"}).common.threads, 1U);
}

TEST(Options, TakeWordsBehindTwoDashesAsFiles) {
  EXPECT_EQ(parse({"--", "--json"}).file, "--json");
}

TEST(Options, RefuseShortenedNames) {
  EXPECT_EQ(mistake({"a.toml", "--see", "3"}),
            "unknown option '--see' (did you mean '--seed' or '--set'?)");
}

TEST(Options, RefuseValuesThatAreNotWholeNumbersInRange) {
  // A negative number must not wrap around to a huge one.
  const std::string wanted = ", wanted a whole number from 1 to 8";
  for (const std::string text : {"-1", "0", "9", "2.5", "8x", "99999999999999999999"}) {
    EXPECT_EQ(mistake({"a.toml", "--streams=" + text}), "--streams: got '" + text + "'" + wanted);
  }
}

TEST(Options, RefuseNumbersOutsideTheirRange) {
  for (const std::string text : {"nan", "inf", "-0.1", "1.1", "1e400", "half"}) {
    EXPECT_EQ(mistake({"a.toml", "--fraction=" + text}),
              "--fraction: got '" + text + "', wanted a number from 0 to 1");
  }
}

TEST(Options, NameTheChoices) {
  EXPECT_EQ(mistake({"a.toml", "--format", "chrom"}),
            "--format: got 'chrom', wanted one of perfetto, chrome, csv (did you mean 'chrome'?)");
}

TEST(Options, RefuseATimeWithoutUnit) {
  EXPECT_TRUE(mistake({"a.toml", "--mean", "5"}).starts_with("--mean: "));
}

TEST(Options, RefuseTwoValuesForOneOption) {
  EXPECT_EQ(mistake({"a.toml", "--streams", "1", "--streams", "2"}),
            "--streams is given more than once");
}

TEST(Options, RefuseASettingWithoutKeyOrValue) {
  EXPECT_EQ(mistake({"a.toml", "--set", "seed"}), "--set: got 'seed', wanted KEY=VALUE");
  EXPECT_EQ(mistake({"a.toml", "--set", "=1"}), "--set: got '=1', wanted KEY=VALUE");
}

TEST(Options, CountTheWordsWithoutAName) {
  EXPECT_EQ(mistake({}), "FILE is missing");
  EXPECT_EQ(mistake({"a.toml", "b.toml"}), "unexpected argument 'b.toml'");
}

TEST(Options, RefuseAMissingValue) {
  EXPECT_NE(mistake({"a.toml", "--streams"}).find("streams"), std::string::npos);
}

TEST(Options, RefuseAnEmptyValue) {
  EXPECT_EQ(mistake({"a.toml", "--what-if", ""}), "--what-if: got an empty text, wanted NAME");
  EXPECT_NE(mistake({"a.toml", "--what-if="}).find("--what-if"), std::string::npos);
  EXPECT_EQ(mistake({"a.toml", "--streams", ""}), "--streams: got an empty text, wanted N");
  EXPECT_EQ(mistake({""}), "got an empty text, wanted FILE");
}

TEST(Options, RefuseAnotherOptionInPlaceOfAValue) {
  EXPECT_EQ(mistake({"a.toml", "--what-if", "--json"}),
            "--what-if: got the option '--json', wanted NAME");
  EXPECT_EQ(mistake({"--what-if", "--nonsense", "a.toml"}),
            "--what-if: got the option '--nonsense', wanted NAME");
  EXPECT_EQ(parse({"a.toml", "--what-if=--json"}).what_ifs, std::vector<std::string>{"--json"});
  EXPECT_EQ(parse({"a.toml", "--what-if", "-1"}).what_ifs, std::vector<std::string>{"-1"});
}

TEST(Options, RefuseAFlagThatIsThereTwice) {
  EXPECT_EQ(mistake({"a.toml", "--json", "--json"}), "--json is given more than once");
}

std::string printed(const std::string& format) {
  testing::internal::CaptureStdout();
  EXPECT_FALSE(parse({format}).parsed);
  return testing::internal::GetCapturedStdout();
}

TEST(Options, AreTheOptionsOfTheManualPage) {
  const std::string page = printed("--help=man");
  for (const char* part : {".SH SYNOPSIS\n.EX\nseptet sample FILE [options]\n.EE\n",
                           ".SH DESCRIPTION\nDoes nothing.\n",
                           ".TP\n\\fB\\-\\-what\\-if\\fR \\fINAME\\fR\na variation\n",
                           ".SH EXAMPLE\n.EX\nseptet sample a.toml\n.EE\n",
                           ".TP\n\\fB3\\fR\nan input file is missing or invalid\n"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
  }
}

TEST(Options, AreTheOptionsOfTheCompletions) {
  const std::string entry = printed("--help=bash");
  for (const char* part :
       {"    'sample')\n      options='--help --json --threads --seed --set --what-if",
        "--format) takes='value' kind='' values='perfetto chrome csv' ;;",
        "--streams) takes='value' kind='' values='' ;;", "*) takes='' kind='file' values='' ;;"}) {
    EXPECT_NE(entry.find(part), std::string::npos) << part << "\n" << entry;
  }
}

TEST(Options, ShowHelpWithoutLookingAtTheRest) {
  testing::internal::CaptureStdout();
  const Values values = parse({"--streams", "nonsense", "--help"});
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_FALSE(values.parsed);
  for (const char* part : {"Usage: septet sample FILE", "Does nothing.", "--what-if NAME",
                           "--format perfetto|chrome|csv", "septet sample a.toml",
                           "Exit codes:", "3   an input file is missing or invalid"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part << "\n" << help;
  }
}

}  // namespace
}  // namespace septet::command
