#include "tools/septet/interrupt.hpp"

#include <atomic>
#include <csignal>

#include <unistd.h>

#include "tools/septet/exit_code.hpp"

namespace septet::command {
namespace {

std::atomic<int> guards{0};
std::atomic<bool> signal_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

// Only what POSIX allows in a signal handler: lock-free atomics, write and _exit.
void on_signal(int) {
  const bool first = !signal_seen.exchange(true);
  if (first && guards.load() > 0) return;
  constexpr char kMessage[] = "septet: interrupted\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(kExitInterrupted);
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::InterruptGuard() { ++guards; }
InterruptGuard::~InterruptGuard() { --guards; }

bool interrupted() { return signal_seen.load(std::memory_order_relaxed); }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace septet::command
