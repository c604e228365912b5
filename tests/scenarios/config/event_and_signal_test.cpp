#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

const std::string kGroup = "[[stream]]\nname = \"b\"\ncount = 3\n";

TEST(Events, OfAGroupAreOneForEachStream) {
  const program::Program program =
      scenario_of(
          scenario_with("{ record = \"e\", stream = \"b\" }, { wait = \"e\", stream = \"s\" }",
                        kGroup))
          .program;
  EXPECT_EQ(program.events, 3U);
  const std::vector<program::Call>& calls = program.threads.at(0).calls;
  ASSERT_EQ(calls.size(), 6U);  // three records, then three waits on the one stream
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(*index_in(calls[i]), i);
    EXPECT_EQ(calls[i].stream, i + 1);
    EXPECT_EQ(*index_in(calls[3 + i]), i);
    EXPECT_EQ(calls[3 + i].stream, 0U);
  }
}

TEST(Events, KeepTheirWidth) {
  EXPECT_EQ(mistake_in(scenario_with(
                "{ record = \"e\", stream = \"b\" }, { record = \"e\", stream = \"s\" }", kGroup)),
            "test.toml:15:53: thread.t.steps.1.record: got 1 streams, wanted 3, as where 'e' is "
            "first recorded");
}

TEST(Events, ThatNobodyRecordsAreAMistake) {
  EXPECT_EQ(mistake_in(scenario_with("{ record = \"ready\" }, { wait = \"raedy\" }")),
            "test.toml:12:41: thread.t.steps.1.wait: got \"raedy\", wanted the name of an event "
            "recorded by some step (ready) (did you mean 'ready'?)");
}

// A second thread that posts `go` twice.
const std::string kPoster =
    "[[thread]]\nname = \"poster\"\nsteps = [{ repeat = 2, steps = [{ post = \"go\" }] }]\n";

TEST(Signals, AreAwaitedOnePostAfterAnother) {
  const program::Program program =
      scenario_of(scenario_with("{ repeat = 2, steps = [{ await = \"go\" }] }", kPoster)).program;
  EXPECT_EQ(program.signals, 1U);
  const std::vector<program::Call>& calls = program.threads.at(1).calls;
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(program::as<program::Await>(calls[0]).count, 1U);
  EXPECT_EQ(program::as<program::Await>(calls[1]).count, 2U);
}

TEST(Signals, MayBeAwaitedSeveralPostsAtOnce) {
  const program::Program program =
      scenario_of(scenario_with("{ await = \"go\", posts = 2 }", kPoster)).program;
  EXPECT_EQ(program::as<program::Await>(program.threads.at(1).calls.at(0)).count, 2U);
}

TEST(Signals, AwaitedMoreOftenThanPostedAreAMistake) {
  EXPECT_EQ(mistake_in(scenario_with("{ repeat = 3, steps = [{ await = \"go\" }] }", kPoster)),
            "test.toml:15:43: thread.t.steps.0.steps.0.await: got a wait for post 3, wanted at "
            "most the number of posts, 2");
}

}  // namespace
}  // namespace septet::config
