#include "models/workload/recorded/kineto/kineto_builder.hpp"

#include <algorithm>

#include "models/workload/recorded/kineto/kineto_kinds.hpp"
#include "models/workload/recorded/recording/cuda_names.hpp"

namespace septet::recorded {
namespace {

using enum KinetoField;

std::string_view text_or_missing(const KinetoEvent& event, KinetoField field) {
  return event.has(field) ? event.text(field) : "missing";
}

}  // namespace

void KinetoBuilder::add(const KinetoEvent& event) {
  ++trace().entries;
  if (event.any_repeated()) anomaly("entries with a duplicate key (the last one is used)");
  const std::string_view phase = text_or_missing(event, kPhase);
  if (phase == "X") {
    add_slice(event);
  } else if (phase == "B") {
    const Begun begun = add_slice(event).value_or(Begun{});
    open_[slices_.thread_of(event)].push_back(begun);
  } else if (phase == "E") {
    add_end(event);
  } else if (phase == "M") {
    add_metadata(event);
  } else if (phase == "s" || phase == "f") {
    recording_.unused("flow", text_or_missing(event, kCategory));
  } else {
    recording_.unused("phase", phase);
  }
}

std::optional<KinetoBuilder::Mark> KinetoBuilder::mark(const KinetoEvent& event) {
  if (!event.has(kTime)) {
    anomaly(event.unreadable(kTime) ? "entries skipped: ts is not a number of microseconds"
                                    : "entries skipped: no ts");
    return std::nullopt;
  }
  if (event.quoted(kTime)) anomaly("ts given as text");
  if (event.time(kTime).microseconds < 0) anomaly("ts below 0");
  if (event.time(kTime).rounded) anomaly("ts rounded to picoseconds");
  const auto mark = time_line_.mark(event.time(kTime));
  if (!mark) anomaly("entries skipped: ts far from all others");
  return mark;
}

std::optional<KinetoBuilder::Begun> KinetoBuilder::add_slice(const KinetoEvent& event) {
  const std::string_view category = text_or_missing(event, kCategory);
  const auto kind = kineto_kind(category);
  if (!kind) return recording_.unused("category", category), std::nullopt;
  const auto at = mark(event);
  if (!at) return std::nullopt;
  RecordedEvent row;
  row.kind = *kind;
  row.start = Instant(at->offset.count());
  slices_.read(event, row);
  const Row number = trace().events.size();
  if (at->group != TimeLine::kFirst) strays_.emplace_back(number, at->group);
  trace().events.push_back(row);
  return Begun{number, at->group};
}

void KinetoBuilder::add_end(const KinetoEvent& event) {
  const auto thread = open_.find(slices_.thread_of(event));
  if (thread == open_.end() || thread->second.empty()) return anomaly("E without a B");
  const Begun begun = thread->second.back();
  thread->second.pop_back();
  if (!begun.row) return;
  const auto at = mark(event);
  if (!at || at->group != begun.group) return;  // the slice stays without a duration
  RecordedEvent& row = trace().events[*begun.row];
  const Duration duration = Instant(at->offset.count()) - row.start;
  row.duration_missing = false;
  if (duration < Duration{}) return anomaly("dur below 0, taken as 0");
  row.duration = duration;
}

void KinetoBuilder::add_metadata(const KinetoEvent& event) {
  const std::string_view what = event.has(kName) && event.has(kArgsName) ? event.text(kName) : "";
  if (what == "process_name") {
    names_gpus_ = names_gpus_ || event.text(kArgsName).starts_with("/device:GPU:");
    recording_.threads.name_process(slices_.place_id(event, kProcess), event.text(kArgsName));
  } else if (what == "thread_name") {
    recording_.threads.name_thread(slices_.place_id(event, kProcess),
                                   slices_.place_id(event, kThread), event.text(kArgsName));
  } else {
    recording_.unused("phase", "M");
  }
}

void KinetoBuilder::add_device(std::optional<std::int64_t> id, std::string name,
                               std::int64_t sm_count) {
  if (!id || *id < 0 || *id >= kNoDevice) return anomaly("deviceProperties without a usable id");
  const auto number = static_cast<std::uint16_t>(*id);
  std::vector<RecordedDevice>& devices = trace().devices;
  const bool known = std::any_of(devices.begin(), devices.end(),
                                 [number](const RecordedDevice& d) { return d.id == number; });
  if (known) return anomaly("duplicate deviceProperties of a device (the first are used)");
  const bool plausible = sm_count >= 0 && sm_count <= 1'000'000;
  if (!plausible) anomaly("deviceProperties with an impossible numSms");
  devices.push_back(
      {number, std::move(name), plausible ? static_cast<std::uint32_t>(sm_count) : 0});
}

RecordedTrace KinetoBuilder::finish() {
  for (const auto& [thread, rows] : open_) anomaly("B without an E", rows.size());
  for (const RecordedEvent& row : trace().events) {
    if (row.duration_missing) anomaly("events without a duration");
  }
  time_line_.settle();
  place_in_time();
  find_origin();
  if (trace().entries == 0) anomaly("the file has no entries");
  RecordedTrace out = recording_.finish();
  read_api_names(out);
  return out;
}

// Replaces offsets within groups by starts, and takes strays out.
void KinetoBuilder::place_in_time() {
  std::vector<RecordedEvent>& rows = trace().events;
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
      anomaly(group == TimeLine::kZero ? "events skipped: ts 0 (no time stamp)"
                                       : "events skipped: ts 26 days or more from the others");
    }
  }
  rows.resize(kept);
}

void KinetoBuilder::find_origin() {
  const auto earliest = time_line_.earliest_ns();
  std::int64_t& origin = trace().origin_ns;
  if (!earliest || __builtin_add_overflow(base_ns_, *earliest, &origin)) {
    origin = 0;
    anomaly("absolute times beyond 64 bits of nanoseconds, origin set to 0");
  }
}

}  // namespace septet::recorded
