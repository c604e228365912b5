// Fills an event from the fields of a slice: where it ran, how long, and what kind of activity it
// was. CUDA's and HIP's names are read by way of cuda_names.hpp, nowhere else.
#pragma once

#include <cstdint>

#include "models/workload/recorded/kineto/kineto_event.hpp"
#include "models/workload/recorded/recording/recording_builder.hpp"

namespace septet::recorded {

class SliceReader {
 public:
  explicit SliceReader(RecordingBuilder& recording) : recording_(recording) {}

  // Everything but the start; `row.kind` is known.
  void read(const KinetoEvent& slice, RecordedEvent& row);

  std::uint32_t thread_of(const KinetoEvent& event);
  // The process or thread of an entry; text is numbered.
  std::int64_t place_id(const KinetoEvent& event, KinetoField field);

 private:
  void read_duration(const KinetoEvent& slice, RecordedEvent& row);
  void read_correlation(const KinetoEvent& slice, RecordedEvent& row);
  void read_place(const KinetoEvent& slice, RecordedEvent& row);
  std::uint16_t device_of(const KinetoEvent& slice);
  std::int32_t stream_of(const KinetoEvent& slice, KinetoField field);

  void read_activity(const KinetoEvent& slice, RecordedEvent& row);
  RecordedGpuWork gpu_work(const KinetoEvent& slice);
  program::LaunchShape shape_of(const KinetoEvent& slice);
  KernelActivity kernel(const KinetoEvent& slice);
  CopyActivity copy(const KinetoEvent& slice);
  SyncActivity sync(const KinetoEvent& slice);

  RecordingBuilder& recording_;
};

}  // namespace septet::recorded
