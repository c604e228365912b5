// One packet per track, then one packet for each begin and end of a slice in order of time. Strings
// go into the interning tables with the packet that first needs them.
#include <algorithm>
#include <array>

#include <protozero/pbf_builder.hpp>

#include "tools/septet/export/lanes.hpp"
#include "tools/septet/export/perfetto_fields.hpp"
#include "tools/septet/export/writers.hpp"

namespace septet::command {
namespace {

using perfetto::CounterDescriptor;
using perfetto::DebugAnnotation;
using perfetto::InternedData;
using perfetto::InternedName;
using perfetto::Trace;
using perfetto::TracePacket;
using perfetto::TrackDescriptor;
using perfetto::TrackEvent;
template <class Message>
using Builder = protozero::pbf_builder<Message>;

constexpr std::uint32_t kSequence = 1;
constexpr std::size_t kFlushBytes = 1U << 16U;

// A begin or end of a slice. In one lane they are in their final order; between lanes only the
// time matters.
struct Mark {
  Instant at;
  std::uint32_t slice = 0;
  bool begin = false;
};

// The marks of one lane, built while its slices pass by in order of start.
struct LaneMarks {
  std::vector<Mark> marks;
  std::vector<std::uint32_t> open;  // slices that have begun and not ended, outermost first
};

void close_until(const Timeline& timeline, LaneMarks& lane, Instant until) {
  while (!lane.open.empty() && timeline.slices[lane.open.back()].end() <= until) {
    lane.marks.push_back({timeline.slices[lane.open.back()].end(), lane.open.back(), false});
    lane.open.pop_back();
  }
}

// All marks in order of time; in each lane, what ends comes before what begins at the same time.
std::vector<Mark> ordered_marks(const Timeline& timeline, const Lanes& lanes) {
  std::vector<std::vector<LaneMarks>> tracks;
  for (const std::uint32_t count : lanes.of_track) tracks.emplace_back(count);
  for (std::uint32_t i = 0; i < timeline.slices.size(); ++i) {
    const TimelineSlice& slice = timeline.slices[i];
    LaneMarks& lane = tracks[slice.track][lanes.of_slice[i]];
    close_until(timeline, lane, slice.start);
    lane.marks.push_back({slice.start, i, true});
    lane.open.push_back(i);
  }
  std::vector<Mark> out;
  out.reserve(2 * timeline.slices.size());
  for (auto& track : tracks) {
    for (LaneMarks& lane : track) {
      close_until(timeline, lane, Instant::max());
      out.insert(out.end(), lane.marks.begin(), lane.marks.end());
    }
  }
  std::ranges::stable_sort(out, {}, &Mark::at);
  return out;
}

// Which strings a table of interned data holds already; their ids are string indices plus one.
class Interned {
 public:
  Interned(InternedData table, std::size_t strings) : table_(table), known_(strings, false) {}

  void add_if_new(const Timeline& timeline, std::uint32_t index, std::string& interned) {
    if (known_[index]) return;
    known_[index] = true;
    std::string entry;
    Builder<InternedName> builder(entry);
    builder.add_uint64(InternedName::kIid, index + 1);
    const std::string_view text = timeline.text(index);
    builder.add_string(InternedName::kName, text.data(), text.size());
    Builder<InternedData>(interned).add_message(table_, entry);
  }

 private:
  InternedData table_;
  std::vector<bool> known_;
};

class PerfettoWriter {
 public:
  PerfettoWriter(const Timeline& timeline, files::OutputFile& file)
      : timeline_(timeline),
        file_(file),
        lanes_(assign_lanes(timeline)),
        names_(InternedData::kEventNames, timeline.strings().size()),
        keys_(InternedData::kDebugAnnotationNames, timeline.strings().size()),
        values_(InternedData::kDebugAnnotationStringValues, timeline.strings().size()),
        flow_of_slice_(timeline.slices.size(), 0) {
    std::uint64_t next = 1;
    for (const TimelineFlow& flow : launch_flows(timeline)) {
      flow_of_slice_[flow.from] = flow_of_slice_[flow.to] = next++;
    }
  }

  void write() {
    write_groups();
    write_tracks();
    write_counter_tracks();
    write_categories();
    for (const Mark& mark : ordered_marks(timeline_, lanes_)) write_mark(mark);
    for (std::size_t i = 0; i < timeline_.counters.size(); ++i) write_samples(i);
    flush();
  }

 private:
  // A packet of our single sequence. The first one marks the interning tables as empty.
  void write_packet(std::string& packet) {
    Builder<TracePacket> builder(packet);
    builder.add_uint32(TracePacket::kTrustedPacketSequenceId, kSequence);
    const std::uint32_t cleared = first_ ? perfetto::kIncrementalStateCleared : 0;
    builder.add_uint32(TracePacket::kSequenceFlags, cleared | perfetto::kNeedsIncrementalState);
    first_ = false;
    Builder<Trace>(buffer_).add_message(Trace::kPacket, packet);
    if (buffer_.size() > kFlushBytes) flush();
  }

  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

  void write_track(std::uint64_t uuid, const std::string& name, std::uint64_t parent, int rank,
                   const TimelineCounter* counter = nullptr) {
    std::string descriptor;
    Builder<TrackDescriptor> builder(descriptor);
    builder.add_uint64(TrackDescriptor::kUuid, uuid);
    builder.add_string(TrackDescriptor::kName, name);
    if (parent != 0) builder.add_uint64(TrackDescriptor::kParentUuid, parent);
    if (parent == 0) {
      builder.add_enum(TrackDescriptor::kChildOrdering, perfetto::kChildOrderingExplicit);
    }
    builder.add_int32(TrackDescriptor::kSiblingOrderRank, rank);
    if (counter != nullptr) {
      std::string unit;
      Builder<CounterDescriptor>(unit).add_string(CounterDescriptor::kUnitName, counter->unit);
      builder.add_message(TrackDescriptor::kCounter, unit);
    }
    std::string packet;
    Builder<TracePacket>(packet).add_message(TracePacket::kTrackDescriptor, descriptor);
    write_packet(packet);
  }

  void write_groups() {
    for (const TimelineGroup& group : timeline_.groups) {
      group_uuids_.push_back(next_uuid_++);
      write_track(group_uuids_.back(), group.name, 0, static_cast<int>(group_uuids_.size()));
    }
  }

  void write_tracks() {
    for (std::size_t i = 0; i < timeline_.tracks.size(); ++i) {
      const TimelineTrack& track = timeline_.tracks[i];
      lane_uuids_.emplace_back();
      for (std::uint32_t lane = 0; lane < lanes_.of_track[i]; ++lane) {
        lane_uuids_.back().push_back(next_uuid_++);
        write_track(lane_uuids_.back().back(), lane_name(track, lane), group_uuids_[track.group],
                    static_cast<int>(next_uuid_));
      }
    }
  }

  void write_counter_tracks() {
    for (const TimelineCounter& counter : timeline_.counters) {
      counter_uuids_.push_back(next_uuid_++);
      write_track(counter_uuids_.back(), counter.name, group_uuids_[counter.group],
                  static_cast<int>(next_uuid_), &counter);
    }
  }

  static std::uint64_t category_id(SliceKind kind) { return static_cast<std::uint64_t>(kind) + 1; }

  void write_categories() {
    std::string interned;
    for (const SliceKind kind : {SliceKind::kKernel, SliceKind::kCopy, SliceKind::kMemset,
                                 SliceKind::kCall, SliceKind::kOther}) {
      std::string entry;
      Builder<InternedName> builder(entry);
      builder.add_uint64(InternedName::kIid, category_id(kind));
      builder.add_string(InternedName::kName, std::string(category(kind)));
      Builder<InternedData>(interned).add_message(InternedData::kEventCategories, entry);
    }
    std::string packet;
    Builder<TracePacket>(packet).add_message(TracePacket::kInternedData, interned);
    write_packet(packet);
  }

  void write_mark(const Mark& mark) {
    const TimelineSlice& slice = timeline_.slices[mark.slice];
    std::string event;
    std::string interned;
    Builder<TrackEvent> builder(event);
    builder.add_enum(TrackEvent::kType, mark.begin ? perfetto::kSliceBegin : perfetto::kSliceEnd);
    builder.add_uint64(TrackEvent::kTrackUuid,
                       lane_uuids_[slice.track][lanes_.of_slice[mark.slice]]);
    if (mark.begin) describe(mark.slice, builder, interned);
    write_event(mark.at, event, interned);
  }

  // What only the begin of a slice carries: name, category, arrow and arguments.
  void describe(std::uint32_t index, Builder<TrackEvent>& event, std::string& interned) {
    const TimelineSlice& slice = timeline_.slices[index];
    names_.add_if_new(timeline_, slice.name, interned);
    event.add_uint64(TrackEvent::kNameIid, slice.name + 1);
    event.add_uint64(TrackEvent::kCategoryIids, category_id(slice.kind));
    if (flow_of_slice_[index] != 0) {
      const bool launches = slice.kind == SliceKind::kCall;
      event.add_fixed64(launches ? TrackEvent::kFlowIds : TrackEvent::kTerminatingFlowIds,
                        flow_of_slice_[index]);
    }
    for (std::uint32_t i = 0; i < slice.arguments; ++i) {
      add_argument(timeline_.arguments[slice.first_argument + i], event, interned);
    }
  }

  void add_argument(const TimelineArgument& argument, Builder<TrackEvent>& event,
                    std::string& interned) {
    keys_.add_if_new(timeline_, argument.key, interned);
    std::string annotation;
    Builder<DebugAnnotation> builder(annotation);
    builder.add_uint64(DebugAnnotation::kNameIid, argument.key + 1);
    if (argument.is_text) {
      const auto value = static_cast<std::uint32_t>(argument.value);
      values_.add_if_new(timeline_, value, interned);
      builder.add_uint64(DebugAnnotation::kStringValueIid, value + 1);
    } else {
      builder.add_int64(DebugAnnotation::kIntValue, argument.value);
    }
    event.add_message(TrackEvent::kDebugAnnotations, annotation);
  }

  void write_samples(std::size_t index) {
    for (const CounterSample& sample : timeline_.counters[index].samples) {
      std::string event;
      Builder<TrackEvent> builder(event);
      builder.add_enum(TrackEvent::kType, perfetto::kCounterType);
      builder.add_uint64(TrackEvent::kTrackUuid, counter_uuids_[index]);
      builder.add_double(TrackEvent::kDoubleCounterValue, sample.value);
      write_event(sample.at, event, {});
    }
  }

  void write_event(Instant at, const std::string& event, const std::string& interned) {
    std::string packet;
    Builder<TracePacket> builder(packet);
    builder.add_uint64(TracePacket::kTimestamp,
                       static_cast<std::uint64_t>(at.count() / kPicosecondsPerNanosecond));
    if (!interned.empty()) builder.add_message(TracePacket::kInternedData, interned);
    builder.add_message(TracePacket::kTrackEvent, event);
    write_packet(packet);
  }

  const Timeline& timeline_;
  files::OutputFile& file_;
  Lanes lanes_;
  Interned names_;
  Interned keys_;
  Interned values_;
  std::vector<std::uint64_t> flow_of_slice_;  // 0: none
  std::vector<std::uint64_t> group_uuids_;
  std::vector<std::vector<std::uint64_t>> lane_uuids_;
  std::vector<std::uint64_t> counter_uuids_;
  std::uint64_t next_uuid_ = 1;
  std::string buffer_;
  bool first_ = true;
};

}  // namespace

void write_perfetto(const Timeline& timeline, files::OutputFile& file) {
  PerfettoWriter(timeline, file).write();
}

}  // namespace septet::command
