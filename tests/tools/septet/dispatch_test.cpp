#include "tools/septet/dispatch.hpp"

#include <array>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tools/septet/exit_code.hpp"
#include "tools/septet/interrupt.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {
namespace {

using Words = std::vector<std::string>;

int succeed(const Words& words) { return words.empty() ? kExitOk : kExitObjective; }
int fail_usage(const Words&) { throw UsageError("no such colour", "septet usage"); }
int fail_input(const Words&) {
  throw ConfigError({"a.toml", 3, 7}, "streams: got \"\xFF\", wanted a number");
}
int fail_option(const Words&) { throw ConfigError({"--set"}, "gpu.clok: got an unknown key"); }
int fail_model(const Words&) { throw ModelError("clock outside of what was measured"); }
int fail_other(const Words&) { throw std::runtime_error("disk full"); }
int stop(const Words&) { throw Interrupted(); }

constexpr std::array kCommands = {Subcommand{"succeed", "works", succeed},
                                  Subcommand{"usage", "misused", fail_usage},
                                  Subcommand{"input", "bad file", fail_input},
                                  Subcommand{"model", "out of range", fail_model},
                                  Subcommand{"other", "out of luck", fail_other},
                                  Subcommand{"stop", "is interrupted", stop},
                                  Subcommand{"option", "wrong value", fail_option}};
constexpr CommandGroup kGroup = {"septet", "A sample.", [] { return std::string("1.2.3"); },
                                 kCommands};

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

Outcome run(const Words& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = run_program(kGroup, words);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(Dispatch, HandsTheWordsBehindTheNameToTheCommand) {
  EXPECT_EQ(run({"succeed"}).code, kExitOk);
  EXPECT_EQ(run({"succeed", "word"}).code, kExitObjective);
}

TEST(Dispatch, GivesEachKindOfErrorItsExitCode) {
  EXPECT_EQ(run({"usage"}).code, 2);
  EXPECT_EQ(run({"input"}).code, 3);
  EXPECT_EQ(run({"model"}).code, 1);
  EXPECT_EQ(run({"other"}).code, 1);
  EXPECT_EQ(run({"stop"}).code, 75);
}

TEST(Dispatch, AWrongValueOfAnOptionIsAMistakeOfTheCommandLine) {
  const Outcome outcome = run({"option", "--json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("error").at("kind"), "usage");
  EXPECT_EQ(outcome.err, "septet: error: --set: gpu.clok: got an unknown key\n");
}

TEST(Dispatch, WritesErrorsToStandardErrorAlone) {
  const Outcome outcome = run({"other"});
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "septet: error: disk full\n");
}

TEST(Dispatch, SaysWhoseHelpToRead) {
  EXPECT_EQ(run({"usage"}).err, "septet: error: no such colour\nTry 'septet usage --help'.\n");
  EXPECT_EQ(run({}).err, "septet: error: a command is missing\nTry 'septet --help'.\n");
}

TEST(Dispatch, WritesErrorsAsJsonToo) {
  const Outcome outcome = run({"input", "--json"});
  const auto error = nlohmann::json::parse(outcome.out).at("error");
  EXPECT_EQ(error.at("kind"), "input");
  EXPECT_EQ(error.at("exit_code"), 3);
  EXPECT_EQ(error.at("file"), "a.toml");
  EXPECT_EQ(error.at("line"), 3);
  EXPECT_EQ(error.at("column"), 7);
  // The stray byte becomes U+FFFD, because JSON has to be valid UTF-8.
  EXPECT_EQ(error.at("message"), "a.toml:3:7: streams: got \"\uFFFD\", wanted a number");
  EXPECT_NE(outcome.err, "");
}

TEST(Dispatch, SuggestsTheNearestCommand) {
  const Outcome outcome = run({"suceed"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.err.starts_with(
      "septet: error: unknown command 'suceed' (did you mean 'succeed'?)\n"))
      << outcome.err;
}

TEST(Dispatch, ListsEveryCommandInHelp) {
  for (const Words& words : {Words{"--help"}, Words{"-h"}, Words{"help"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0);
    for (const Subcommand& command : kCommands) {
      EXPECT_NE(outcome.out.find(std::string(command.summary)), std::string::npos);
    }
  }
}

TEST(Dispatch, AManualHasAPageForTheProgramAndEachCommand) {
  // The command here prints nothing for --help=man, so that the heads alone are left of its page.
  constexpr std::array kOne = {Subcommand{"succeed", "works", succeed}};
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_program({"septet", "A sample.", kGroup.version, kOne, "samples"}, {"--help=man"}),
            0);
  const std::string pages = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(pages.starts_with(".TH SEPTET 1 ")) << pages;
  for (const char* part :
       {"septet \\- samples\n", ".TH SEPTET-SUCCEED 1 ", "septet\\-succeed \\- works\n",
        ".SH COMMANDS\n.TP\n\\fBsucceed\\fR\nworks\n"}) {
    EXPECT_NE(pages.find(part), std::string::npos) << part << "\n" << pages;
  }
}

TEST(Dispatch, RefusesHelpInAFormatThatItDoesNotHave) {
  const Outcome outcome = run({"--help=html"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--help: got 'html', wanted man, bash or nothing"), std::string::npos);
}

TEST(Dispatch, PrintsTheVersion) { EXPECT_EQ(run({"--version"}).out, "septet 1.2.3\n"); }

}  // namespace
}  // namespace septet::command
