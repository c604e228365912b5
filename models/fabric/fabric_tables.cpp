#include "models/fabric/fabric_tables.hpp"

#include "models/network/collective/terms.hpp"

namespace septet {
namespace {

// A column whose values are those of an enumeration, which ends with `last`.
template <class Term>
ColumnSpec terms(const char* name, const char* what, Term last) {
  ColumnSpec column{name, ColumnType::kUint8, "1", what};
  for (std::uint8_t t = 0; t <= static_cast<std::uint8_t>(last); ++t) {
    column.flags.emplace_back(name_of(static_cast<Term>(t)));
  }
  return column;
}

}  // namespace

TableSpec collectives_table() {
  return {"collectives",
          "collective_run",
          {{"start", ColumnType::kInt64, "ps", "the rank's kernel is on its SMs"},
           {"end", ColumnType::kInt64, "ps", "end on this rank"},
           {"waited", ColumnType::kInt64, "ps", "time until the last rank was there"},
           terms("operation", "what it does", CollectiveOp::kReceive),
           {"communicator", ColumnType::kInt32, "1", "group of ranks", "communicator"},
           {"rank", ColumnType::kInt32, "1", "rank in the group"},
           {"device", ColumnType::kInt32, "1", "device"},
           {"stream", ColumnType::kInt32, "1", "stream"},
           {"bytes", ColumnType::kInt64, "B", "size"},
           terms("algorithm", "algorithm", CollectiveAlgorithm::kSharp),
           terms("protocol", "protocol", CollectiveProtocol::kSimple),
           {"channels", ColumnType::kInt32, "1", "blocks of its kernel"},
           {"shortcut", ColumnType::kInt32, "1", "how its time was found", "shortcut"}}};
}

TableSpec links_table() {
  return {"links",
          "link_interval",
          {{"start", ColumnType::kInt64, "ps", "start of the interval"},
           {"end", ColumnType::kInt64, "ps", "end of the interval"},
           {"link", ColumnType::kInt32, "1", "link, or links that carry the same", "link"},
           {"bytes", ColumnType::kInt64, "B", "carried by each of them"},
           {"utilisation", ColumnType::kFloat64, "1", "bytes / (rate of the link * time)"}}};
}

}  // namespace septet
