// Table /collectives: what each rank of a collective did, and how the library did it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/trace/record.hpp"
#include "models/program/collective_terms.hpp"

namespace septet {

struct CollectiveRecord {
  Instant start, end;
  Duration waited{};
  CollectiveOp operation = CollectiveOp::kAllReduce;
  std::int32_t communicator = 0;
  std::int32_t rank = 0;
  std::int32_t device = 0;
  std::int32_t stream = 0;
  Bytes bytes{};
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kAuto;
  CollectiveProtocol protocol = CollectiveProtocol::kAuto;
  std::int32_t channels = 0;
  std::int32_t timing_method = 0;
};
inline const TableSpec& record_table_of(std::type_identity<CollectiveRecord>) {
  using Record = CollectiveRecord;
  static const TableSpec kTable = record_table<Record>(
      "collectives", "collective_run",
      "one row for each rank of a collective, written when it ends",
      {column<Record>(&Record::start, "start", "the rank's kernel is on its SMs"),
       column<Record>(&Record::end, "end", "end on this rank"),
       column<Record>(&Record::waited, "waited", "time until the last rank was there"),
       column<Record>(&Record::operation, "operation", "what it does"),
       column<Record>(&Record::communicator, "communicator", "group of ranks")
           .code_of("communicator"),
       column<Record>(&Record::rank, "rank", "rank in the group"),
       column<Record>(&Record::device, "device", "device"),
       column<Record>(&Record::stream, "stream", "stream"),
       column<Record>(&Record::bytes, "bytes", "size"),
       column<Record>(&Record::algorithm, "algorithm", "algorithm"),
       column<Record>(&Record::protocol, "protocol", "protocol"),
       column<Record>(&Record::channels, "channels", "blocks of its kernel"),
       column<Record>(&Record::timing_method, "timing_method", "how its time was found")
           .code_of("timing_method")
           .formerly("shortcut")});
  return kTable;
}

}  // namespace septet
