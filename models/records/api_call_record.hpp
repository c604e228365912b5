// Table /api_calls: what host threads called.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/trace/record.hpp"
#include "models/program/program.hpp"

namespace septet::records {

struct ApiCallRecord {
  Instant start, end;
  Duration waited{};
  std::int32_t thread = 0;
  std::int32_t stream = -1;
  std::int32_t name = 0;  // see call_code
  std::int64_t correlation = 0;
  program::CallKind kind = program::CallKind::kApi;
  std::int64_t call = 0;
  std::int32_t object = -1;
  program::CallManner manner = program::CallManner::kPlain;
};
inline const trace::TableSpec& record_table_of(std::type_identity<ApiCallRecord>) {
  using Record = ApiCallRecord;
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "api_calls", "api_call", "one row per call of a host thread, written when it returns",
      {trace::column<Record>(&Record::start, "start", "start of the call"),
       trace::column<Record>(&Record::end, "end", "end of the call"),
       trace::column<Record>(&Record::waited, "waited", "time blocked inside the call"),
       trace::column<Record>(&Record::thread, "thread", "host thread").code_of("thread"),
       trace::column<Record>(&Record::stream, "stream", "stream")
           .absent_as(-1, "where the call names none"),
       trace::column<Record>(&Record::name, "name", "name of the call").code_of("call"),
       trace::column<Record>(&Record::correlation, "correlation", "correlation id")
           .range(-kAny, kAny)
           .absent_as(0, "where there is none"),
       trace::column<Record>(&Record::kind, "kind", "kind of the call").formerly("fill", "memset"),
       trace::column<Record>(&Record::call, "call", "index of the call in its thread"),
       trace::column<Record>(&Record::object, "object", "kernel, graph, event or device")
           .absent_as(-1, "where the call names none"),
       trace::column<Record>(&Record::manner, "manner", "variant of the call")});
  return kTable;
}

// Dictionary "call": the kinds of calls, then the program's strings. `name`: index of a string,
// kNone for the name of the kind.
constexpr std::int32_t call_code(program::CallKind kind, std::uint32_t name) {
  return name == kNone ? static_cast<std::int32_t>(kind)
                       : static_cast<std::int32_t>(kEnumSize<program::CallKind> + name);
}

}  // namespace septet::records
