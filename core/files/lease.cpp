#include "core/files/lease.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/files/file_error.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kReleased = "released";

std::string name_start(const fs::path& target) {
  return "." + target.filename().string() + ".lease-";
}

fs::path lease_path(const fs::path& target, std::uint64_t number) {
  return target.parent_path() / (name_start(target) + std::to_string(number));
}

// The numbers that there are.
std::vector<std::uint64_t> numbers_of(const fs::path& target) {
  const std::string start = name_start(target);
  std::vector<std::uint64_t> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(target.parent_path())) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start)) continue;
    std::uint64_t number = 0;
    const char* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + start.size(), end, number);
    if (error == std::errc() && rest == end) out.push_back(number);
  }
  return out;
}

std::string first_line(const fs::path& path) {
  std::string out;
  std::ifstream in(path);
  std::getline(in, out);
  return out;
}

// Field 22 of /proc/ID/stat, counted behind the name, which may contain anything; 0: no process.
std::int64_t start_of(std::int64_t process) {
  constexpr int kBehindName = 20;
  const std::string text = first_line(fmt::format("/proc/{}/stat", process));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream words(text.substr(name_end + 1));
  std::string word;
  for (int i = 0; i < kBehindName; ++i) words >> word;
  std::int64_t out = 0;
  std::from_chars(word.data(), word.data() + word.size(), out);
  return out;
}

// What a lease's file says.
struct Content {
  LeaseOwner owner;
  std::string count;
  bool released = false;

  friend bool operator==(const Content& a, const Content& b) {
    return a.released == b.released && a.count == b.count && a.owner.process == b.owner.process;
  }
};

// Nothing: it isn't there any more. A file that is just being made is empty.
std::optional<Content> read_lease(const fs::path& path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  Content out;
  std::string state;
  std::getline(in, out.owner.host);
  std::getline(in, out.owner.machine);
  in >> out.owner.process >> out.owner.started >> out.count >> state;
  out.released = state == kReleased;
  return out;
}

std::string text_of(const LeaseOwner& owner) {
  return fmt::format("process {} on {}", owner.process, owner.host);
}

[[noreturn]] void refuse(const fs::path& target, const LeaseOwner& owner) {
  throw FileError(target.string() + ": " + text_of(owner) +
                  " is writing its result there; wait for it or name another folder");
}

enum class Life { kFree, kLives, kUnknown };

Life life_of(const Content& content, const LeaseOwner& mine) {
  if (content.released) return Life::kFree;
  if (content.owner.machine != mine.machine || mine.machine.empty()) return Life::kUnknown;
  const std::int64_t started = start_of(content.owner.process);
  return started != 0 && started == content.owner.started ? Life::kLives : Life::kFree;
}

// Until the file changes or goes, at most `expiry`. False: it stood still.
bool moves(const fs::path& path, const Content& before, const LeaseTiming& timing) {
  constexpr int kLooksABeat = 4;
  const Clock::time_point end = Clock::now() + timing.expiry;
  while (Clock::now() < end) {
    std::this_thread::sleep_for(timing.beat / kLooksABeat);
    const std::optional<Content> now = read_lease(path);
    if (!now || *now != before) return true;
  }
  return false;
}

}  // namespace

LeaseOwner this_owner() {
  LeaseOwner out;
  std::array<char, 256> host{};
  out.host = gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "this host";
  std::error_code none;
  const fs::path space = fs::read_symlink("/proc/self/ns/pid", none);
  out.machine = first_line("/proc/sys/kernel/random/boot_id") + " " + space.string();
  out.process = getpid();
  out.started = start_of(out.process);
  return out;
}

Lease::Lease(const fs::path& target, const Tell& tell, const LeaseTiming& timing,
             const LeaseOwner& owner)
    : target_(target), timing_(timing), owner_(owner), looked_(Clock::now()) {
  acquire(tell);
  keeper_ = std::thread([this] { keep(); });
}

Lease::~Lease() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ended_.notify_all();
  keeper_.join();
  if (!lost()) write(true);
  close(descriptor_);
}

void Lease::acquire(const Tell& tell) {
  bool told = false;
  while (true) {
    const std::vector<std::uint64_t> numbers = numbers_of(target_);
    const std::uint64_t last = numbers.empty() ? 0 : std::ranges::max(numbers);
    const std::optional<Content> holder = read_lease(lease_path(target_, last));
    if (holder) {
      const Life life = life_of(*holder, owner_);
      if (life == Life::kLives) refuse(target_, holder->owner);
      if (life == Life::kUnknown) {
        if (tell && !told) {
          tell(fmt::format("{}: waits up to {} s for a sign of life of {}", target_.string(),
                           timing_.expiry.count() / 1000, text_of(holder->owner)));
        }
        told = true;
        if (moves(lease_path(target_, last), *holder, timing_)) {
          const std::optional<Content> now = read_lease(lease_path(target_, last));
          if (now && !now->released && now->owner.process != 0) refuse(target_, now->owner);
          continue;
        }
      }
    }
    if (!create(last + 1)) continue;
    for (const std::uint64_t number : numbers) unlink(lease_path(target_, number).c_str());
    return;
  }
}

// False: another process was faster, also where its number is higher: this one was looked at before
// others came and went.
bool Lease::create(std::uint64_t number) {
  const fs::path path = lease_path(target_, number);
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0 && errno == EEXIST) return false;
  if (descriptor_ < 0) fail(path, "cannot be created", errno);
  number_ = number;
  write(false);
  if (std::ranges::max(numbers_of(target_)) == number) return true;
  unlink(path.c_str());
  close(descriptor_);
  return false;
}

void Lease::write(bool released) {
  const std::string text =
      fmt::format("{}\n{}\n{} {}\n{:020} {}\n", owner_.host, owner_.machine, owner_.process,
                  owner_.started, count_++, released ? kReleased : "held    ");
  if (pwrite(descriptor_, text.data(), text.size(), 0) < 0) {
    fail(lease_path(target_, number_), "cannot be written", errno);
  }
}

bool Lease::lost() const {
  std::error_code none;
  return fs::exists(lease_path(target_, number_ + 1), none) ||
         !fs::exists(lease_path(target_, number_), none);
}

void Lease::keep() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, timing_.beat, [this] { return ending_; })) {
    try {
      write(false);
    } catch (const FileError&) {  // a full disk: the next write of a result says so
    }
  }
}

void Lease::check() {
  const Clock::time_point now = Clock::now();
  if (now - looked_.load() < timing_.beat) return;
  if (lost()) {
    throw FileError(target_.string() +
                    ": another process took over, since this one was stopped for too long");
  }
  looked_ = now;
}

}  // namespace septet::files
