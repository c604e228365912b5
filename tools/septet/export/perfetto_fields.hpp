// Field numbers and values of the messages of Perfetto's trace format that Septet writes, under
// the names that Perfetto's own definitions give them (perfetto/trace/*.proto).
#pragma once

#include <cstdint>

#include <protozero/types.hpp>

namespace septet::command::perfetto {

enum class Trace : protozero::pbf_tag_type { kPacket = 1 };

enum class TracePacket : protozero::pbf_tag_type {
  kTimestamp = 8,  // nanoseconds
  kTrustedPacketSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTrackDescriptor = 60,
};
constexpr std::uint32_t kIncrementalStateCleared = 1;
constexpr std::uint32_t kNeedsIncrementalState = 2;

enum class TrackDescriptor : protozero::pbf_tag_type {
  kUuid = 1,
  kName = 2,
  kParentUuid = 5,
  kCounter = 8,
  kChildOrdering = 11,
  kSiblingOrderRank = 12,
};
constexpr std::int32_t kChildOrderingExplicit = 3;

enum class CounterDescriptor : protozero::pbf_tag_type { kUnitName = 6 };

enum class TrackEvent : protozero::pbf_tag_type {
  kCategoryIids = 3,
  kDebugAnnotations = 4,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kDoubleCounterValue = 44,
  kFlowIds = 47,             // fixed64
  kTerminatingFlowIds = 48,  // fixed64
};
constexpr std::int32_t kSliceBegin = 1;
constexpr std::int32_t kSliceEnd = 2;
constexpr std::int32_t kCounterType = 4;

enum class DebugAnnotation : protozero::pbf_tag_type {
  kNameIid = 1,
  kUintValue = 3,
  kIntValue = 4,
  kStringValueIid = 17,
};

enum class InternedData : protozero::pbf_tag_type {
  kEventCategories = 1,
  kEventNames = 2,
  kDebugAnnotationNames = 3,
  kDebugAnnotationStringValues = 29,
};
enum class InternedName : protozero::pbf_tag_type { kIid = 1, kName = 2 };  // of all four kinds

}  // namespace septet::command::perfetto
