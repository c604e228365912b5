// A timeline independent of its source and output format: groups (a GPU, the host) of tracks (a
// stream, a thread) with slices of time; strings are interned.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::command {

enum class SliceKind : std::uint8_t { kKernel, kCopy, kMemset, kCall, kOther };

// The category that the PyTorch profiler gives such events: "kernel", "gpu_memcpy", ...
std::string_view category(SliceKind kind);

struct TimelineGroup {
  std::string name;
  std::int64_t id = 0;       // the process number of the Chrome format
  std::int64_t device = -1;  // where it is a GPU
};

struct TimelineTrack {
  std::uint32_t group = 0;
  std::int64_t id = 0;  // the thread number of the Chrome format
  std::string name;
  bool nests = false;  // calls inside calls stay on the track; kernels inside kernels do not
};

// A number, or a string by index, that belongs to a slice.
struct TimelineArgument {
  std::uint32_t key = 0;  // string index
  bool is_text = false;
  std::int64_t value = 0;
};

struct TimelineSlice {
  Instant start;
  Duration duration{};
  std::uint64_t correlation = 0;  // 0: none; joins a launch to its work
  std::uint32_t track = 0;
  std::uint32_t name = 0;  // string index
  std::uint32_t first_argument = 0;
  std::uint16_t arguments = 0;
  SliceKind kind = SliceKind::kOther;

  Instant end() const { return start + duration; }
};

// From the call that launched to the first slice on a GPU with the same correlation.
struct TimelineFlow {
  std::uint32_t from = 0;  // slice index
  std::uint32_t to = 0;
};

struct CounterSample {
  Instant at;
  double value = 0;
};

struct TimelineCounter {
  std::uint32_t group = 0;
  std::string name;
  std::string unit;
  std::vector<CounterSample> samples;
};

class Timeline {
 public:
  std::vector<TimelineGroup> groups;
  std::vector<TimelineTrack> tracks;
  std::vector<TimelineSlice> slices;
  std::vector<TimelineArgument> arguments;
  std::vector<TimelineCounter> counters;
  std::vector<std::string> notes;  // notes of the reader for the user

  // The index of a string, which is added where it is new.
  std::uint32_t string(std::string_view text);
  std::string_view text(std::uint32_t index) const { return strings_[index]; }
  const std::vector<std::string>& strings() const { return strings_; }

  // The slices in order of start, the longer ones first; every writer expects that.
  void sort();

 private:
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> indices_;
};

// Slices that touch [begin, end), whole. Counters keep their samples inside.
void keep_window(Timeline& timeline, Instant begin, Instant end);

// The slices of these GPUs, and of host threads unless all that they launched is on others. What
// belongs to no GPU stays. Tracks and groups that are left without any vanish.
void keep_gpus(Timeline& timeline, const std::set<std::int64_t>& devices);

std::vector<TimelineFlow> launch_flows(const Timeline& timeline);

}  // namespace septet::command
