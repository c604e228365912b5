// Converts the entries of a Kineto trace to a RecordedTrace, one at a time: slices, pairs of begin
// and end, names; and puts all on one time line when every entry is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/workload/recorded/kineto/kineto_event.hpp"
#include "models/workload/recorded/kineto/slice_reader.hpp"
#include "models/workload/recorded/recording/recording_builder.hpp"
#include "models/workload/recorded/recording/time_line.hpp"

namespace septet::recorded {

class KinetoBuilder {
 public:
  explicit KinetoBuilder(std::string file) : recording_(std::move(file)), slices_(recording_) {}

  void add(const KinetoEvent& event);
  void add_device(std::optional<std::int64_t> id, std::string name, std::int64_t sm_count);
  void set_base_ns(std::int64_t base_ns) { base_ns_ = base_ns; }

  void anomaly(std::string_view what, std::uint64_t times = 1) { recording_.anomaly(what, times); }
  RecordedTrace& trace() { return recording_.trace; }

  bool names_gpus() const { return names_gpus_; }

  // Drops entries without a valid time, classifies each API call, and returns the recording. Call
  // once.
  RecordedTrace finish();

 private:
  using Row = std::size_t;
  using Mark = TimeLine::Mark;

  // A B entry that waits for its E. Without a row when nothing is stored of it.
  struct Begun {
    std::optional<Row> row;
    std::uint32_t group = 0;
  };

  // Nothing when no row was added.
  std::optional<Begun> add_slice(const KinetoEvent& event);
  void add_end(const KinetoEvent& event);
  void add_metadata(const KinetoEvent& event);

  std::optional<Mark> mark(const KinetoEvent& event);
  void place_in_time();
  void find_origin();

  RecordingBuilder recording_;
  SliceReader slices_;
  TimeLine time_line_;
  std::vector<std::pair<Row, std::uint32_t>> strays_;           // rows outside the first time group
  std::unordered_map<std::uint32_t, std::vector<Begun>> open_;  // B without E, by thread
  std::int64_t base_ns_ = 0;
  bool names_gpus_ = false;  // processes are called as JAX and TensorFlow call GPUs
};

}  // namespace septet::recorded
