#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/files/csv_field.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/validate/validate_report.hpp"

namespace septet::command {
namespace {

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

}  // namespace

std::string groups_text(const std::vector<validation::ValidatedRow>& rows, std::size_t columns) {
  TablePrinter table({{"group"},
                      {"rows", Align::kRight},
                      {"unsupported", Align::kRight},
                      {"median |error|", Align::kRight},
                      {"p90", Align::kRight},
                      {"max", Align::kRight},
                      {"bias", Align::kRight}});
  for (const auto& [name, group] : group_errors(rows)) {
    const bool compared = group.compared > 0;
    const auto percent = [compared](double value, const char* form) {
      return !compared ? std::string("-") : fmt::format(fmt::runtime(form), value);
    };
    table.add_row({name, std::to_string(group.rows), std::to_string(group.unsupported),
                   percent(group.median_abs, "{:.2f} %"), percent(group.p90_abs, "{:.2f} %"),
                   percent(group.max_abs, "{:.2f} %"), percent(group.bias, "{:+.2f} %")});
  }
  return table.text(columns);
}

std::string unsupported_text(const std::vector<validation::ValidatedRow>& rows,
                             std::size_t columns) {
  std::map<std::pair<std::string, std::string>, std::size_t> reasons;
  for (const validation::ValidatedRow& row : rows) {
    if (!row.prediction.value) ++reasons[{row.row.group, row.prediction.limiter}];
  }
  if (reasons.empty()) return "";
  TablePrinter table({{"unsupported"}, {"rows", Align::kRight}, {"why", Align::kLeft, true}});
  for (const auto& [what, count] : reasons) {
    table.add_row({what.first, std::to_string(count), what.second});
  }
  return "\n" + table.text(columns);
}

std::string worst_text(const std::vector<validation::ValidatedRow>& rows, std::size_t count,
                       std::size_t columns) {
  std::vector<const validation::ValidatedRow*> order;
  for (const validation::ValidatedRow& row : rows) {
    if (row.error_percent()) order.push_back(&row);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const validation::ValidatedRow* a, const validation::ValidatedRow* b) {
                     return std::abs(*a->error_percent()) > std::abs(*b->error_percent());
                   });
  TablePrinter table({{"group"},
                      {"metric"},
                      {"case", Align::kLeft, true},
                      {"measured", Align::kRight},
                      {"predicted", Align::kRight},
                      {"error", Align::kRight}});
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) {
    const validation::ValidatedRow& row = *order[i];
    table.add_row({row.row.group, row.row.metric, row.row.case_->dump(), number(row.row.value),
                   number(row.prediction.value), fmt::format("{:+.2f} %", *row.error_percent())});
  }
  return table.text(columns);
}

std::string rows_csv(const std::vector<validation::ValidatedRow>& rows) {
  std::ostringstream file;
  file << "file,line,group,case,metric,measured,predicted,error_pct,limiter\n";
  for (const validation::ValidatedRow& row : rows) {
    file << files::csv_quoted(row.row.file) << ',' << row.row.line << ',' << row.row.group << ','
         << files::csv_quoted(row.row.case_->dump()) << ',' << row.row.metric << ','
         << number(row.row.value) << ',' << number(row.prediction.value) << ','
         << number(row.error_percent()) << ',' << files::csv_quoted(row.prediction.limiter) << '\n';
  }
  return file.str();
}

}  // namespace septet::command
