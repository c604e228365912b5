// SIGINT and SIGTERM. Outside an InterruptGuard either ends the command immediately with exit code
// 75. Inside one, the signal is only recorded, so that long work can close its files; a second
// signal ends the command immediately.
#pragma once

#include <stdexcept>

namespace septet::command {

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

// Called once by main.
void install_interrupt_handlers();

// While one exists, long work polls `interrupted()`.
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
