// Tables of text for people: aligned columns, at most as wide as the terminal. What is too wide is
// shortened in the columns that may shrink (names of kernels), never in numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace septet::command {

enum class Align { kLeft, kRight };

struct TableColumn {
  std::string title;
  Align align = Align::kLeft;
  bool shrinks = false;
};

class TablePrinter {
 public:
  explicit TablePrinter(std::vector<TableColumn> columns);

  // One cell for each column.
  void add_row(const std::vector<std::string>& cells);

  // The table with its titles and a rule below them; every line ends with a line break.
  std::string text(std::size_t columns) const;

 private:
  std::vector<std::size_t> natural_widths() const;
  std::vector<std::size_t> widths(std::size_t columns) const;
  std::string line(const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths) const;

  std::vector<TableColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace septet::command
