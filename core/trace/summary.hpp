// What a run came to: table /summary.
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
                                      "what the run came to",
                                      {{"name", &Row::name, "what was counted or measured"},
                                       {"value", &Row::value, "how much, in `units`"},
                                       {"units", &Row::units, "short symbol"}}};
  return kTable;
}

}  // namespace septet::trace
