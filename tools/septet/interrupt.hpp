// SIGINT, SIGTERM, SIGUSR1 and SIGHUP. Outside of an InterruptGuard each ends the command with exit
// code 75 as soon as its temporary files are removed. Inside one the first signal is only recorded,
// so that long work can close its files; a second one ends the command immediately.
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

// Returns unless a signal is ending the process: failures in the meantime are not reported and
// don't change the exit code.
void wait_if_ending();

}  // namespace septet::command
