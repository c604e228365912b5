#include "models/workload/recorded/recorded_reader.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/trace/hdf5_trial.hpp"
#include "models/workload/recorded/json/byte_source.hpp"
#include "models/workload/recorded/kineto/kineto_reader.hpp"
#include "models/workload/recorded/septet/septet_reader.hpp"

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
    Format{"trace.h5 of Septet", looks_like_hdf5, read_tried_septet},
};

constexpr std::size_t kHeadBytes = 64 << 10;

std::string shown(std::string_view head) {
  if (head.empty()) return "an empty file";
  std::string out = "a file that starts with bytes";
  for (const char byte : head.substr(0, 8)) {
    out += fmt::format(" {:02x}", static_cast<unsigned char>(byte));
  }
  return out;
}

}  // namespace

RecordedTrace read_recorded(const std::string& path) {
  std::string head(kHeadBytes, '\0');
  head.resize(open_bytes(path)->read(head));
  std::string known;
  for (const Format& format : kFormats) {
    if (format.matches(head)) return format.read(path);
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  throw ConfigError::value({path}, "recording", shown(head), known);
}

}  // namespace septet::recorded
