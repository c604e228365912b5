// Work that may crash or hang, tried first in a child process.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace septet::trace {

// Does `work` in a child process, silently. Empty where the child came back from it or from an
// exception that it threw; otherwise how the child ended: "Segmentation fault", or "did not end
// within 60 s" of CPU time. Throws std::system_error if no process can be created.
std::string fatal_end_of(const std::function<void()>& work, std::chrono::seconds limit);

}  // namespace septet::trace
