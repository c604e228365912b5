// How wide UTF-8 text is on a terminal, and how to shorten it without cutting a character. Invalid
// bytes count as one column; control characters are shown as blanks, so that a name with a line
// break in it cannot break a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace septet::command {

std::size_t text_width(std::string_view text);

// `text` as it may be printed: control characters become blanks, invalid bytes '?'.
std::string printable(std::string_view text);

// At most `columns` wide; what was cut is an ellipsis in the middle, because names of kernels
// differ at both ends. Expects printable text.
std::string shorten(std::string_view text, std::size_t columns);

// Lines broken between words, at most `columns` wide where words allow; those after the first are
// indented. The last ends with a line break, too.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns);

}  // namespace septet::command
