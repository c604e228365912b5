#include "core/trace/trial.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace septet::trace {
namespace {

constexpr int kCameBack = 77;  // no exit status that a library or a sanitizer gives

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// Whatever the process has of its own for crashes, such as a handler or a message, is the parent's.
void keep_quiet() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void run_child(const std::function<void()>& work, std::chrono::seconds most) {
  keep_quiet();
  limit(RLIMIT_CPU, static_cast<rlim_t>(most.count()));
  try {
    work();
  } catch (...) {  // the parent will meet it, too, and can say what it is
  }
  _exit(kCameBack);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return status;
}

}  // namespace

std::string fatal_end_of(const std::function<void()>& work, std::chrono::seconds limit) {
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) run_child(work, limit);
  const int status = wait_for(child);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    // The kernel's own limit gives SIGXCPU, then SIGKILL.
    if (signal == SIGXCPU || signal == SIGKILL) {
      return "did not end within " + std::to_string(limit.count()) + " s";
    }
    return strsignal(signal);
  }
  if (WEXITSTATUS(status) == kCameBack) return {};
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace septet::trace
