#include "models/gpu/gpu_tables.hpp"

namespace septet {
namespace {

ColumnSpec time(const char* name, const char* what) {
  return {name, ColumnType::kInt64, "ps", what};
}
ColumnSpec number(const char* name, const char* what) {
  return {name, ColumnType::kInt32, "1", what};
}

std::vector<ColumnSpec> times() {
  return {time("issued", "begin of the call that submitted it"),
          time("arrived", "arrival at the front end"), time("ready", "all it waits for is met"),
          time("start", "first block or byte"), time("end", "last block or byte")};
}

std::vector<ColumnSpec> origin() {
  ColumnSpec cause{"cause", ColumnType::kUint8, "1", "what it waited for last"};
  cause.flags = {"submission",     "stream_order", "event",   "connection",
                 "resident_grids", "graph",        "process", "sm_room"};
  return {number("stream", "stream"),
          number("device", "device"),
          cause,
          ColumnSpec{"thread", ColumnType::kInt32, "1", "submitting host thread", "thread"},
          ColumnSpec{"call", ColumnType::kInt64, "1", "index of the submitting call"},
          number("node", "graph node, -1 outside of graphs"),
          ColumnSpec{"correlation", ColumnType::kInt64, "1", "correlation id, 0: none"}};
}

TableSpec assemble(const char* name, const char* dimension, std::vector<ColumnSpec> middle) {
  TableSpec table{name, dimension, times()};
  table.columns.insert(table.columns.end(), middle.begin(), middle.end());
  const std::vector<ColumnSpec> last = origin();
  table.columns.insert(table.columns.end(), last.begin(), last.end());
  return table;
}

}  // namespace

TableSpec kernels_table() {
  TableSpec table = assemble("kernels", "kernel_run",
                             {{"name", ColumnType::kInt32, "1", "kernel", "kernel"},
                              {"blocks", ColumnType::kInt64, "1", "blocks of the grid"}});
  table.columns.push_back(
      time("waited", "collectives: from the start until all ranks were there; others: -1"));
  return table;
}

TableSpec event_records_table() {
  return {"event_records",
          "event_record",
          {time("time", "the GPU recorded the event"), number("event", "event"),
           number("stream", "stream"), number("device", "device")}};
}

TableSpec copies_table() {
  ColumnSpec kind{"kind", ColumnType::kUint8, "1", "what was copied where"};
  kind.flags = {"host_to_device", "device_to_host", "device_to_device", "host_to_host", "fill"};
  return assemble("copies", "copy_run", {kind, {"bytes", ColumnType::kInt64, "B", "size"}});
}

}  // namespace septet
