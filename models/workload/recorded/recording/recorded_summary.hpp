// What a recording holds, in a few figures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet {

constexpr std::size_t kRecordedKinds = 9;

std::string_view kind_name(RecordedKind kind);

struct RecordedSummary {
  std::array<std::uint64_t, kRecordedKinds> counts{};       // by RecordedKind
  std::map<std::uint16_t, std::set<std::int32_t>> streams;  // with GPU work, by device
  Duration span{};       // from the first start to the last end of all events
  Duration cuda_span{};  // the same of API calls and GPU work alone

  std::uint64_t count(RecordedKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
};

RecordedSummary summarize(const RecordedTrace& trace);

// A few lines of text, for people.
std::string to_text(const RecordedSummary& summary);

}  // namespace septet
