#include "core/files/staged_path.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/file_error.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = ".part-";
constexpr std::size_t kRandomLetters = 6;

// What is removed when the process is interrupted. The mutex is held while something is created,
// removed or published, so that an interrupt finds nothing half done.
struct Staging {
  std::mutex mutex;
  std::vector<fs::path> paths;
};

// Never destroyed: an interrupt may come while the process ends.
Staging& staging() {
  static auto& all = *new Staging;
  return all;
}

std::string random_letters() {
  static constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::random_device source;
  std::uniform_int_distribution<std::size_t> any(0, kLetters.size() - 1);
  std::string out;
  for (std::size_t i = 0; i < kRandomLetters; ++i) out += kLetters[any(source)];
  return out;
}

// False if the name exists already.
bool make(const fs::path& path, StagedPath::Kind kind) {
  if (kind == StagedPath::Kind::kFolder) return mkdir(path.c_str(), 0777) == 0;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return descriptor >= 0 && close(descriptor) == 0;
}

void sync(const fs::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be synced to disk", errno);
  const int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  // Some file systems don't support fsync.
  if (error != 0 && error != EINVAL && error != ENOTSUP) {
    fail(path, "cannot be synced to disk", error);
  }
}

void copy_permissions(const fs::path& from, const fs::path& to) {
  struct stat status {};
  if (stat(from.c_str(), &status) == 0) chmod(to.c_str(), status.st_mode & 07777U);
}

bool lacks_flags(int error) { return error == EINVAL || error == ENOSYS || error == ENOTSUP; }

// For file systems that can't exchange folders in one step. 0, or errno's value.
int replace_in_two_steps(const fs::path& staged, const fs::path& target) {
  const fs::path old = target.string() + std::string(kMark) + random_letters();
  if (std::rename(target.c_str(), old.c_str()) != 0) return errno;
  if (std::rename(staged.c_str(), target.c_str()) != 0) {
    const int error = errno;
    std::rename(old.c_str(), target.c_str());
    return error;
  }
  std::error_code ignored;
  fs::remove_all(old, ignored);
  return 0;
}

// Moves the folder `staged` to `target`; an earlier folder there is at `staged` afterwards. 0, or
// errno's value.
int take_place(const fs::path& staged, const fs::path& target) {
  while (true) {
    if (renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) {
      return 0;
    }
    if (errno == EEXIST) {
      copy_permissions(target, staged);
      if (renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
        return 0;
      }
      if (errno == ENOENT) continue;  // removed in the meantime
    }
    if (!lacks_flags(errno)) return errno;
    std::error_code ignored;
    if (fs::exists(target, ignored)) return replace_in_two_steps(staged, target);
    return std::rename(staged.c_str(), target.c_str()) == 0 ? 0 : errno;
  }
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

StagedPath::StagedPath(fs::path target, Kind kind) : target_(std::move(target)), kind_(kind) {
  const std::lock_guard lock(staging().mutex);
  do {
    path_ = target_.string() + std::string(kMark) + random_letters();
    if (make(path_, kind)) break;
    if (errno != EEXIST) fail(target_, "cannot be created", errno);
  } while (true);
  staging().paths.push_back(path_);
}

StagedPath::~StagedPath() {
  if (path_.empty()) return;
  const std::lock_guard lock(staging().mutex);
  remove_quietly(path_);
  std::erase(staging().paths, path_);
}

void StagedPath::publish() {
  const std::lock_guard lock(staging().mutex);
  const fs::path staged = std::exchange(path_, {});
  int error = 0;
  if (kind_ == Kind::kFolder) {
    error = take_place(staged, target_);
  } else {
    copy_permissions(target_, staged);
    error = std::rename(staged.c_str(), target_.c_str()) == 0 ? 0 : errno;
  }
  if (error == 0) remove_quietly(staged);  // the earlier folder
  std::erase(staging().paths, staged);
  if (error != 0) {
    fail(target_, "cannot be replaced by the result, which is in " + staged.string(), error);
  }
  sync_folder(target_.parent_path());
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(fs::absolute(path), error);
  if (error) fail(path, "cannot be resolved", error.value());
  return out.has_filename() ? out : out.parent_path();
}

bool is_staged_name(const std::string& name, const std::string& target) {
  const std::string head = target + std::string(kMark);
  return name.starts_with(head) && name.size() == head.size() + kRandomLetters;
}

void sync_file(const fs::path& path) { sync(path, 0); }

void sync_folder(const fs::path& path) { sync(path, O_DIRECTORY); }

void sync_tree(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) sync_folder(entry.path());
    if (entry.is_regular_file()) sync_file(entry.path());
  }
  sync_folder(folder);
}

void remove_when_abandoned(const fs::path& path) {
  const std::lock_guard lock(staging().mutex);
  staging().paths.push_back(path);
}

void keep_when_abandoned(const fs::path& path) {
  const std::lock_guard lock(staging().mutex);
  std::erase(staging().paths, path);
}

// Other threads may still add files to a staged folder.
void abandon_staged() {
  constexpr int kTries = 200;
  staging().mutex.lock();  // for good
  for (const fs::path& path : staging().paths) {
    std::error_code error;
    for (int i = 0; i < kTries; ++i) {
      fs::remove_all(path, error);
      if (!fs::exists(path, error)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

}  // namespace septet::files
