// Turns the entries of a Kineto trace into a RecordedTrace, one at a time. Decides what each entry
// is, interns its names, shares equal details and counts anomalies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "models/workload/recorded/kineto/kineto_event.hpp"
#include "models/workload/recorded/kineto/recorded_flows.hpp"
#include "models/workload/recorded/recording/recorded_trace.hpp"
#include "models/workload/recorded/recording/string_table.hpp"
#include "models/workload/recorded/recording/thread_table.hpp"
#include "models/workload/recorded/recording/time_line.hpp"

namespace septet {

class RecordedBuilder {
 public:
  explicit RecordedBuilder(std::string file) { trace_.file = std::move(file); }
  RecordedBuilder(const RecordedBuilder&) = delete;
  RecordedBuilder& operator=(const RecordedBuilder&) = delete;

  void add(const KinetoEvent& event);
  void add_device(std::optional<std::int64_t> id, std::string name, std::int64_t sm_count);
  void set_rank(std::int64_t rank) { trace_.rank = rank; }
  void set_world_size(std::int64_t size) { trace_.world_size = size; }
  void set_base_ns(std::int64_t base_ns) { base_ns_ = base_ns; }
  void set_cut(std::int64_t byte) { trace_.cut_at_byte = byte; }
  void count(std::string_view anomaly, std::uint64_t times = 1);

  std::uint64_t entries() const { return trace_.entries; }

  // Sorts, leaves out what belongs nowhere in time, and hands the recording over. Once only.
  RecordedTrace finish();

 private:
  using Row = std::size_t;
  using Mark = TimeLine::Mark;

  // A B entry that waits for its E. Without a row when nothing is stored of it.
  struct Begun {
    std::optional<Row> row;
    std::uint32_t group = 0;
  };

  std::optional<Row> add_slice(const KinetoEvent& event, RecordedKind kind);
  void add_begin(const KinetoEvent& event);
  void add_end(const KinetoEvent& event);
  void add_flow(const KinetoEvent& event, bool start);
  void add_metadata(const KinetoEvent& event);
  void skip(std::string_view what, std::string_view which);

  std::optional<Mark> mark(const KinetoEvent& event);
  void read_duration(const KinetoEvent& event, RecordedEvent& row);
  void read_correlation(const KinetoEvent& event, RecordedEvent& row);
  void read_place(const KinetoEvent& event, RecordedEvent& row);
  std::uint32_t thread_of(const KinetoEvent& event);
  std::int64_t place_id(const KinetoEvent& event, KinetoField field);
  std::uint16_t device_of(const KinetoEvent& event);
  std::int32_t stream_of(const KinetoEvent& event, KinetoField field);
  std::uint32_t detail_of(const KinetoEvent& event, RecordedKind kind);
  void read_shape(const KinetoEvent& event, RecordedDetail& detail);
  std::uint32_t add_detail(const RecordedDetail& detail);

  void place_in_time();
  void finish_flows();
  void finish_devices();
  void finish_strings();
  void finish_origin();

  struct DetailHash {
    std::size_t operator()(std::uint32_t index) const;
    const std::vector<RecordedDetail>* details;
  };
  struct DetailEqual {
    bool operator()(std::uint32_t a, std::uint32_t b) const;
    const std::vector<RecordedDetail>* details;
  };

  RecordedTrace trace_;
  TimeLine time_line_;
  StringTable strings_;
  ThreadTable threads_;
  FlowMatcher flows_;
  std::vector<std::pair<Row, std::uint32_t>> strays_;           // rows outside the first time group
  std::unordered_map<std::uint32_t, std::vector<Begun>> open_;  // B without E, by thread
  std::unordered_set<std::uint32_t, DetailHash, DetailEqual> known_details_{
      16, DetailHash{&trace_.details}, DetailEqual{&trace_.details}};
  std::int64_t base_ns_ = 0;
  std::string scratch_;  // of skip()
};

}  // namespace septet
