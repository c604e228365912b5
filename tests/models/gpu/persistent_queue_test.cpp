// Persistent kernels. Blocks start at 7 and read the queue every 2 us, from 7 on; a read shows what
// host memory holds half way, at 8, 10, ..., and is back at 9, 11, .... After an item a fence of
// 2 us. A look at the queue or a store to it costs the CPU 1 us.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec queue_system() {
  system::SystemSpec system = round_system();
  system.gpu.queue.read_round_trip = 2_us;
  system.gpu.queue.fence_round_trip = 2_us;
  system.host.queue_access_cost = 1_us;
  return system;
}

// Thread 0 launches a persistent kernel at 0; the calls that follow are those of thread 1.
struct Maker : program::ProgramBuilder {
  explicit Maker(std::uint64_t items, std::uint32_t blocks = 1) {
    queue();
    program::Kernel server = program::spin_kernel(blocks, 32, 0_us);
    server.work = program::PersistentWork{0, items};
    kernel(server);
    stream();
    thread();
    launch(0, 0);
    thread();
  }
};

TEST(PersistentQueue, AnItemIsSeenByTheFirstReadThatGetsToHostMemoryAfterIt) {
  Maker maker(1);
  maker.work(20_us);
  maker.push(0, 5_us);  // there at 21: the read that is half way at 22 is back at 23
  maker.await_items(0, 1);
  const TimedRun run(maker.take(), queue_system());
  // Done at 28; the host sees it at 29 and has looked at 30.
  EXPECT_EQ(run.call_end(1, 1), 30_us);
  EXPECT_EQ(run.call(1, 1).waited, 8_us);  // from 21 to 29
}

TEST(PersistentQueue, AReadThatIsHalfWayAtThatInstantSeesIt) {
  Maker in_time(1);
  in_time.work(21_us);
  in_time.push(0, 5_us);  // there at 22
  in_time.await_items(0, 1);
  EXPECT_EQ(TimedRun(in_time.take(), queue_system()).call_end(1, 1), 30_us);

  Maker late(1);
  late.work(21_us + 1_ps);
  late.push(0, 5_us);
  late.await_items(0, 1);
  EXPECT_EQ(TimedRun(late.take(), queue_system()).call_end(1, 1), 32_us);
}

TEST(PersistentQueue, ItemsThatWaitAreTakenByTheFirstRead) {
  Maker maker(1);
  maker.push(0, 5_us);  // there at 1, long before the kernel starts
  maker.await_items(0, 1);
  // Read at 9, done at 14, seen at 15.
  EXPECT_EQ(TimedRun(maker.take(), queue_system()).call_end(1, 1), 16_us);
}

// Two items of one store, there at 21.
program::Program two_items(std::uint32_t blocks) {
  Maker maker(2, blocks);
  maker.work(20_us);
  maker.push(0, 5_us);
  maker.push(0, 5_us, false);
  maker.await_items(0, 2);
  return maker.take();
}

TEST(PersistentQueue, OneBlockTakesItemsOneByOne) {
  // Done at 28, fence until 30, read until 32, done at 37, seen at 38.
  EXPECT_EQ(TimedRun(two_items(1), queue_system()).call_end(1, 2), 39_us);
}

TEST(PersistentQueue, SeveralBlocksTakeItemsAtTheSameTime) {
  EXPECT_EQ(TimedRun(two_items(2), queue_system()).call_end(1, 2), 30_us);
}

TEST(PersistentQueue, ItemsAreTakenInTheOrderInWhichTheyCame) {
  Maker maker(2);
  maker.work(20_us);
  maker.push(0, 50_us);
  maker.push(0, 5_us, false);
  maker.await_items(0, 1);
  // The long one first: 23 + 50, seen at 74.
  EXPECT_EQ(TimedRun(maker.take(), queue_system()).call_end(1, 2), 75_us);
}

TEST(PersistentQueue, FurtherItemsOfAStoreCostTheCpuNothing) {
  const TimedRun run(two_items(1), queue_system());
  EXPECT_EQ(run.call_end(1, 0), 21_us);
  EXPECT_EQ(run.call_end(1, 1), 21_us);
}

TEST(PersistentQueue, DoneItemsNeedNoWaiting) {
  Maker maker(1);
  maker.push(0, 5_us);
  maker.work(100_us);
  maker.await_items(0, 1);
  const records::ApiCallRecord call = TimedRun(maker.take(), queue_system()).call(1, 1);
  EXPECT_EQ(call.end - call.start, 1_us);
  EXPECT_EQ(call.waited, 0_us);
}

TEST(PersistentQueue, TheKernelEndsWhenTheFenceOfItsLastItemHas) {
  const TimedRun run(two_items(1), queue_system());
  EXPECT_EQ(run.start(0), 7_us);
  EXPECT_EQ(run.end(0), 39_us);  // 37 + 2
}

TEST(PersistentQueue, AKernelOfNoItemsEndsAtOnce) {
  Maker maker(0);
  EXPECT_EQ(TimedRun(maker.take(), queue_system()).end(0), 7_us);
}

TEST(PersistentQueue, ItemsBeyondThoseOfTheKernelStayWhereTheyAre) {
  Maker maker(1);
  maker.push(0, 5_us);
  maker.push(0, 5_us, false);
  maker.await_items(0, 1);
  const TimedRun run(maker.take(), queue_system());
  EXPECT_EQ(run.end(0), 16_us);  // 14 + 2
}

TEST(PersistentQueue, TheStreamGoesOnWhenTheKernelHasEnded) {
  program::Program program = two_items(1);
  program::ProgramBuilder empty;
  program.kernels.push_back(program::spin_kernel(1, 32, 3_us));
  append(program, program::CallKind::kLaunchKernel, 1, 0);
  EXPECT_EQ(TimedRun(program, queue_system()).start(0, 1), 40_us);
}

}  // namespace
}  // namespace septet::test
