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
      "links", "link_interval",
      "one row for each stretch of time in which links that carry the same carry it at one rate "
      "above zero",
      {trace::column<Record>(&Record::start, "start", "start of the interval"),
       trace::column<Record>(&Record::end, "end", "end of the interval"),
       trace::column<Record>(&Record::link, "link", "link, or links that carry the same")
           .code_of("link"),
       trace::column<Record>(&Record::bytes, "bytes", "carried by each of them"),
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
                                             "what each link joins, and what it can carry",
                                             {{"link", &Row::link, "the column `link` of /links"},
                                              {"from", &Row::from, "where it begins"},
                                              {"to", &Row::to, "where it ends"},
                                              {"rate", &Row::rate, "what it can carry", "B/s"}}};
  return kTable;
}

}  // namespace septet::records
