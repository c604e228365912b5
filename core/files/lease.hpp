// The right to write a path, among processes of any hosts that share its folder: where locks of the
// file system don't reach other hosts (NFS without them, Lustre), this still holds.
//
// The holder is who made the highest numbered of the files .NAME.lease-N beside the path. It is
// taken over by making number N + 1, which a file system does for one process alone. The holder
// counts up in its file every `beat`. One whose count stands still for `expiry`, by the watcher's
// own clock, is lost, and so is one of this machine whose process is gone; one that is done says
// so. Clocks of two hosts are never compared. A process that was stopped for longer than `expiry`
// finds a higher number when it goes on, and must not write any more.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace septet::files {

// A process, as others see it.
struct LeaseOwner {
  std::string host;     // for people
  std::string machine;  // boot and process namespace: where process ids mean the same
  std::int64_t process = 0;
  std::int64_t started = 0;  // a process id is used again, with another start
};
LeaseOwner this_owner();

struct LeaseTiming {
  std::chrono::milliseconds beat{5'000};
  std::chrono::milliseconds expiry{60'000};
};

class Lease {
 public:
  // Called once if it has to be waited for, with a sentence that says so.
  using Tell = std::function<void(const std::string& waiting)>;

  // `target`: absolute. Waits until a holder of another machine has shown that it lives, `expiry`
  // at the longest. Throws FileError, which names the holder, where it lives.
  explicit Lease(const std::filesystem::path& target, const Tell& tell = {},
                 const LeaseTiming& timing = {}, const LeaseOwner& owner = this_owner());
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  // Before each write, by any thread. Throws FileError where another process took over; looks at
  // most once a beat.
  void check();

 private:
  void acquire(const Tell& tell);
  bool create(std::uint64_t number);
  bool lost() const;
  void write(bool released);
  void keep();

  std::filesystem::path target_;
  LeaseTiming timing_;
  LeaseOwner owner_;
  std::uint64_t number_ = 0;
  std::uint64_t count_ = 0;
  int descriptor_ = -1;
  std::atomic<std::chrono::steady_clock::time_point> looked_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ending_ = false;
  std::thread keeper_;
};

}  // namespace septet::files
