// Calls in processes of their own, each with a limit on its time and memory: what a call does to
// its process, be it a crash, ends that call alone.
//
// Processes are forked from the caller's and answer one call after the other; after a call that
// broke a limit a new one is forked. The caller waits for them in one thread: forking beside other
// threads, which may hold locks, isn't safe. About 0.05 ms a call.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/base/quantity.hpp"

namespace septet::engine {

struct CallLimits {
  std::optional<std::chrono::nanoseconds> time{};  // by the clock on the wall
  std::optional<Bytes> memory{};  // beyond what the process has before its first call
};

enum class CallEnd : std::uint8_t { kAnswered, kTimedOut, kOutOfMemory, kDied };

struct CallAnswer {
  CallEnd end = CallEnd::kAnswered;
  std::string text;  // what was answered, or how the process died
};

struct IsolatedCalls {
  std::size_t count = 0;
  unsigned processes = 1;
  CallLimits limits{};
  std::function<std::string(std::size_t)> work;                // in another process
  std::function<void(std::size_t, const CallAnswer&)> answer;  // in this one, in any order
  std::function<bool()> stop{};  // asked now and then; calls under way are given up then
};

// Calls `work` once for each number below `count`. False: stopped before the end. Throws
// std::system_error where no process can be started, and what `answer` throws.
bool run_isolated(const IsolatedCalls& calls);

}  // namespace septet::engine
