// Puts the rows of an Nsight Systems export together as a recording: one time line from integer
// nanoseconds; processes, devices and streams numbered so that those of different processes stay
// apart.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "models/workload/recorded/recording/recording_builder.hpp"

namespace septet::recorded {

class NsysBuilder {
 public:
  explicit NsysBuilder(std::string file) : recording(std::move(file)) {}

  // A row's times. Nothing, and counted, where there is no start or it is far from all others.
  bool set_times(std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                 RecordedEvent& row);

  // Which of the recording's processes; `global`: a serialised id of a process or thread.
  std::uint64_t process_of(std::int64_t global);
  // Correlations are unique in their process only.
  static std::uint64_t correlation(std::uint64_t process, std::optional<std::int64_t> id);

  // `device` as the process numbers it.
  void name_device(std::int64_t pid, std::int64_t device, std::int64_t gpu);
  std::uint16_t device_of(std::uint64_t process, std::int64_t device);
  // Sets the device and stream of GPU work; remembers the device of the context.
  void place(std::uint64_t process, std::int64_t device, std::int64_t context, std::int64_t stream,
             RecordedEvent& row);
  // Those of a context that has run something; false where it hasn't.
  bool find_place(std::uint64_t process, std::int64_t context, std::int64_t stream,
                  RecordedEvent& row) const;

  std::uint32_t thread_of(std::int64_t global);
  void name_thread(std::int64_t global, std::string_view name);

  // The texts of the file by their ids.
  void add_string(std::int64_t id, std::string_view text) { strings_[id] = std::string(text); }
  std::string_view string(std::int64_t id) const;
  // An event's name from that text, made by `change` from it once.
  template <class Change>
  std::uint32_t name(std::int64_t id, Change change) {
    if (!strings_.contains(id)) recording.anomaly("events without a name");
    const auto [entry, fresh] = names_.try_emplace(id, 0);
    if (fresh) entry->second = recording.text(change(string(id)));
    return entry->second;
  }

  // `session_ns`: the absolute time at which the times of the file begin.
  RecordedTrace finish(std::int64_t session_ns);

  RecordingBuilder recording;

 private:
  using StreamKey = std::tuple<std::uint64_t, std::int64_t, std::int64_t>;  // process, context

  std::optional<std::int64_t> first_ns_;
  Instant earliest_ = Instant::max();
  std::map<std::int64_t, std::uint64_t> processes_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint16_t> gpus_;  // by pid and device
  std::map<std::pair<std::uint64_t, std::int64_t>, std::uint16_t> contexts_;
  std::map<StreamKey, std::int32_t> streams_;
  std::map<std::pair<std::uint16_t, std::int32_t>, StreamKey> taken_;  // device and stream
  std::unordered_map<std::int64_t, std::string> strings_;
  std::unordered_map<std::int64_t, std::uint32_t> names_;
};

}  // namespace septet::recorded
