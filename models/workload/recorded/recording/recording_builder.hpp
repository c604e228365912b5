// The tables of a recording under construction: texts, threads and activities listed once each,
// anomalies counted. The reader writes all else into `trace` itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "models/workload/recorded/recording/recorded_trace.hpp"
#include "models/workload/recorded/recording/string_table.hpp"
#include "models/workload/recorded/recording/thread_table.hpp"

namespace septet::recorded {

class RecordingBuilder {
 public:
  explicit RecordingBuilder(std::string file) { trace.file = std::move(file); }
  RecordingBuilder(const RecordingBuilder&) = delete;
  RecordingBuilder& operator=(const RecordingBuilder&) = delete;

  // The indices of events.
  std::uint32_t text(std::string_view text) { return strings_.index(text); }
  std::uint32_t activity(const RecordedActivity& activity);

  void anomaly(std::string_view what, std::uint64_t times = 1);
  // An entry without a row, such as "category python_function".
  void unused(std::string_view what, std::string_view which);

  // Sorts the events, lists devices that do work but have no properties, makes names UTF-8, and
  // returns the recording. Call once.
  RecordedTrace finish();

  RecordedTrace trace;
  ThreadTable threads;

 private:
  void list_devices();
  void repair_names();

  struct Hash {
    std::size_t operator()(std::uint32_t index) const;
    const std::vector<RecordedActivity>* activities;
  };
  struct Equal {
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      return (*activities)[a] == (*activities)[b];
    }
    const std::vector<RecordedActivity>* activities;
  };

  StringTable strings_;
  std::unordered_set<std::uint32_t, Hash, Equal> known_{16, Hash{&trace.activities},
                                                        Equal{&trace.activities}};
  std::string scratch_;  // of unused()
};

}  // namespace septet::recorded
