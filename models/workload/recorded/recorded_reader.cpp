#include "models/workload/recorded/recorded_reader.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/trace/hdf5_trial.hpp"
#include "models/workload/recorded/json/byte_source.hpp"
#include "models/workload/recorded/kineto/kineto_reader.hpp"
#include "models/workload/recorded/nsys/nsys_reader.hpp"
#include "models/workload/recorded/septet/septet_reader.hpp"
#include "models/workload/recorded/xspace/xspace_reader.hpp"

namespace septet::recorded {
namespace {

struct Format {
  std::string_view name;
  bool (*matches)(std::string_view head);  // `head`: the first bytes, unpacked
  RecordedTrace (*read)(const std::string& path);
};

RecordedTrace read_tried_septet(const std::string& path) {
  trace::try_reading(path, [&] { read_septet(path); });
  return read_septet(path);
}

// A new format needs one line here.
constexpr std::array kFormats = {
    Format{"Kineto JSON (plain or gzip)", looks_like_kineto, read_kineto},
    Format{"SQLite export of Nsight Systems (plain or gzip)", looks_like_sqlite, read_nsys},
    Format{"XSpace of JAX and TensorFlow (.xplane.pb, plain or gzip)", looks_like_xspace,
           read_xspace},
    Format{"trace.h5 of Septet", looks_like_hdf5, read_tried_septet},
};

constexpr std::size_t kHeadBytes = 64 << 10;

// Files of other tools that people take for recordings, and what to do with them.
struct Foreign {
  std::string_view name;
  bool (*matches)(std::string_view path, std::string_view head);
};

constexpr auto kForeign = std::to_array<Foreign>({
    {"an Nsight Compute report (export it with ncu --import FILE --csv --page raw, for septet "
     "explain)",
     [](std::string_view path, std::string_view) { return path.ends_with(".ncu-rep"); }},
    {"a zip archive (unpack it)",
     [](std::string_view, std::string_view head) { return head.starts_with("PK\x03\x04"); }},
    {"a tar archive (unpack it and give the recordings in it, one a rank)",
     [](std::string_view, std::string_view head) {
       return head.size() > 262 && head.substr(257, 5) == "ustar";
     }},
    {"a Chakra execution trace (record the step with PyTorch's profiler or Nsight Systems)",
     [](std::string_view path, std::string_view head) {
       return path.ends_with(".et") || path.ends_with(".et.gz") ||
              (head.size() > 1 && head[1] == '\n' && head.find("chakra") != std::string_view::npos);
     }},
    {"CSV (a table of a profiler; give the recording itself)",
     [](std::string_view path, std::string_view) { return path.ends_with(".csv"); }},
});

std::string shown(std::string_view path, std::string_view head) {
  if (head.empty()) return "an empty file";
  for (const Foreign& foreign : kForeign) {
    if (foreign.matches(path, head)) return std::string(foreign.name);
  }
  std::string out = "a file that starts with bytes";
  for (const char byte : head.substr(0, 8)) {
    out += fmt::format(" {:02x}", static_cast<unsigned char>(byte));
  }
  return out;
}

}  // namespace

RecordedTrace read_recorded(const std::string& path) {
  if (is_nsys_report(path)) return read_nsys_report(path);
  std::string head(kHeadBytes, '\0');
  head.resize(open_bytes(path)->read(head));
  std::string known;
  for (const Format& format : kFormats) {
    if (format.matches(head)) return format.read(path);
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  throw ConfigError::value({path}, "recording", shown(path, head), known);
}

}  // namespace septet::recorded
