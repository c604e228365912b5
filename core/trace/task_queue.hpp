// One thread that runs tasks in the order in which they were pushed. The queue is bounded: a
// producer faster than the thread waits. The first exception of a task drops all later tasks and is
// rethrown by the next push or finish.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace septet::trace {

class TaskQueue {
 public:
  explicit TaskQueue(std::size_t capacity);
  ~TaskQueue();  // runs what was pushed, then ends the thread; drops an error
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  void push(std::function<void()> task);
  void finish();  // runs what was pushed, ends the thread; nothing may be pushed afterwards

 private:
  void work();
  void run(const std::function<void()>& task);
  void stop();

  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::exception_ptr error_;
  bool stopping_ = false;
  std::thread thread_;  // last, so that it starts when all else is there
};

}  // namespace septet::trace
