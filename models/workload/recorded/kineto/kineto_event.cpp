#include "models/workload/recorded/kineto/kineto_event.hpp"

#include "models/workload/recorded/kineto/key_table.hpp"

namespace septet::recorded {
namespace {

using enum KinetoField;

constexpr std::size_t kFirstArgument = static_cast<std::size_t>(kArgsName);
constexpr std::size_t kArguments = kEnumSize<KinetoField> - kFirstArgument;

// The keys of N fields from `first` on.
template <std::size_t N>
constexpr auto keys(std::size_t first) {
  std::array<typename KeyTable<KinetoField, N>::Entry, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    out[i] = {kEnumTexts<KinetoField>[first + i], static_cast<KinetoField>(first + i)};
  }
  return KeyTable<KinetoField, N>(out);
}

constexpr auto kEventKeys = keys<kFirstArgument>(0);
constexpr auto kArgumentKeys = keys<kArguments>(kFirstArgument);

constexpr bool is_text(KinetoField field) {
  return field == kPhase || field == kCategory || field == kName || field == kArgsName ||
         field == kCollective || field == kGroupName;
}

constexpr bool is_dimensions(KinetoField field) { return field == kGrid || field == kBlock; }

}  // namespace

std::optional<KinetoField> event_field(std::string_view key) { return kEventKeys.find(key); }

std::optional<KinetoField> argument_field(std::string_view key) {
  return kArgumentKeys.find(key == "size" ? "bytes" : key);  // HIP's copies have a size
}

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

void KinetoEvent::set_dimensions(KinetoField field, const program::Dim3& dimensions) {
  mark_present(field);
  (field == kGrid ? grid_ : block_) = dimensions;
}

std::int64_t KinetoEvent::value(KinetoField field, std::int64_t low, std::int64_t high,
                                std::int64_t otherwise) const {
  return has(field) ? integer(field).within(low, high).value_or(otherwise) : otherwise;
}

}  // namespace septet::recorded
