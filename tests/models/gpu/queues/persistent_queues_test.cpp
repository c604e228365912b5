// Queues alone, without an engine. A block reads every 2 us and sees what host memory held 1 us
// before the read is back; after an item a fence of 4 us.
#include "models/gpu/queues/persistent_queues.hpp"

#include <gtest/gtest.h>

#include "models/program/builder.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

using gpu::PersistentQueues;
using gpu::QueueItem;

constexpr std::uint32_t kWork = 70;

Instant at(Duration time) { return Instant() + time; }

// One queue and a kernel of 3 items.
struct OneQueue {
  explicit OneQueue(Duration work = 5_us) {
    program::ProgramBuilder builder;
    builder.queue();
    builder.thread();
    builder.push(0, work);
    program = builder.take();
  }

  void push(Duration now) {
    gpu::QueueItem item;
    item.call = &program.threads[0].calls[0];
    item.pushed = at(now);
    queues->push(item);
  }
  // The kernel has so many blocks on SMs from `now` on.
  void blocks(std::uint64_t count, Duration now) {
    queues->add_blocks(kernel, kWork, count, at(now));
  }

  program::Program program;
  const gpu::QueueSpec spec{2_us, 4_us};
  const program::PersistentWork kernel{0, 3};
  std::unique_ptr<gpu::PersistentQueues> queues;
};

std::unique_ptr<OneQueue> one_queue() {
  auto one = std::make_unique<OneQueue>();
  one->queues = std::make_unique<gpu::PersistentQueues>(one->spec, one->program);
  EXPECT_FALSE(one->queues->start(one->kernel, kWork));
  return one;
}

TEST(PersistentQueues, NothingIsTakenBeforeThereAreAnItemAndABlock) {
  const auto one = one_queue();
  EXPECT_EQ(one->queues->take(0), std::nullopt);
  one->push(1_us);
  EXPECT_EQ(one->queues->take(0), std::nullopt);
  EXPECT_EQ(one->queues->items_waiting(0), 1U);
  one->blocks(1, 10_us);
  EXPECT_NE(one->queues->take(0), std::nullopt);
  EXPECT_EQ(one->queues->items_waiting(0), 0U);
  EXPECT_EQ(one->queues->items_left(0), 2U);
}

TEST(PersistentQueues, AnItemThatWaitsIsSeenByTheFirstRead) {
  const auto one = one_queue();
  one->push(1_us);
  one->blocks(1, 10_us);
  const auto taken = one->queues->take(0);
  ASSERT_TRUE(taken);
  EXPECT_EQ(one->queues->item(taken->item).seen, at(12_us));
  EXPECT_EQ(one->queues->item(taken->item).cause, records::WaitCause::kStreamOrder);
  EXPECT_EQ(taken->done, at(17_us));
  EXPECT_EQ(taken->next, at(21_us));
}

TEST(PersistentQueues, ALaterItemIsSeenByTheFirstReadThatIsHalfWayAfterIt) {
  // Reads are issued at 10, 12, ... and half way at 11, 13, ...
  for (const auto& [pushed, seen] :
       {std::pair{11_us, 12_us}, {11_us + 1_ps, 14_us}, {13_us, 14_us}, {20_us, 22_us}}) {
    const auto one = one_queue();
    one->blocks(1, 10_us);
    one->push(pushed);
    const auto taken = one->queues->take(0);
    ASSERT_TRUE(taken);
    EXPECT_EQ(one->queues->item(taken->item).seen, at(seen));
  }
}

TEST(PersistentQueues, OfSeveralBlocksTheOneThatReadFirstTakesTheNextItem) {
  const auto one = one_queue();
  one->blocks(1, 10_us);
  one->blocks(2, 15_us);  // one more
  one->push(0_us);
  one->push(0_us);
  one->push(0_us);
  EXPECT_EQ(one->queues->take(0)->done, at(17_us));
  EXPECT_EQ(one->queues->take(0)->done, at(22_us));
  EXPECT_EQ(one->queues->take(0), std::nullopt) << "both work";
}

TEST(PersistentQueues, TheKernelEndsOnceItsLastItemIsDoneAndAllBlocksRead) {
  const auto one = one_queue();
  one->blocks(2, 10_us);
  std::vector<gpu::PersistentQueues::Taken> taken;
  for (int item = 0; item < 3; ++item) one->push(0_us);
  taken.push_back(*one->queues->take(0));
  taken.push_back(*one->queues->take(0));
  EXPECT_FALSE(one->queues->end(taken[0].item, taken[0].next));
  taken.push_back(*one->queues->take(0));
  EXPECT_EQ(taken[2].done, at(28_us));  // 21 + 2 + 5
  EXPECT_FALSE(one->queues->end(taken[1].item, taken[1].next)) << "one block still works";
  EXPECT_TRUE(one->queues->end(taken[2].item, taken[2].next));
  EXPECT_EQ(one->queues->finish(0, at(28_us)), at(32_us)) << "its last fence";
  EXPECT_EQ(one->queues->work(0), kNone);
}

TEST(PersistentQueues, BlocksThatComeAfterTheLastItemReadNothing) {
  const auto one = one_queue();
  one->queues->finish(0, at(5_us));
  EXPECT_FALSE(one->queues->add_blocks(one->kernel, kWork, 1, at(6_us)));
}

TEST(PersistentQueues, AKernelOfNoItemsEndsAtOnce) {
  OneQueue one;
  gpu::PersistentQueues queues(one.spec, one.program);
  EXPECT_TRUE(queues.start({0, 0}, kWork));
  EXPECT_EQ(queues.finish(0, at(5_us)), at(5_us));
}

TEST(PersistentQueues, ASecondKernelIsRefusedWhileOneTakesItems) {
  const auto one = one_queue();
  EXPECT_EQ(error_of<ModelError>([&] {
              one->queues->start({0, 1}, kWork + 1);
            }),
            "queue 0: a second kernel starts while one takes items from it");
}

TEST(PersistentQueues, ShowItemsOnceOneStandsForAKernel) {
  const auto one = one_queue();
  one->push(0_us);
  EXPECT_FALSE(one->queues->shows_items(0));
  program::as<program::PushItem>(one->program.threads[0].calls[0]).kernel = 0;
  one->push(0_us);
  EXPECT_TRUE(one->queues->shows_items(0));
}

}  // namespace
}  // namespace septet::test
