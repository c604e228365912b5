// Persistent kernels and the queues that they take items from.
#include "tests/scenarios/config/testing.hpp"
#include "tests/support/calls.hpp"

namespace septet::config {
namespace {

// A persistent kernel p of four items, which starts in line 10.
const std::string kServer =
    "[[kernel]]\nname = \"p\"\ngrid = 2\nblock = 32\nqueue = \"q\"\nitems = 4\n";

TEST(PersistentKernel, TakesItemsFromItsQueue) {
  const program::Program program =
      scenario_of(scenario_with("{ launch = \"p\" }", kServer)).program;
  EXPECT_EQ(program.queues, 1U);
  const auto& work = std::get<program::PersistentWork>(program.kernels.at(1).work);
  EXPECT_EQ(work.queue, 0U);
  EXPECT_EQ(work.items, 4U);
}

// The CPU pays for a store, however many items it makes.
TEST(PersistentKernel, GetsTheItemsOfAStoreForThePriceOfOne) {
  const program::Program program =
      scenario_of(scenario_with("{ push = \"q\", items = 2, item_time = \"3 us\", times = 2 }, "
                                "{ await_items = \"q\", items = 3 }, { await_items = \"q\" }",
                                kServer))
          .program;
  const std::vector<program::Call>& calls = program.threads.at(0).calls;
  ASSERT_EQ(calls.size(), 6U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(calls[i].kind(), program::CallKind::kPushItem);
    EXPECT_EQ(test::time_in(calls[i]), 3_us);
    EXPECT_EQ(calls[i].cost, i % 2 == 0 ? program::kModelled : Duration(0)) << i;
  }
  EXPECT_EQ(program::as<program::AwaitItems>(calls[4]).count, 3U);  // the first three items
  EXPECT_EQ(program::as<program::AwaitItems>(calls[5]).count, 4U);  // and one more
}

TEST(PersistentKernel, NeedsAQueueAndANumberOfItems) {
  const std::string start = "[hardware]\ngpu = \"h200-sxm\"\n[[kernel]]\nname = \"p\"\ngrid = 1\n";
  EXPECT_EQ(mistake_in(start + "block = 32\nqueue = \"q\"\n"),
            "test.toml:3:1: kernel.p: got no items, wanted the key `items`: how many items the "
            "kernel takes");
  EXPECT_EQ(mistake_in(start + "block = 32\nitems = 3\n"),
            "test.toml:7:9: kernel.p.items: got items without a queue, wanted both");
  EXPECT_EQ(
      mistake_in(start + "block = 32\nqueue = \"q\"\nitems = 0\n"),
      "test.toml:8:9: kernel.p.items: got the integer 0, wanted a whole number of at least 1");
  EXPECT_EQ(mistake_in(start + "block = 32\nqueue = \"q\"\nitems = 1\nblock_time = \"1 us\"\n"),
            "test.toml:9:14: kernel.p.block_time: got a key of kernels with a known block time "
            "together with queue, wanted one of the two");
}

TEST(PersistentKernel, OwnsItsQueueAlone) {
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"p\" }",
                                     kServer + "[[kernel]]\nname = \"o\"\ngrid = 1\nblock = 32\n"
                                               "queue = \"q\"\nitems = 1\n")),
            "test.toml:20:9: kernel.o.queue: got \"q\" for the second time, wanted another name "
            "(the first is at test.toml:14:9)");
}

TEST(PersistentKernel, ItsQueueIsKnownByName) {
  EXPECT_EQ(mistake_in(scenario_with("{ push = \"Q\", item_time = \"1 us\" }", kServer)),
            "test.toml:18:19: thread.t.steps.0.push: got \"Q\", wanted the name of a queue from "
            "which some kernel takes items (q) (did you mean 'q'?)");
  EXPECT_EQ(mistake_in(scenario_with("{ push = \"q\" }", kServer)),
            "test.toml:18:10: thread.t.steps.0: got no item_time, wanted the key `item_time`: time "
            "that a block works on each item");
  EXPECT_EQ(mistake_in(scenario_with("{ await_items = \"q\", posts = 2 }", kServer)),
            "test.toml:18:31: thread.t.steps.0.posts: got a key that 'await_items' doesn't take, "
            "wanted one of: items");
}

TEST(PersistentKernel, ItsQueueBelongsToOneProcess) {
  const std::string other =
      "[[thread]]\nname = \"u\"\nprocess = 1\nsteps = [{ push = \"q\", item_time = \"1 us\" }]\n";
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"p\" }", kServer) + other),
            "test.toml:22:19: thread.u.steps.0.push: got queue 'q' of process 0, wanted a queue of "
            "the thread's process, 1");
}

TEST(PersistentKernel, ItsQueueIsServedByOneDevice) {
  const std::string text =
      scenario_with("{ launch = \"p\", stream = \"s\" }, { launch = \"p\", stream = \"d\" }",
                    kServer + "[[stream]]\nname = \"d\"\ndevice = 1\n");
  EXPECT_EQ(mistake_in(text, {"hardware.gpus=2"}),
            "test.toml:21:67: thread.t.steps.1.stream: got a stream of device 1, wanted one of "
            "device 0, which serves queue 'q' already");
}

// A copy to pageable memory isn't asynchronous in CUDA; one from it returns once it is staged.
TEST(Copies, ToPageableMemoryBlockUnlessTheStepSaysOtherwise) {
  const auto blocking = [](const std::string& keys) {
    const Scenario scenario = scenario_of(scenario_with("{ copy = \"1 MiB\", " + keys + " }"));
    return is_blocking(scenario.program.threads.at(0).calls.at(0));
  };
  EXPECT_TRUE(blocking("direction = \"device to host\", pinned = false"));
  EXPECT_FALSE(blocking("direction = \"device to host\""));
  EXPECT_FALSE(blocking("direction = \"host to device\", pinned = false"));
  EXPECT_FALSE(blocking("direction = \"device to host\", pinned = false, blocking = false"));
}

}  // namespace
}  // namespace septet::config
