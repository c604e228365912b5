// Table /bottlenecks: where the time of a run went.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "core/trace/small_table.hpp"

namespace septet::records {

struct BottleneckRecord {
  std::string kernel;
  double time = 0;
  std::int64_t count = 0;
};
inline const trace::SmallTable<BottleneckRecord>& record_table_of(
    std::type_identity<BottleneckRecord>) {
  using Row = BottleneckRecord;
  static const trace::SmallTable<Row> kTable{
      "bottlenecks",
      "kernels by total working time, without waits for ranks",
      {{"kernel", &Row::kernel, "name"},
       {"time", &Row::time, "total of all its runs", "us"},
       {"count", &Row::count, "number of runs"}}};
  return kTable;
}

}  // namespace septet::records
