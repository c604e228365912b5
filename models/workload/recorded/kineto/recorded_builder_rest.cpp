// The parts of RecordedBuilder that aren't about single slices: begin and end pairs, flows,
// metadata, and what can only be done when all entries are known.
#include <algorithm>
#include <set>

#include "models/workload/recorded/kineto/kineto_kinds.hpp"
#include "models/workload/recorded/kineto/recorded_builder.hpp"

namespace septet {
namespace {

using enum KinetoField;

class Mixer {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9E3779B97F4A7C15U;
    state_ ^= state_ >> 29;
  }
  void add(const Dim3& size) {
    add((std::uint64_t{size.x} << 32) | size.y);
    add(size.z);
  }
  std::size_t value() const { return static_cast<std::size_t>(state_); }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

std::size_t RecordedBuilder::DetailHash::operator()(std::uint32_t index) const {
  const RecordedDetail& detail = (*details)[index];
  Mixer mixer;
  mixer.add(detail.shape.grid);
  mixer.add(detail.shape.block);
  mixer.add(detail.shape.registers_per_thread);
  mixer.add(static_cast<std::uint64_t>(detail.shape.dynamic_shared.count()));
  mixer.add(static_cast<std::uint64_t>(detail.bytes.count()));
  mixer.add(detail.graph_node);
  mixer.add(detail.wait_correlation);
  mixer.add((std::uint64_t{detail.sync_kind} << 32) | detail.collective);
  mixer.add(static_cast<std::uint64_t>(detail.collective_elements));
  return mixer.value();
}

bool RecordedBuilder::DetailEqual::operator()(std::uint32_t a, std::uint32_t b) const {
  return (*details)[a] == (*details)[b];
}

std::uint32_t RecordedBuilder::add_detail(const RecordedDetail& detail) {
  const auto index = static_cast<std::uint32_t>(trace_.details.size());
  trace_.details.push_back(detail);
  const auto [known, added] = known_details_.insert(index);
  if (!added) trace_.details.pop_back();
  return *known;
}

void RecordedBuilder::add_begin(const KinetoEvent& event) {
  const std::string_view category = event.has(kCategory) ? event.text(kCategory) : "missing";
  const RecordedKind kind = kineto_kind(category);
  Begun begun;
  if (kind == RecordedKind::kOther) {
    skip("category", category);
  } else {
    begun.row = add_slice(event, kind);
    const bool stray = begun.row && !strays_.empty() && strays_.back().first == *begun.row;
    begun.group = stray ? strays_.back().second : TimeLine::kFirst;
  }
  open_[thread_of(event)].push_back(begun);
}

void RecordedBuilder::add_end(const KinetoEvent& event) {
  const auto thread = open_.find(thread_of(event));
  if (thread == open_.end() || thread->second.empty()) return count("E without a B");
  const Begun begun = thread->second.back();
  thread->second.pop_back();
  if (!begun.row) return;
  const auto at = mark(event);
  if (!at || at->group != begun.group) return;  // the slice stays without a duration
  RecordedEvent& row = trace_.events[*begun.row];
  const Duration duration = Instant(at->offset.count()) - row.start;
  row.duration_missing = false;
  if (duration < Duration{}) return count("dur below 0, read as 0");
  row.duration = duration;
}

void RecordedBuilder::add_flow(const KinetoEvent& event, bool start) {
  const std::string_view category = event.has(kCategory) ? event.text(kCategory) : "missing";
  if (!is_kineto_flow(category)) return skip("flow", category);
  if (!event.has(kFlow)) return count("flows without an id");
  const auto at = mark(event);
  if (!at) return;
  const RecordedInteger id = event.integer(kFlow);
  const std::uint64_t key = id.negative ? -id.magnitude : id.magnitude;
  if (!flows_.add(key, start, {thread_of(event), *at})) count("flows whose end is given twice");
}

void RecordedBuilder::add_metadata(const KinetoEvent& event) {
  if (!event.has(kName) || !event.has(kArgsName)) return skip("phase", "M");
  const std::string_view what = event.text(kName);
  if (what == "process_name") {
    threads_.name_process(place_id(event, kProcess), event.text(kArgsName));
  } else if (what == "thread_name") {
    threads_.name_thread(place_id(event, kProcess), place_id(event, kThread),
                         event.text(kArgsName));
  } else {
    skip("phase", "M");
  }
}

void RecordedBuilder::add_device(std::optional<std::int64_t> id, std::string name,
                                 std::int64_t sm_count) {
  if (!id || *id < 0 || *id >= kNoDevice) return count("deviceProperties without a usable id");
  const auto number = static_cast<std::uint16_t>(*id);
  const bool known = std::any_of(trace_.devices.begin(), trace_.devices.end(),
                                 [number](const RecordedDevice& d) { return d.id == number; });
  if (known) return count("deviceProperties of a device given twice (the first counts)");
  if (make_valid_utf8(name)) count("names that were not UTF-8");
  const bool plausible = sm_count >= 0 && sm_count <= 1'000'000;
  if (!plausible) count("deviceProperties with an impossible numSms");
  trace_.devices.push_back(
      {number, std::move(name), plausible ? static_cast<std::uint32_t>(sm_count) : 0});
}

RecordedTrace RecordedBuilder::finish() {
  known_details_.clear();
  for (const auto& [thread, rows] : open_) count("B without an E", rows.size());
  for (const RecordedEvent& row : trace_.events) {
    if (row.duration_missing) count("events without a duration");
  }
  time_line_.settle();
  place_in_time();
  finish_flows();
  finish_origin();
  finish_devices();
  trace_.threads = threads_.take();
  finish_strings();
  if (trace_.entries == 0) count("the file has no entries");
  return std::move(trace_);
}

// Replaces offsets within groups by starts, takes strays out, and sorts.
void RecordedBuilder::place_in_time() {
  std::vector<RecordedEvent>& rows = trace_.events;
  auto stray = strays_.begin();
  std::size_t kept = 0;
  for (Row row = 0; row < rows.size(); ++row) {
    const bool is_stray = stray != strays_.end() && stray->first == row;
    const std::uint32_t group = is_stray ? (stray++)->second : TimeLine::kFirst;
    const auto start = time_line_.start_of({group, Duration(rows[row].start.count())});
    if (start) {
      rows[kept] = rows[row];
      rows[kept++].start = *start;
    } else {
      count(group == TimeLine::kZero ? "events left out: ts 0 (no time stamp)"
                                     : "events left out: ts 26 days or more from the others");
    }
  }
  rows.resize(kept);
  const auto earlier = [](const RecordedEvent& a, const RecordedEvent& b) {
    return a.start < b.start;
  };
  if (!std::is_sorted(rows.begin(), rows.end(), earlier)) {
    std::stable_sort(rows.begin(), rows.end(), earlier);
  }
}

void RecordedBuilder::finish_flows() {
  count("flows with one end only", flows_.unmatched());
  for (const FlowPair& pair : flows_.pairs()) {
    const auto from = time_line_.start_of(pair.from.at);
    const auto to = time_line_.start_of(pair.to.at);
    if (from && to) {
      trace_.flows.push_back({pair.id, pair.from.thread, pair.to.thread, *from, *to});
    } else {
      count("flows left out: ts 0 or far from the others");
    }
  }
}

void RecordedBuilder::finish_origin() {
  const auto earliest = time_line_.earliest_ns();
  if (!earliest || __builtin_add_overflow(base_ns_, *earliest, &trace_.origin_ns)) {
    trace_.origin_ns = 0;
    count("absolute times beyond 64 bits of nanoseconds, origin read as 0");
  }
}

// Devices that do work but have no properties are listed by their id alone.
void RecordedBuilder::finish_devices() {
  std::set<std::uint16_t> missing;
  for (const RecordedEvent& event : trace_.events) {
    const bool on_gpu = event.kind == RecordedKind::kKernel || event.kind == RecordedKind::kCopy ||
                        event.kind == RecordedKind::kFill || event.kind == RecordedKind::kSync;
    if (on_gpu && event.device != kNoDevice) missing.insert(event.device);
  }
  for (const RecordedDevice& device : trace_.devices) missing.erase(device.id);
  for (const std::uint16_t id : missing) trace_.devices.push_back({.id = id, .name = {}});
  count("devices without properties", missing.size());
}

void RecordedBuilder::finish_strings() {
  trace_.strings = strings_.take();
  for (std::string& text : trace_.strings) {
    if (make_valid_utf8(text)) count("names that were not UTF-8");
  }
  for (RecordedThread& thread : trace_.threads) {
    if (make_valid_utf8(thread.name)) count("names that were not UTF-8");
  }
}

}  // namespace septet
