#include "models/workload/recorded/recording/thread_table.hpp"

#include <utility>

namespace septet::recorded {
namespace {

// Far from any real id, so that the stand-ins for ids in text can't meet one.
constexpr std::int64_t kFirstTextId = -1'000'000'000'000;

}  // namespace

std::uint32_t ThreadTable::index(std::int64_t process, std::int64_t thread) {
  const Key key{process, thread};
  if (!threads_.empty() && key == recent_) return recent_index_;
  const auto next = static_cast<std::uint32_t>(threads_.size());
  const auto [found, added] = indices_.try_emplace(key, next);
  if (added) threads_.push_back({.process = process, .thread = thread, .name = {}});
  recent_ = key;
  return recent_index_ = found->second;
}

void ThreadTable::name_process(std::int64_t process, std::string_view name) {
  process_names_[process] = name;
}

void ThreadTable::name_thread(std::int64_t process, std::int64_t thread, std::string_view name) {
  thread_names_[{process, thread}] = name;
}

std::int64_t ThreadTable::number_of(std::string_view id) {
  const std::int64_t next = kFirstTextId - static_cast<std::int64_t>(text_ids_.size());
  return text_ids_.try_emplace(std::string(id), next).first->second;
}

std::vector<RecordedThread> ThreadTable::take() {
  for (RecordedThread& thread : threads_) {
    const auto own = thread_names_.find({thread.process, thread.thread});
    const auto process = process_names_.find(thread.process);
    if (own != thread_names_.end()) {
      thread.name = own->second;
    } else if (process != process_names_.end()) {
      thread.name = process->second;
    }
  }
  return std::move(threads_);
}

}  // namespace septet::recorded
