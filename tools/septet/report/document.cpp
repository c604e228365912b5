#include "tools/septet/report/document.hpp"

#include <utility>

#include "tools/septet/report/charts/figures.hpp"

namespace septet::command {

Cell text_cell(std::string text) { return {std::move(text), 0, false}; }

Cell number_cell(double value, int digits) { return {rounded(value, digits), value, true}; }

}  // namespace septet::command
