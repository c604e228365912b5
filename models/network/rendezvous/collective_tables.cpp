#include "models/network/rendezvous/collective_tables.hpp"

#include "models/program/collective_terms.hpp"

namespace septet {
namespace {

template <class Term>
ColumnSpec terms(const char* name, const char* what) {
  ColumnSpec column{name, ColumnType::kUint8, "1", what};
  column.flags.assign(texts_of<Term>().begin(), texts_of<Term>().end());
  return column;
}

}  // namespace

TableSpec collectives_table() {
  return {"collectives",
          "collective_run",
          {{"start", ColumnType::kInt64, "ps", "the rank's kernel is on its SMs"},
           {"end", ColumnType::kInt64, "ps", "end on this rank"},
           {"waited", ColumnType::kInt64, "ps", "time until the last rank was there"},
           terms<CollectiveOp>("operation", "what it does"),
           {"communicator", ColumnType::kInt32, "1", "group of ranks", "communicator"},
           {"rank", ColumnType::kInt32, "1", "rank in the group"},
           {"device", ColumnType::kInt32, "1", "device"},
           {"stream", ColumnType::kInt32, "1", "stream"},
           {"bytes", ColumnType::kInt64, "B", "size"},
           terms<CollectiveAlgorithm>("algorithm", "algorithm"),
           terms<CollectiveProtocol>("protocol", "protocol"),
           {"channels", ColumnType::kInt32, "1", "blocks of its kernel"},
           {"timing_method", ColumnType::kInt32, "1", "how its time was found", "timing_method"}}};
}

TableSpec links_table() {
  return {"links",
          "link_interval",
          {{"start", ColumnType::kInt64, "ps", "start of the interval"},
           {"end", ColumnType::kInt64, "ps", "end of the interval"},
           {"link", ColumnType::kInt32, "1", "link, or links that carry the same", "link"},
           {"bytes", ColumnType::kInt64, "B", "carried by each of them"},
           {"utilization", ColumnType::kFloat64, "1", "bytes / (rate of the link * time)"}}};
}

}  // namespace septet
