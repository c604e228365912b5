#include "tools/septet/alternatives/alternatives_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/table_printer.hpp"

namespace septet {

namespace {

bool has_rate(const Alternative& one) { return one.tokens_per_second > 0; }

}  // namespace

std::string alternatives_text(const std::vector<Alternative>& alternatives, std::size_t columns) {
  const bool collectives =
      std::any_of(alternatives.begin(), alternatives.end(),
                  [](const Alternative& one) { return one.attribution.collectives; });
  const bool training = std::any_of(alternatives.begin(), alternatives.end(),
                                    [](const Alternative& one) { return has_rate(one); });
  std::vector<TableColumn> titles = {
      {"what if", Align::kLeft, true}, {"us", Align::kRight}, {"speed-up", Align::kRight}};
  if (training) titles.push_back({"tokens/s", Align::kRight});
  titles.push_back({collectives ? "compute" : "GPU busy", Align::kRight});
  titles.push_back({"then limited by", Align::kLeft, true});
  TablePrinter table(titles);
  for (const Alternative& one : alternatives) {
    const double busy = one.span > Duration(0) ? ratio(one.attribution.busy(), one.span) : 0.0;
    std::vector<std::string> cells = {one.name, fmt::format("{:.1f}", to_us(one.span)),
                                      fmt::format("{:.2f}x", one.speedup)};
    if (training) {
      cells.push_back(has_rate(one) ? fmt::format("{:.0f}", one.tokens_per_second) : "-");
    }
    cells.push_back(fmt::format("{:.1f} %", 100.0 * busy));
    cells.push_back(one.limit);
    table.add_row(cells);
  }
  return table.text(columns);
}

}  // namespace septet
