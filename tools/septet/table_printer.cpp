#include "tools/septet/table_printer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kGap = 2;         // blanks between two columns
constexpr std::size_t kNarrowest = 12;  // a column is never shrunk below this

}  // namespace

TablePrinter::TablePrinter(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

void TablePrinter::add_row(const std::vector<std::string>& cells) {
  SEPTET_ASSERT(cells.size() == columns_.size());
  std::vector<std::string> row;
  for (const std::string& cell : cells) row.push_back(printable(cell));
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> TablePrinter::natural_widths() const {
  std::vector<std::size_t> out;
  for (const TableColumn& column : columns_) out.push_back(text_width(column.title));
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = std::max(out[i], text_width(row[i]));
  }
  return out;
}

// Takes one column of the terminal at a time from the widest column that may still shrink.
std::vector<std::size_t> TablePrinter::widths(std::size_t columns) const {
  std::vector<std::size_t> out = natural_widths();
  const std::size_t gaps = columns_.empty() ? 0 : kGap * (columns_.size() - 1);
  std::size_t total = std::accumulate(out.begin(), out.end(), gaps);
  for (; total > columns; --total) {
    std::size_t widest = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].shrinks || out[i] <= kNarrowest) continue;
      if (widest == columns_.size() || out[i] > out[widest]) widest = i;
    }
    if (widest == columns_.size()) break;
    --out[widest];
  }
  return out;
}

std::string TablePrinter::line(const std::vector<std::string>& cells,
                               const std::vector<std::size_t>& widths) const {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = shorten(cells[i], widths[i]);
    const std::string blanks(widths[i] - text_width(cell), ' ');
    if (i > 0) out.append(kGap, ' ');
    out += columns_[i].align == Align::kRight ? blanks + cell : cell + blanks;
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string TablePrinter::text(std::size_t columns) const {
  const std::vector<std::size_t> width = widths(columns);
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    titles.push_back(columns_[i].title);
    rules.emplace_back(width[i], '-');
  }
  std::string out = line(titles, width) + line(rules, width);
  for (const std::vector<std::string>& row : rows_) out += line(row, width);
  return out;
}

}  // namespace septet::command
