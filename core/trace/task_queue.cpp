#include "core/trace/task_queue.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace septet::trace {

TaskQueue::TaskQueue(std::size_t capacity) : capacity_(capacity), thread_([this] { work(); }) {
  SEPTET_ASSERT(capacity > 0);
}

TaskQueue::~TaskQueue() { stop(); }

void TaskQueue::push(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  SEPTET_ASSERT(!stopping_);
  changed_.wait(lock, [this] { return tasks_.size() < capacity_ || error_ != nullptr; });
  if (error_ != nullptr) std::rethrow_exception(error_);
  tasks_.push_back(std::move(task));
  changed_.notify_all();
}

void TaskQueue::finish() {
  stop();
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void TaskQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TaskQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !tasks_.empty() || stopping_; });
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    changed_.notify_all();
    lock.unlock();
    run(task);
    lock.lock();
    if (error_ != nullptr) tasks_.clear();
  }
}

void TaskQueue::run(const std::function<void()>& task) {
  try {
    task();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    changed_.notify_all();
  }
}

}  // namespace septet::trace
