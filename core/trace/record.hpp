// Trace tables as plain structs. A table is declared once, next to its struct:
//
//   struct EventRecord {
//     Instant time;
//     std::int32_t event = 0;
//   };
//   inline const TableSpec& record_table_of(std::type_identity<EventRecord>) {
//     using Record = EventRecord;
//     static const TableSpec kTable = record_table<Record>(
//         "event_records", "event_record", "one row each time the GPU records an event",
//         {column<Record>(&Record::time, "time", "time at which the event was recorded"),
//          column<Record>(&Record::event, "event", "event")});
//     return kTable;
//   }
//
// The member's type says how the file stores it, its unit and which values are valid: times and
// numbers are not negative unless the column says so, enumerations have the values of their table
// of texts (core/base/enum_texts.hpp). Emitting, writing, reading back and the format page follow
// from the declaration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"
#include "core/trace/table.hpp"

namespace septet::trace {

// The table of a record, found by argument-dependent lookup in the record's own namespace.
template <class Record>
const TableSpec& table_of() {
  return record_table_of(std::type_identity<Record>{});
}

// The latest time that files may hold: sums of a few still fit.
constexpr std::int64_t kLatestTime = std::numeric_limits<std::int64_t>::max() / 4;

template <class Value>
constexpr bool kIsTime = std::is_same_v<Value, Instant> || std::is_same_v<Value, Duration>;

template <class Value>
constexpr ColumnType column_type_of() {
  if constexpr (std::is_same_v<Value, double>) return ColumnType::kFloat64;
  if constexpr (std::is_same_v<Value, float>) return ColumnType::kFloat32;
  if constexpr (std::is_enum_v<Value>) {
    static_assert(sizeof(Value) == 1, "files store enumerations in one byte");
    return ColumnType::kUint8;
  }
  if constexpr (std::is_same_v<Value, std::int32_t>) return ColumnType::kInt32;
  constexpr bool whole = std::is_same_v<Value, std::int64_t> || std::is_same_v<Value, Bytes>;
  static_assert(whole || kIsTime<Value> || std::is_floating_point_v<Value> ||
                    std::is_enum_v<Value> || std::is_same_v<Value, std::int32_t>,
                "no column holds such values");
  return ColumnType::kInt64;
}

template <class Value>
constexpr const char* units_of() {
  if constexpr (kIsTime<Value>) return "ps";
  return std::is_same_v<Value, Bytes> ? "B" : "1";
}

template <class Value>
constexpr std::int64_t largest_value() {
  if constexpr (kIsTime<Value>) return kLatestTime;
  if constexpr (std::is_enum_v<Value>) return kEnumSize<Value> - 1;
  if constexpr (std::is_same_v<Value, std::int32_t>) return std::numeric_limits<Value>::max();
  return std::numeric_limits<std::int64_t>::max();
}

// The column of a member of Record, or of a struct that it inherits.
template <class Record, class Owner, class Value>
ColumnSpec column(Value Owner::*member, std::string name, std::string long_name) {
  static const Record kRecord{};
  ColumnSpec out{std::move(name), column_type_of<Value>(), units_of<Value>(), std::move(long_name)};
  out.offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(kRecord.*member)) -
                                        reinterpret_cast<const std::byte*>(&kRecord));
  out.least = 0;
  out.most = largest_value<Value>();
  if constexpr (std::is_enum_v<Value>) {
    out.flags.assign(texts_of<Value>().begin(), texts_of<Value>().end());
  }
  return out;
}

template <class Record>
TableSpec record_table(std::string name, std::string dimension, std::string long_name,
                       std::vector<ColumnSpec> columns) {
  return {std::move(name), std::move(dimension), std::move(columns), sizeof(Record),
          std::move(long_name)};
}

}  // namespace septet::trace
