#include "tools/septet/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <thread>

#include <semaphore.h>
#include <unistd.h>

#include "core/files/staged_path.hpp"
#include "tools/septet/exit_code.hpp"

namespace septet::command {
namespace {

std::atomic<int> guards{0};
std::atomic<bool> signal_seen{false};
std::atomic<bool> ending{false};
sem_t end_wanted;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

// Only what POSIX allows in a signal handler: lock-free atomics and sem_post. It returns at once,
// since the interrupted thread may hold locks that cleanup needs.
void on_signal(int) {
  const bool first = !signal_seen.exchange(true);
  if (first && guards.load() > 0) return;
  if (!ending.exchange(true)) sem_post(&end_wanted);
}

// Sleeps until a signal arrives.
void end_when_wanted() {
  while (sem_wait(&end_wanted) != 0) {
  }
  files::abandon_staged();
  constexpr char kMessage[] = "septet: interrupted\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(kExitInterrupted);
}

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void install_interrupt_handlers() {
  sem_init(&end_wanted, 0, 0);
  std::thread(end_when_wanted).detach();
  handle(SIGINT);
  handle(SIGTERM);
  handle(SIGUSR1);  // the warning of a batch system
  if (!is_ignored(SIGHUP)) handle(SIGHUP);
}

InterruptGuard::InterruptGuard() { ++guards; }
InterruptGuard::~InterruptGuard() { --guards; }

bool interrupted() { return signal_seen.load(std::memory_order_relaxed); }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

void wait_if_ending() {
  while (ending.load()) pause();
}

}  // namespace septet::command
