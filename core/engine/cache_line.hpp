// How memory is shared between the cores of a processor.
#pragma once

#include <cstddef>

namespace septet::engine {

constexpr std::size_t kCacheLine = 64;

// How far apart data of different threads must lie so that they do not slow one another down: two
// lines, because processors fetch them in pairs.
constexpr std::size_t kDestructiveInterference = 2 * kCacheLine;

}  // namespace septet::engine
