// SIGINT and SIGTERM. Outside of an InterruptGuard either ends the command at once with exit code
// 75. Inside of one the signal is only remembered, so that long work can close its files; a second
// signal ends the command at once all the same.
#pragma once

#include <stdexcept>

namespace septet::command {

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

// Called once by main.
void install_interrupt_handlers();

// While one lives, whoever does long work asks `interrupted()` now and then.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

bool interrupted();
void throw_if_interrupted();  // Interrupted

}  // namespace septet::command
