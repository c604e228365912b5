// SIGINT, SIGTERM and SIGHUP. Outside of an InterruptGuard each ends the command with exit code 75
// as soon as what it had made aside is removed. Inside of one the first signal is only remembered,
// so that long work can close its files; a second one ends the command all the same.
#pragma once

#include <stdexcept>

namespace septet::command {

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

// Called once by main. A SIGHUP that is ignored (nohup) stays so.
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

// Returns unless the process is being ended by a signal: what fails meanwhile is not to be told,
// and its exit code is no other's.
void wait_if_ending();

}  // namespace septet::command
