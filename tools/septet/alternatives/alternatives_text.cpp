#include "tools/septet/alternatives/alternatives_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/table_printer.hpp"

namespace septet {

std::string alternatives_text(const std::vector<Alternative>& alternatives, std::size_t columns) {
  const bool collectives =
      std::any_of(alternatives.begin(), alternatives.end(),
                  [](const Alternative& one) { return one.attribution.collectives; });
  TablePrinter table({{"what if", Align::kLeft, true},
                      {"us", Align::kRight},
                      {"speed-up", Align::kRight},
                      {collectives ? "compute" : "GPU busy", Align::kRight},
                      {"then limited by", Align::kLeft, true}});
  for (const Alternative& one : alternatives) {
    const double busy = one.span > Duration(0) ? ratio(one.attribution.busy(), one.span) : 0.0;
    table.add_row({one.name, fmt::format("{:.1f}", to_us(one.span)),
                   fmt::format("{:.2f}x", one.speedup), fmt::format("{:.1f} %", 100.0 * busy),
                   one.limit});
  }
  return table.text(columns);
}

}  // namespace septet
