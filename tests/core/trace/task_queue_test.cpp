#include "core/trace/task_queue.hpp"

#include <atomic>
#include <future>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace septet::trace {
namespace {

TEST(TaskQueue, RunsTasksInOrderOnOneThread) {
  std::vector<int> order;  // written by the queue's thread only, read after it ended
  TaskQueue queue(3);
  for (int i = 0; i < 1000; ++i) queue.push([&order, i] { order.push_back(i); });
  queue.finish();
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(TaskQueue, HoldsBackWhoIsFaster) {
  std::promise<void> gate;
  std::promise<void> started;
  TaskQueue queue(2);
  queue.push([&] {
    started.set_value();
    gate.get_future().wait();
  });
  started.get_future().wait();
  queue.push([] {});
  queue.push([] {});  // now full: one runs, two wait
  std::atomic<bool> pushed = false;
  std::thread faster([&] {
    queue.push([] {});
    pushed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(pushed);
  gate.set_value();
  faster.join();
  queue.finish();
  EXPECT_TRUE(pushed);
}

TEST(TaskQueue, ThrowsTheFirstErrorOnAndDropsLaterTasks) {
  std::atomic<int> later = 0;
  TaskQueue queue(100);
  std::promise<void> gate;
  queue.push([&] { gate.get_future().wait(); });
  queue.push([] { throw std::runtime_error("first"); });
  queue.push([&] { ++later; });
  queue.push([] { throw std::runtime_error("second"); });
  gate.set_value();
  try {
    queue.finish();
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_EQ(later, 0);
}

TEST(TaskQueue, TellsWhoPushesOfAnError) {
  TaskQueue queue(1);
  queue.push([] { throw std::runtime_error("broken"); });
  EXPECT_THROW(
      {
        for (int i = 0; i < 3; ++i) queue.push([] {});  // cannot all fit before the error is known
        queue.finish();
      },
      std::runtime_error);
  EXPECT_THROW(queue.finish(), std::runtime_error);
}

TEST(TaskQueue, EndsWithoutFinish) {
  int ran = 0;
  {
    TaskQueue queue(4);
    queue.push([&] { ++ran; });
  }
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace septet::trace
