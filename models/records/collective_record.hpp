// Table /collectives: what each rank of a collective did, and how the library did it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/trace/record.hpp"
#include "models/program/collective_terms.hpp"

namespace septet::records {

struct CollectiveRecord {
  Instant start, end;
  Duration waited{};
  program::CollectiveOp operation = program::CollectiveOp::kAllReduce;
  std::int32_t communicator = 0;
  std::int32_t rank = 0;
  std::int32_t device = 0;
  std::int32_t stream = 0;
  Bytes bytes{};
  program::CollectiveAlgorithm algorithm = program::CollectiveAlgorithm::kAuto;
  program::CollectiveProtocol protocol = program::CollectiveProtocol::kAuto;
  std::int32_t channels = 0;
  std::int32_t timing_method = 0;
};
inline const trace::TableSpec& record_table_of(std::type_identity<CollectiveRecord>) {
  using Record = CollectiveRecord;
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "collectives", "collective_run", "one row per rank of a collective, written when it ends",
      {trace::column<Record>(&Record::start, "start", "start of the rank's kernel on its SMs"),
       trace::column<Record>(&Record::end, "end", "end of the rank's kernel"),
       trace::column<Record>(&Record::waited, "waited", "time until the last rank arrived"),
       trace::column<Record>(&Record::operation, "operation", "operation"),
       trace::column<Record>(&Record::communicator, "communicator", "group of ranks")
           .code_of("communicator"),
       trace::column<Record>(&Record::rank, "rank", "rank in the group"),
       trace::column<Record>(&Record::device, "device", "device"),
       trace::column<Record>(&Record::stream, "stream", "stream"),
       trace::column<Record>(&Record::bytes, "bytes", "size"),
       trace::column<Record>(&Record::algorithm, "algorithm", "algorithm"),
       trace::column<Record>(&Record::protocol, "protocol", "protocol"),
       trace::column<Record>(&Record::channels, "channels", "blocks of its kernel (channels)"),
       trace::column<Record>(&Record::timing_method, "timing_method", "how its time was determined")
           .code_of("timing_method")
           .formerly("shortcut")});
  return kTable;
}

}  // namespace septet::records
