// Results of a run: table /summary.
#pragma once

#include <string>
#include <type_traits>

#include "core/trace/small_table.hpp"

namespace septet::trace {

struct SummaryRow {
  std::string name;  // "kernel_time_median"
  double value = 0;
  std::string units;  // short symbol, "1" for plain numbers

  bool operator==(const SummaryRow&) const = default;
};
inline const SmallTable<SummaryRow>& record_table_of(std::type_identity<SummaryRow>) {
  using Row = SummaryRow;
  static const SmallTable<Row> kTable{"summary",
                                      "results of the run",
                                      {{"name", &Row::name, "quantity"},
                                       {"value", &Row::value, "value in `units`"},
                                       {"units", &Row::units, "unit symbol"}}};
  return kTable;
}

}  // namespace septet::trace
