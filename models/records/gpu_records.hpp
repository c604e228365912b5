// Tables /kernels, /copies and /event_records: what GPUs did.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/trace/record.hpp"
#include "models/records/copy_kind.hpp"
#include "models/records/wait_cause.hpp"

namespace septet::records {

// What kernels and copies have in common.
struct GpuRecord {
  Instant issued, arrived, ready, start, end;
  std::int32_t stream = 0;
  std::int32_t device = 0;
  WaitCause cause = WaitCause::kSubmission;
  std::int32_t thread = 0;
  std::int64_t call = 0;
  std::int32_t node = -1;
  std::int64_t correlation = 0;
};

// `own`, `last`: the columns that only this table has, behind the times and at the end.
template <class Record>
std::vector<trace::ColumnSpec> gpu_columns(const std::vector<trace::ColumnSpec>& own,
                                           const std::vector<trace::ColumnSpec>& last = {}) {
  constexpr std::int64_t kLargestDevice = 65'534;
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  std::vector<trace::ColumnSpec> out = {
      trace::column<Record>(&Record::issued, "issued", "start of the call that submitted it"),
      trace::column<Record>(&Record::arrived, "arrived", "arrival at the front end"),
      trace::column<Record>(&Record::ready, "ready", "all dependencies are satisfied"),
      trace::column<Record>(&Record::start, "start", "start of the first block or byte"),
      trace::column<Record>(&Record::end, "end", "end of the last block or byte")};
  out.insert(out.end(), own.begin(), own.end());
  const std::vector<trace::ColumnSpec> origin = {
      trace::column<Record>(&Record::stream, "stream", "stream"),
      trace::column<Record>(&Record::device, "device", "device").range(0, kLargestDevice),
      trace::column<Record>(&Record::cause, "cause", "last dependency to be satisfied")
          .formerly("sm_room", "sm_resources"),
      trace::column<Record>(&Record::thread, "thread", "submitting host thread").code_of("thread"),
      trace::column<Record>(&Record::call, "call", "index of the submitting call"),
      trace::column<Record>(&Record::node, "node", "graph node").absent_as(-1, "outside of graphs"),
      trace::column<Record>(&Record::correlation, "correlation", "correlation id")
          .range(-kAny, kAny)
          .absent_as(0, "where there is none")};
  out.insert(out.end(), origin.begin(), origin.end());
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

struct KernelRecord : GpuRecord {
  std::int32_t name = 0;
  std::int64_t blocks = 0;
  Duration waited{-1};
};
inline const trace::TableSpec& record_table_of(std::type_identity<KernelRecord>) {
  using Record = KernelRecord;
  constexpr std::int64_t kMostBlocks = std::numeric_limits<std::uint32_t>::max();
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "kernels", "kernel_run", "one row per kernel, written when it ends",
      gpu_columns<Record>(
          {trace::column<Record>(&Record::name, "name", "kernel").code_of("kernel"),
           trace::column<Record>(&Record::blocks, "blocks", "blocks of the grid")
               .range(0, kMostBlocks)},
          {trace::column<Record>(&Record::waited, "waited",
                                 "collectives: time from the start until all ranks had arrived")
               .absent_as(-1, "for other kernels")}));
  return kTable;
}

struct CopyRecord : GpuRecord {
  CopyKind kind = CopyKind::kHostToDevice;
  Bytes bytes{};
};
inline const trace::TableSpec& record_table_of(std::type_identity<CopyRecord>) {
  using Record = CopyRecord;
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "copies", "copy_run", "one row per copy or memset, written when it ends",
      gpu_columns<Record>({trace::column<Record>(&Record::kind, "kind", "kind and direction")
                               .formerly("fill", "memset"),
                           trace::column<Record>(&Record::bytes, "bytes", "size")}));
  return kTable;
}

struct EventRecord {
  Instant time;
  std::int32_t event = 0;
  std::int32_t stream = 0;
  std::int32_t device = 0;
};
inline const trace::TableSpec& record_table_of(std::type_identity<EventRecord>) {
  using Record = EventRecord;
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "event_records", "event_record", "one row per record of a CUDA event by a GPU",
      {trace::column<Record>(&Record::time, "time", "time at which the event was recorded"),
       trace::column<Record>(&Record::event, "event", "event"),
       trace::column<Record>(&Record::stream, "stream", "stream"),
       trace::column<Record>(&Record::device, "device", "device")});
  return kTable;
}

}  // namespace septet::records
