// Numbers the CPU threads of a recording and remembers the names that its metadata give them,
// which come before or after the events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/container_hash/hash.hpp>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

class ThreadTable {
 public:
  std::uint32_t index(std::int64_t process, std::int64_t thread);
  void name_process(std::int64_t process, std::string_view name);
  void name_thread(std::int64_t process, std::int64_t thread, std::string_view name);

  // The number that stands for an id that is text: negative, the same for equal texts.
  std::int64_t number_of(std::string_view id);

  // A thread without a name of its own has its process's.
  std::vector<RecordedThread> take();

 private:
  using Key = std::pair<std::int64_t, std::int64_t>;  // process, thread
  using Hash = boost::hash<Key>;

  std::vector<RecordedThread> threads_;
  std::unordered_map<Key, std::uint32_t, Hash> indices_;
  std::unordered_map<Key, std::string, Hash> thread_names_;
  std::unordered_map<std::int64_t, std::string> process_names_;
  std::unordered_map<std::string, std::int64_t> text_ids_;
  Key recent_{};
  std::uint32_t recent_index_ = 0;
};

}  // namespace septet::recorded
