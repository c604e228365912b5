// The Chrome "JSON object format": complete events ("X"), metadata for names and order, and a pair
// of flow events ("s", "f") for each launch, as the PyTorch profiler writes them.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/export/decimal_time.hpp"
#include "tools/septet/export/lanes.hpp"
#include "tools/septet/export/writers.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kFlushBytes = 1U << 16U;

// Names in a trace need not be valid UTF-8; a JSON file has to be.
std::string json_text(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

class ChromeWriter {
 public:
  ChromeWriter(const Timeline& timeline, files::OutputFile& file)
      : timeline_(timeline), file_(file), lanes_(assign_lanes(timeline)) {
    for (const std::string& text : timeline.strings()) strings_.push_back(json_text(text));
    number_lanes();
  }

  void write() {
    file_.write("{\n\"schemaVersion\": 1,\n\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [");
    write_groups();
    write_tracks();
    for (std::uint32_t i = 0; i < timeline_.slices.size(); ++i) write_slice(i);
    write_flows();
    for (const TimelineCounter& counter : timeline_.counters) write_counter(counter);
    flush();
    file_.write("\n]}\n");
  }

 private:
  // The first lane keeps the track's number; further ones get numbers that the group doesn't use.
  void number_lanes() {
    std::vector<std::int64_t> next(timeline_.groups.size(), 0);
    for (const TimelineTrack& track : timeline_.tracks) {
      next[track.group] = std::max(next[track.group], track.id + 1);
    }
    for (std::size_t i = 0; i < timeline_.tracks.size(); ++i) {
      const TimelineTrack& track = timeline_.tracks[i];
      thread_of_lane_.push_back({track.id});
      for (std::uint32_t lane = 1; lane < lanes_.of_track[i]; ++lane) {
        thread_of_lane_.back().push_back(next[track.group]++);
      }
    }
  }

  std::int64_t process_of(const TimelineSlice& slice) const {
    return timeline_.groups[timeline_.tracks[slice.track].group].id;
  }
  std::int64_t thread_of(std::uint32_t index) const {
    return thread_of_lane_[timeline_.slices[index].track][lanes_.of_slice[index]];
  }

  template <class... Arguments>
  void event(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), "{}\n", first_ ? "" : ",");
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
    first_ = false;
    if (buffer_.size() > kFlushBytes) flush();
  }

  void flush() {
    file_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

  void metadata(std::string_view name, std::int64_t process, std::int64_t thread,
                std::string_view key, const std::string& value) {
    event(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"{}":{}}}}})", name, process, thread,
          key, value);
  }

  void write_groups() {
    for (std::size_t i = 0; i < timeline_.groups.size(); ++i) {
      const TimelineGroup& group = timeline_.groups[i];
      metadata("process_name", group.id, 0, "name", json_text(group.name));
      metadata("process_sort_index", group.id, 0, "sort_index", std::to_string(i));
    }
  }

  void write_tracks() {
    for (std::size_t i = 0; i < timeline_.tracks.size(); ++i) {
      const TimelineTrack& track = timeline_.tracks[i];
      const std::int64_t process = timeline_.groups[track.group].id;
      for (std::uint32_t lane = 0; lane < thread_of_lane_[i].size(); ++lane) {
        const std::int64_t thread = thread_of_lane_[i][lane];
        metadata("thread_name", process, thread, "name", json_text(lane_name(track, lane)));
        metadata("thread_sort_index", process, thread, "sort_index", std::to_string(i));
      }
    }
  }

  std::string arguments_of(const TimelineSlice& slice) const {
    std::string out;
    for (std::uint32_t i = 0; i < slice.arguments; ++i) {
      const TimelineArgument& argument = timeline_.arguments[slice.first_argument + i];
      const std::string value = argument.is_text
                                    ? strings_[static_cast<std::size_t>(argument.value)]
                                    : std::to_string(argument.value);
      out += fmt::format("{}{}:{}", out.empty() ? "" : ",", strings_[argument.key], value);
    }
    return out;
  }

  void write_slice(std::uint32_t index) {
    const TimelineSlice& slice = timeline_.slices[index];
    event(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
          category(slice.kind), strings_[slice.name], process_of(slice), thread_of(index),
          exact_microseconds(slice.start.count()), exact_microseconds(slice.duration.count()),
          arguments_of(slice));
  }

  void write_flows() {
    for (const TimelineFlow& flow : launch_flows(timeline_)) {
      write_flow_end(flow.from, R"("ph":"s")");
      write_flow_end(flow.to, R"("ph":"f","bp":"e")");
    }
  }

  void write_flow_end(std::uint32_t index, std::string_view phase) {
    const TimelineSlice& slice = timeline_.slices[index];
    event(R"({{{},"cat":"ac2g","name":"ac2g","id":{},"pid":{},"tid":{},"ts":{}}})", phase,
          slice.correlation, process_of(slice), thread_of(index),
          exact_microseconds(slice.start.count()));
  }

  void write_counter(const TimelineCounter& counter) {
    const std::string key = counter.unit.empty() ? "value" : counter.unit;
    for (const CounterSample& sample : counter.samples) {
      event(R"({{"ph":"C","name":{},"pid":{},"tid":0,"ts":{},"args":{{{}:{}}}}})",
            json_text(counter.name), timeline_.groups[counter.group].id,
            exact_microseconds(sample.at.count()), json_text(key), sample.value);
    }
  }

  const Timeline& timeline_;
  files::OutputFile& file_;
  Lanes lanes_;
  std::vector<std::string> strings_;
  std::vector<std::vector<std::int64_t>> thread_of_lane_;
  fmt::memory_buffer buffer_;
  bool first_ = true;
};

}  // namespace

void write_chrome(const Timeline& timeline, files::OutputFile& file) {
  ChromeWriter(timeline, file).write();
}

}  // namespace septet::command
