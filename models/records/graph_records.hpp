// Tables /graphs and /graph_edges: the structure of the program's graphs. Graphs of equal edges
// have one shape.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/trace/small_table.hpp"

namespace septet::records {

struct GraphRecord {
  std::int64_t graph = 0;
  std::int64_t shape = 0;
};
inline const trace::SmallTable<GraphRecord>& record_table_of(std::type_identity<GraphRecord>) {
  using Row = GraphRecord;
  static const trace::SmallTable<Row> kTable{
      "graphs",
      "graphs of the program, and the shape of each",
      {{"graph", &Row::graph, "`object` of a graph launch in /api_calls"},
       {"shape", &Row::shape, "its shape"}}};
  return kTable;
}

struct GraphEdgeRecord {
  std::int64_t shape = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;
};
inline const trace::SmallTable<GraphEdgeRecord>& record_table_of(
    std::type_identity<GraphEdgeRecord>) {
  using Row = GraphEdgeRecord;
  static const trace::SmallTable<Row> kTable{
      "graph_edges",
      "edges of each shape",
      {{"shape", &Row::shape, "shape"},
       {"from", &Row::from, "node, as the column `node` of /kernels numbers them"},
       {"to", &Row::to, "the node that follows it"}}};
  return kTable;
}

}  // namespace septet::records
