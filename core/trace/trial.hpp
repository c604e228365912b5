// Work that may crash or hang whoever does it, tried first in a process of its own.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace septet::trace {

// Does `work` in a child process, silently. Empty where the child came back from it or from an
// exception that it threw; otherwise how the child ended: "Segmentation fault", or "no end within
// 60 s" of CPU time. Throws std::system_error where no process can be made.
std::string fatal_end_of(const std::function<void()>& work, std::chrono::seconds limit);

}  // namespace septet::trace
