#include "core/engine/isolated_calls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.hpp"

namespace septet::engine {
namespace {

using Clock = std::chrono::steady_clock;

// Before the text of an answer.
struct Head {
  CallEnd end = CallEnd::kAnswered;
  std::uint64_t size = 0;
};

bool read_all(int descriptor, void* to, std::size_t size) {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = read(descriptor, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int descriptor, const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t put = send(descriptor, at, size, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

// Of a forked process, without what its parent has registered for the end.
[[noreturn]] void end_this_process(int code) { std::_Exit(code); }

// A limit of the address space: memory is refused where it is asked for, not taken when used.
void limit_memory(Bytes memory) {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const auto now = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const rlim_t most = now + static_cast<std::uint64_t>(memory.count());
  const rlimit limit{most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) end_this_process(EXIT_FAILURE);
}

CallAnswer answer_of(const IsolatedCalls& calls, std::size_t call) {
  try {
    return {CallEnd::kAnswered, calls.work(call)};
  } catch (const std::bad_alloc&) {
    return {CallEnd::kOutOfMemory, ""};
  } catch (const std::exception& error) {
    return {CallEnd::kDied, error.what()};
  }
}

// Signals that ask for an end are the caller's to act on.
constexpr std::array kCallersSignals = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

// While it exists, those wait: a new process must not run the caller's handlers.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t waiting;
    sigemptyset(&waiting);
    for (const int number : kCallersSignals) sigaddset(&waiting, number);
    sigprocmask(SIG_BLOCK, &waiting, &before_);
  }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
  ~SignalsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// The life of another process: ends with its parent, and after a call that used up its memory.
[[noreturn]] void serve(const IsolatedCalls& calls, int descriptor) {
  for (const int number : kCallersSignals) signal(number, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (calls.limits.memory) limit_memory(*calls.limits.memory);
  std::size_t call = 0;
  while (read_all(descriptor, &call, sizeof(call))) {
    const CallAnswer answer = answer_of(calls, call);
    const Head head{answer.end, answer.text.size()};
    if (!write_all(descriptor, &head, sizeof(head))) break;
    if (!write_all(descriptor, answer.text.data(), answer.text.size())) break;
    if (answer.end == CallEnd::kOutOfMemory) break;
  }
  end_this_process(EXIT_SUCCESS);
}

struct Worker {
  pid_t process = -1;
  int descriptor = -1;
  std::size_t served = 0;  // calls
  std::optional<std::size_t> call{};
  Clock::time_point deadline{};
  std::string received{};
};

class Pool {
 public:
  explicit Pool(const IsolatedCalls& calls) : calls_(calls) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (Worker& worker : workers_) end(worker);
  }

  bool run() {
    workers_.resize(std::min<std::size_t>(std::max(1U, calls_.processes), calls_.count));
    while (done_ < calls_.count) {
      if (calls_.stop && calls_.stop()) return false;
      for (Worker& worker : workers_) hand_out(worker);
      wait();
      for (Worker& worker : workers_) look_after(worker);
    }
    return true;
  }

 private:
  void start(Worker& worker) {
    std::array<int, 2> pair{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) fail("socketpair");
    const SignalsWait waiting;
    const pid_t process = fork();
    if (process < 0) fail("fork");
    if (process == 0) {
      for (const Worker& other : workers_) {
        if (other.descriptor >= 0) close(other.descriptor);
      }
      close(pair[0]);
      serve(calls_, pair[1]);
    }
    close(pair[1]);
    worker = {process, pair[0]};
  }

  [[noreturn]] static void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
  }

  static void end(Worker& worker) {
    if (worker.process < 0) return;
    kill(worker.process, SIGKILL);
    end_of(worker);
  }

  // Waits for the end of the process and says what it was.
  static std::string end_of(Worker& worker) {
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    close(worker.descriptor);
    worker = {};
    if (WIFSIGNALED(status)) return fmt::format("was ended by {}", strsignal(WTERMSIG(status)));
    return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  }

  void hand_out(Worker& worker) {
    if (worker.call) return;
    if (again_.empty() && next_ == calls_.count) return;
    if (worker.process < 0) start(worker);
    if (again_.empty()) {
      worker.call = next_++;
    } else {
      worker.call = again_.back();
      again_.pop_back();
    }
    if (calls_.limits.time) worker.deadline = Clock::now() + *calls_.limits.time;
    write_all(worker.descriptor, &*worker.call, sizeof(std::size_t));  // an end shows when reading
  }

  // Until something is there to read, a deadline, or it is time to ask whether to stop.
  void wait() {
    constexpr std::chrono::milliseconds kMost{100};
    Clock::time_point until = Clock::now() + kMost;
    std::vector<pollfd> sockets;
    for (const Worker& worker : workers_) {
      if (!worker.call) continue;
      sockets.push_back({worker.descriptor, POLLIN, 0});
      if (calls_.limits.time) until = std::min(until, worker.deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    poll(sockets.data(), sockets.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
  }

  void look_after(Worker& worker) {
    if (!worker.call) return;
    const bool open = receive(worker);
    if (const auto answer = whole_answer(worker)) {
      take(worker, *answer);
    } else if (!open) {
      const std::size_t call = *worker.call;
      finish(call, {CallEnd::kDied, end_of(worker)});
    } else if (calls_.limits.time && Clock::now() >= worker.deadline) {
      const std::size_t call = *worker.call;
      end(worker);
      finish(call, {CallEnd::kTimedOut, ""});
    }
  }

  // False: the other side is closed.
  static bool receive(Worker& worker) {
    std::array<char, 65536> part{};
    while (true) {
      const ssize_t got = recv(worker.descriptor, part.data(), part.size(), MSG_DONTWAIT);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
      if (got == 0) return false;
      worker.received.append(part.data(), static_cast<std::size_t>(got));
    }
  }

  static std::optional<CallAnswer> whole_answer(Worker& worker) {
    Head head;
    if (worker.received.size() < sizeof(head)) return std::nullopt;
    std::memcpy(&head, worker.received.data(), sizeof(head));
    if (worker.received.size() < sizeof(head) + head.size) return std::nullopt;
    CallAnswer out{head.end, worker.received.substr(sizeof(head), head.size)};
    worker.received.clear();
    return out;
  }

  // Memory that earlier calls left in pieces is not this call's fault: it gets a fresh process.
  void take(Worker& worker, const CallAnswer& answer) {
    const std::size_t call = *worker.call;
    const bool fresh = worker.served++ == 0;
    worker.call.reset();
    if (answer.end == CallEnd::kOutOfMemory) {
      end(worker);
      if (!fresh) {
        again_.push_back(call);
        return;
      }
    }
    finish(call, answer);
  }

  void finish(std::size_t call, const CallAnswer& answer) {
    ++done_;
    calls_.answer(call, answer);
  }

  const IsolatedCalls& calls_;
  std::vector<Worker> workers_;
  std::vector<std::size_t> again_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

bool run_isolated(const IsolatedCalls& calls) { return Pool(calls).run(); }

}  // namespace septet::engine
