#include "models/workload/recorded/nsys/nsys_reader.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "models/workload/recorded/json/byte_source.hpp"
#include "models/workload/recorded/nsys/nsys_file.hpp"

extern char** environ;

namespace septet::recorded {
namespace {

// A file in the folder for temporary files; removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& for_file)
      : path_((std::filesystem::temp_directory_path() / "septet-nsys-XXXXXX").string()) {
    handle_ = mkstemp(path_.data());
    if (handle_ < 0) {
      throw ConfigError({for_file}, fmt::format("{} can't be created to unpack it: {}", path_,
                                                std::system_category().message(errno)));
    }
  }
  ~TemporaryFile() {
    close(handle_);
    unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

  void write(std::span<const char> bytes, const std::string& for_file) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(handle_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        throw ConfigError({for_file}, fmt::format("can't be unpacked to {}: {}", path_,
                                                  std::system_category().message(errno)));
      }
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

 private:
  std::string path_;
  int handle_ = -1;
};

RecordedTrace read_tables(const std::string& path, const std::string& name) {
  const SqliteFile file(path, name);
  NsysBuilder builder(name);
  return read_nsys_tables(file, builder);
}

// The exit status of a program with its output thrown away; nothing: it can't be started.
int run_quietly(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int rc = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (rc != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

bool looks_like_sqlite(std::string_view head) {
  using namespace std::string_view_literals;
  return head.starts_with("SQLite format 3\0"sv);
}

bool is_nsys_report(std::string_view path) {
  return path.ends_with(".nsys-rep") || path.ends_with(".qdrep");
}

RecordedTrace read_nsys(const std::string& path) {
  const auto source = open_bytes(path);
  std::array<char, 1 << 16> buffer;
  std::size_t bytes = source->read(buffer);
  if (!source->compressed()) return read_tables(path, path);
  TemporaryFile unpacked(path);
  for (; bytes > 0; bytes = source->read(buffer)) {
    unpacked.write({buffer.data(), bytes}, path);
  }
  if (source->cut_short()) throw ConfigError({path}, kGzipEndsEarly);
  return read_tables(unpacked.path(), path);
}

RecordedTrace read_nsys_report(const std::string& path) {
  const TemporaryFile exported(path);
  const int status = run_quietly({"nsys", "export", "--type", "sqlite", "--force-overwrite", "true",
                                  "--output", exported.path(), path});
  if (status == 0) return read_tables(exported.path(), path);
  const std::string why = status < 0 || status == 127
                              ? "nsys, which reads it, is not installed here"
                              : fmt::format("nsys export ends with status {}", status);
  throw ConfigError({path}, fmt::format("a report of Nsight Systems, and {}; run nsys export "
                                        "--type sqlite --output step.sqlite {} where it is, and "
                                        "give step.sqlite",
                                        why, path));
}

}  // namespace septet::recorded
