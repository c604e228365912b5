#include "models/workload/recorded/kineto/kineto_event.hpp"

#include "models/workload/recorded/kineto/key_table.hpp"

namespace septet {
namespace {

using enum KinetoField;

constexpr KeyTable<KinetoField, 8> kEventKeys({{
    {"ph", kPhase},
    {"cat", kCategory},
    {"name", kName},
    {"ts", kTime},
    {"dur", kDuration},
    {"pid", kProcess},
    {"tid", kThread},
    {"id", kFlow},
}});

constexpr KeyTable<KinetoField, 19> kArgumentKeys({{
    {"name", kArgsName},
    {"cuda_sync_kind", kSyncKind},
    {"Collective name", kCollective},
    {"grid", kGrid},
    {"block", kBlock},
    {"device", kDevice},
    {"stream", kStream},
    {"correlation", kCorrelation},
    {"registers per thread", kRegisters},
    {"shared memory", kShared},
    {"bytes", kBytes},
    {"size", kBytes},  // HIP's copies
    {"graph id", kGraph},
    {"graph node id", kGraphNode},
    {"priority", kPriority},
    {"wait_on_stream", kWaitStream},
    {"wait_on_cuda_event_record_corr_id", kWaitCorrelation},
    {"In msg nelems", kElements},
    {"Group size", kGroupSize},
}});

constexpr bool is_text(KinetoField field) {
  return field == kPhase || field == kCategory || field == kName || field == kArgsName ||
         field == kSyncKind || field == kCollective;
}

constexpr bool is_dimensions(KinetoField field) { return field == kGrid || field == kBlock; }

}  // namespace

KinetoField event_field(std::string_view key) { return kEventKeys.find(key, kNone); }

KinetoField argument_field(std::string_view key) { return kArgumentKeys.find(key, kNone); }

void KinetoEvent::clear() {
  present_ = unreadable_ = quoted_ = 0;
  repeated_ = false;
}

void KinetoEvent::mark_present(KinetoField field) {
  repeated_ = repeated_ || has(field);
  present_ |= bit(field);
  unreadable_ &= ~bit(field);
}

void KinetoEvent::set(KinetoField field, std::string_view text, bool quoted) {
  mark_present(field);
  quoted_ = quoted ? quoted_ | bit(field) : quoted_ & ~bit(field);
  if (is_text(field)) {
    texts_[slot(field)].assign(text);
  } else if (field == kTime || field == kDuration) {
    set_time(field, text);
  } else if (is_dimensions(field)) {
    set_unreadable(field);
    present_ &= ~bit(field);
  } else if (const auto integer = parse_integer(text)) {
    integers_[slot(field)] = *integer;
  } else {
    texts_[slot(field)].assign(text);
    set_unreadable(field);
    present_ &= ~bit(field);
  }
}

void KinetoEvent::set_time(KinetoField field, std::string_view text) {
  const auto time = parse_microseconds(text);
  if (time) {
    (field == kTime ? time_ : duration_) = *time;
    return;
  }
  present_ &= ~bit(field);
  if (!text.empty()) set_unreadable(field);  // "" is what a bare inf or nan became
}

void KinetoEvent::set_dimensions(KinetoField field, const Dim3& dimensions) {
  mark_present(field);
  (field == kGrid ? grid_ : block_) = dimensions;
}

std::int64_t KinetoEvent::value(KinetoField field, std::int64_t low, std::int64_t high,
                                std::int64_t otherwise) const {
  return has(field) ? integer(field).within(low, high).value_or(otherwise) : otherwise;
}

}  // namespace septet
