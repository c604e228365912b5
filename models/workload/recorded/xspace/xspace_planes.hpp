// The messages of an XSpace file (tensorflow/tsl/profiler/protobuf/xplane.proto) as far as Septet
// uses them. Views point into the file's bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace septet::recorded {

struct XStat {
  std::int64_t metadata = 0;
  std::optional<std::int64_t> number;  // of whole numbers
  std::string_view text;               // of strings
  std::int64_t reference = -1;         // of strings that are the name of another statistic
};

struct XEvent {
  std::int64_t metadata = 0;
  std::int64_t offset_ps = 0;
  std::int64_t duration_ps = 0;
  std::vector<XStat> stats;
};

struct XLine {
  std::int64_t id = 0;
  std::string_view name;
  std::int64_t timestamp_ns = 0;
  std::vector<std::string_view> events;  // messages
};

struct XPlane {
  std::string_view name;
  std::vector<std::string_view> lines;                   // messages
  std::map<std::int64_t, std::string_view> event_names;  // by metadata
  std::map<std::int64_t, std::string_view> stat_names;   // by metadata
  std::vector<XStat> stats;
};

// Calls `take` with each plane of the file. Throws protozero::exception for damaged messages.
void read_planes(std::string_view file, const std::function<void(const XPlane&)>& take);

XLine read_line(std::string_view message);
XEvent read_event(std::string_view message);

}  // namespace septet::recorded
