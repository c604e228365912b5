// Tables /links and /link_ends: what the links of the network carried.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "core/trace/record.hpp"
#include "core/trace/small_table.hpp"

namespace septet::records {

// Rows of what collectives move while they start up may lie over others of a link.
struct LinkRecord {
  Instant start, end;
  std::int32_t link = 0;
  Bytes bytes{};
  double utilization = 0;
};
inline const trace::TableSpec& record_table_of(std::type_identity<LinkRecord>) {
  using Record = LinkRecord;
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "links", "link_interval", "one row per interval of constant rate on equally loaded links",
      {trace::column<Record>(&Record::start, "start", "start of the interval"),
       trace::column<Record>(&Record::end, "end", "end of the interval"),
       trace::column<Record>(&Record::link, "link", "link, or group of equally loaded links")
           .code_of("link"),
       trace::column<Record>(&Record::bytes, "bytes", "bytes carried by each link"),
       trace::column<Record>(&Record::utilization, "utilization",
                             "bytes / (rate of the link * time)")
           .formerly("utilisation")});
  return kTable;
}

struct LinkEndsRecord {
  std::int64_t link = 0;  // code in dictionary "link"
  std::string from, to;
  double rate = 0;
};
inline const trace::SmallTable<LinkEndsRecord>& record_table_of(
    std::type_identity<LinkEndsRecord>) {
  using Row = LinkEndsRecord;
  static const trace::SmallTable<Row> kTable{"link_ends",
                                             "endpoints and rate of each link",
                                             {{"link", &Row::link, "the column `link` of /links"},
                                              {"from", &Row::from, "source"},
                                              {"to", &Row::to, "destination"},
                                              {"rate", &Row::rate, "rate of the link", "B/s"}}};
  return kTable;
}

}  // namespace septet::records
