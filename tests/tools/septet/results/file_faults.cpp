// A library to be loaded before others (LD_PRELOAD) that spoils one operation on files of a folder.
//
//   FAULTS_FOLDER  counts operations on what lies in this folder, or is beside it with its name
//   first FAULTS_OF      "writes": whatever changes a file or folder; "reads": whatever reads one
//   FAULTS_AT      the operation to spoil, from 1; 0: none
//   FAULTS_ERROR   errno's value of the failure; 0: the process is killed (SIGKILL) instead
//   FAULTS_COUNT   a file that gets the number of operations when the process ends
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

std::atomic<long> operations{0};
thread_local const std::FILE* spoilt = nullptr;

const char* setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

bool counts(std::string_view kind) { return setting("FAULTS_OF", "writes") == kind; }

bool inside(const char* path) {
  const std::string_view folder = setting("FAULTS_FOLDER", "/nowhere");
  return path != nullptr && std::string_view(path).starts_with(folder);
}

bool inside(int descriptor) {
  char link[64];
  char path[4096];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof(path) - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return inside(path);
}

// Is this the operation to spoil? Sets errno.
bool fails(std::string_view kind, bool concerned) {
  if (!concerned || !counts(kind)) return false;
  if (++operations != std::atol(setting("FAULTS_AT", "0"))) return false;
  const int error = std::atoi(setting("FAULTS_ERROR", "5"));
  if (error == 0) raise(SIGKILL);
  errno = error;
  return true;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

__attribute__((destructor)) void write_count() {
  const char* path = setting("FAULTS_COUNT", "");
  if (*path == '\0') return;
  if (std::FILE* file = std::fopen(path, "w")) {
    std::fprintf(file, "%ld\n", operations.load());
    std::fclose(file);
  }
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
  if (fails("writes", (flags & O_CREAT) != 0 && inside(path))) return -1;
  static const auto real = next<int(const char*, int, ...)>(name);
  return real(path, flags, mode);
}

}  // namespace

// Their declarations have attributes that differ between versions of the C library.
#pragma GCC diagnostic ignored "-Wattributes"

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened("open64", path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  if (fails("writes", *mode != 'r' && inside(path))) return nullptr;
  return next<std::FILE*(const char*, const char*)>("fopen")(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  if (fails("writes", *mode != 'r' && inside(path))) return nullptr;
  return next<std::FILE*(const char*, const char*)>("fopen64")(path, mode);
}

int mkdir(const char* path, mode_t mode) {
  if (fails("writes", inside(path))) return -1;
  return next<int(const char*, mode_t)>("mkdir")(path, mode);
}

ssize_t write(int descriptor, const void* bytes, std::size_t count) {
  if (fails("writes", inside(descriptor))) return -1;
  static const auto real = next<ssize_t(int, const void*, std::size_t)>("write");
  return real(descriptor, bytes, count);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (fails("writes", inside(descriptor))) return -1;
  return next<ssize_t(int, const iovec*, int)>("writev")(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t count, off_t at) {
  if (fails("writes", inside(descriptor))) return -1;
  return next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite")(descriptor, bytes, count,
                                                                       at);
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t count, off_t at) {
  if (fails("writes", inside(descriptor))) return -1;
  return next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite64")(descriptor, bytes, count,
                                                                         at);
}

int ftruncate(int descriptor, off_t length) noexcept {
  if (fails("writes", inside(descriptor))) return -1;
  return next<int(int, off_t)>("ftruncate")(descriptor, length);
}

int ftruncate64(int descriptor, off_t length) noexcept {
  if (fails("writes", inside(descriptor))) return -1;
  return next<int(int, off_t)>("ftruncate64")(descriptor, length);
}

int fsync(int descriptor) {
  if (fails("writes", inside(descriptor))) return -1;
  return next<int(int)>("fsync")(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  if (fails("writes", inside(to))) return -1;
  return next<int(const char*, const char*)>("rename")(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  if (fails("writes", inside(to))) return -1;
  return next<int(int, const char*, int, const char*, unsigned)>("renameat2")(from_folder, from,
                                                                              to_folder, to, flags);
}

ssize_t read(int descriptor, void* bytes, std::size_t count) {
  if (fails("reads", inside(descriptor))) return -1;
  return next<ssize_t(int, void*, std::size_t)>("read")(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void* bytes, std::size_t count, off_t at) {
  if (fails("reads", inside(descriptor))) return -1;
  return next<ssize_t(int, void*, std::size_t, off_t)>("pread")(descriptor, bytes, count, at);
}

ssize_t pread64(int descriptor, void* bytes, std::size_t count, off_t at) {
  if (fails("reads", inside(descriptor))) return -1;
  return next<ssize_t(int, void*, std::size_t, off_t)>("pread64")(descriptor, bytes, count, at);
}

// The C library reads behind these without calling the ones above.
std::size_t fread(void* bytes, std::size_t size, std::size_t count, std::FILE* file) {
  if (fails("reads", inside(fileno(file)))) {
    spoilt = file;
    return 0;
  }
  return next<std::size_t(void*, std::size_t, std::size_t, std::FILE*)>("fread")(bytes, size, count,
                                                                                 file);
}

int ferror(std::FILE* file) noexcept {
  return file == spoilt ? 1 : next<int(std::FILE*)>("ferror")(file);
}

}  // extern "C"
