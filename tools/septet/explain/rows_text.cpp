// A table of the kernels of a report; one row alone says which change gains that.
#include <array>

#include <fmt/format.h>

#include "core/base/total_time.hpp"
#include "tools/septet/explain/explain_output.hpp"
#include "tools/septet/short_name.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

std::string measured_text(const explain::Profiled& p) {
  return p.measured ? fmt::format("{:.2f}", to_us(*p.measured)) : "";
}

std::string error_text(const explain::Profiled& p) {
  if (!p.measured || *p.measured <= Duration(0)) return "";
  return fmt::format("{:+.1f} %", 100.0 * (ratio(p.predicted, *p.measured) - 1.0));
}

// "of 170 us: memory-bound 52 %, compute-bound 10 %, latency-bound 38 % of the time"
std::string sum_text(const std::vector<explain::Explanation>& rows) {
  std::array<TotalTime, 3> by_bound{};
  TotalTime all;
  for (const explain::Explanation& row : rows) {
    by_bound[static_cast<std::size_t>(row.metrics.bound)] += row.metrics.kernel_time;
    all += row.metrics.kernel_time;
  }
  std::string out = fmt::format("{} kernels, {:.1f} us:", rows.size(), to_us(all));
  for (std::size_t b = 0; b < by_bound.size(); ++b) {
    out += fmt::format("{} {}-bound {:.0f} %", b == 0 ? "" : ",",
                       text_of(static_cast<explain::Bound>(b)), 100.0 * ratio(by_bound[b], all));
  }
  return out + " of the time\n";
}

}  // namespace

std::string rows_text(const std::vector<explain::Explanation>& rows, std::size_t columns) {
  TablePrinter table({{"ID", Align::kRight},
                      {"kernel", Align::kLeft, true},
                      {"us", Align::kRight},
                      {"measured", Align::kRight},
                      {"error", Align::kRight},
                      {"bound"},
                      {"limiter"},
                      {"best gain", Align::kRight}});
  for (const explain::Explanation& row : rows) {
    const explain::Profiled seen = row.profiled.value_or(explain::Profiled{});
    const std::string best =
        row.advice.empty() ? "" : fmt::format("{:.2f}x", row.advice.front().speedup);
    table.add_row({seen.id, printable(short_kernel_name(row.title)),
                   fmt::format("{:.2f}", to_us(seen.predicted)), measured_text(seen),
                   error_text(seen), std::string(text_of(row.metrics.bound)),
                   std::string(text_of(row.time.limiter)), best});
  }
  return table.text(columns) + "\n" + sum_text(rows);
}

}  // namespace septet::command
