// What standard output and standard error are connected to, and what may be shown there. Honours
// NO_COLOR and TERM=dumb.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace septet::command {

struct Terminal {
  bool interactive = false;  // a terminal that can redraw a line
  bool color = false;
  std::size_t columns = 80;
};

// `stream` as it is now; the number of columns is what COLUMNS or the terminal says, else 100.
Terminal describe_terminal(std::FILE* stream);

// "septet: warning: ..." on standard error, a line each; none twice.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace septet::command
