// Files that the tests of the readers make: a text or gzip data in a directory of their own, which
// goes when the test ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <zlib.h>

#include "core/base/error.hpp"
#include "models/workload/recorded/kineto/kineto_reader.hpp"

namespace septet::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "septet-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string write(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = path_ / name;
    std::filesystem::remove(path);  // some file systems write a file out when it is overwritten
    std::ofstream out(path, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path.string();
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// One gzip member.
inline std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  std::string copy(text);
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline recorded::RecordedTrace read_text(std::string_view text,
                                         const std::string& name = "trace.json") {
  const TemporaryDirectory directory;
  return recorded::read_kineto(directory.write(name, text));
}

// A trace of these entries (comma-separated objects).
inline recorded::RecordedTrace read_entries(const std::string& entries) {
  return read_text("{\"traceEvents\": [" + entries + "]}");
}

// Without the directory, which differs from run to run; "" when nothing is wrong.
inline std::string error_of(std::string_view text, const std::string& name = "trace.json") {
  const TemporaryDirectory directory;
  try {
    recorded::read_kineto(directory.write(name, text));
    return "";
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    return message.substr(directory.path().string().size() + 1);
  }
}

inline std::uint64_t anomaly(const recorded::RecordedTrace& trace, const std::string& name) {
  const auto found = trace.anomalies.find(name);
  return found == trace.anomalies.end() ? 0 : found->second;
}

// A CPU operator with these further members.
inline std::string operation(const std::string& members) {
  return R"({"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 2, )" + members +
         "}";
}

// A kernel at `ts` for 1 us with these arguments besides device, stream and correlation.
inline std::string kernel(const std::string& ts, const std::string& arguments = "") {
  return R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "dur": 1, "ts": )" +
         ts + R"(, "args": {"device": 0, "stream": 7, "correlation": 5)" +
         (arguments.empty() ? "" : ", " + arguments) + "}}";
}

}  // namespace septet::test
