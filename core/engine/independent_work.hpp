// Pieces of work that don't depend on one another, on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace septet::engine {

// Calls `work` once for each number below `count`, on `threads` threads, each call a task of its
// own: neighbours are often alike. An exception ends the calls that have not begun and is thrown
// on.
void for_each_independent(std::size_t count, unsigned threads,
                          const std::function<void(std::size_t)>& work);

}  // namespace septet::engine
