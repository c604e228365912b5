// One entry of traceEvents while it is being read: the fields that Septet uses, as they came, in
// whatever order the keys are. KinetoBuilder interprets them together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/enum_texts.hpp"
#include "models/program/kernel.hpp"
#include "models/workload/recorded/recording/decimal.hpp"

namespace septet::recorded {

enum class KinetoField : std::uint8_t {
  // Of the event itself.
  kPhase,
  kCategory,
  kName,
  kTime,
  kDuration,
  kProcess,
  kThread,
  // Of its "args".
  kArgsName,
  kCollective,
  kGroupName,
  kGrid,
  kBlock,
  kDevice,
  kStream,
  kCorrelation,
  kRegisters,
  kShared,
  kBytes,
  kGraph,
  kGraphNode,
  kPriority,
  kWaitStream,
  kWaitCorrelation,
  kElements,
  kGroupSize,
};

// The keys in the file.
constexpr auto enum_table(std::type_identity<KinetoField>) {
  return enum_texts<KinetoField>(
      "ph", "cat", "name", "ts", "dur", "pid", "tid", "name", "Collective name",
      "Process Group Name", "grid", "block", "device", "stream", "correlation",
      "registers per thread", "shared memory", "bytes", "graph id", "graph node id", "priority",
      "wait_on_stream", "wait_on_cuda_event_record_corr_id", "In msg nelems", "Group size");
}

// The field of an entry's key and of one in its "args"; nothing for keys without use.
std::optional<KinetoField> event_field(std::string_view key);
std::optional<KinetoField> argument_field(std::string_view key);

class KinetoEvent {
 public:
  // Forgets the fields; keeps the memory.
  void clear();

  // A value that was given as a number (`quoted` false) or as text.
  void set(KinetoField field, std::string_view text, bool quoted);
  void set_dimensions(KinetoField field, const program::Dim3& dimensions);
  void set_unreadable(KinetoField field) { unreadable_ |= bit(field); }

  bool has(KinetoField field) const { return (present_ & bit(field)) != 0; }
  bool unreadable(KinetoField field) const { return (unreadable_ & bit(field)) != 0; }
  bool quoted(KinetoField field) const { return (quoted_ & bit(field)) != 0; }
  bool any_repeated() const { return repeated_; }

  // Only valid where has(field).
  std::string_view text(KinetoField field) const { return texts_[slot(field)]; }
  const RecordedTime& time(KinetoField field) const {
    return field == KinetoField::kTime ? time_ : duration_;
  }
  RecordedInteger integer(KinetoField field) const { return integers_[slot(field)]; }
  const program::Dim3& dimensions(KinetoField field) const {
    return field == KinetoField::kGrid ? grid_ : block_;
  }

  // The integer when it is there and lies in [low, high], else `otherwise`.
  std::int64_t value(KinetoField field, std::int64_t low, std::int64_t high,
                     std::int64_t otherwise) const;

 private:
  static constexpr std::size_t slot(KinetoField field) { return static_cast<std::size_t>(field); }
  static constexpr std::uint64_t bit(KinetoField field) { return std::uint64_t{1} << slot(field); }
  void mark_present(KinetoField field);
  void set_time(KinetoField field, std::string_view text);

  std::uint64_t present_ = 0;
  std::uint64_t unreadable_ = 0;
  std::uint64_t quoted_ = 0;
  bool repeated_ = false;
  RecordedTime time_;
  RecordedTime duration_;
  program::Dim3 grid_;
  program::Dim3 block_;
  std::array<RecordedInteger, kEnumSize<KinetoField>> integers_{};
  std::array<std::string, kEnumSize<KinetoField>> texts_;
};

}  // namespace septet::recorded
