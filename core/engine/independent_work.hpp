// Pieces of work that don't depend on one another, on several threads.
#pragma once

#include <cstddef>
#include <functional>

#include <tbb/task_arena.h>

namespace septet::engine {

// Calls `work` once for each number below `count`, on `threads` threads, each call a task of its
// own: neighbours are often alike. An exception ends the calls that have not begun and is thrown
// on.
void for_each_independent(std::size_t count, unsigned threads,
                          const std::function<void(std::size_t)>& work);

// The same on the threads of an arena.
void for_each_independent(std::size_t count, tbb::task_arena& arena,
                          const std::function<void(std::size_t)>& work);

}  // namespace septet::engine
