// The field reference of scenario files and profiles, written from the tables of fields.
#pragma once

#include <string>

namespace septet {

// Markdown: a section for each table, a row for each key.
std::string field_reference();

}  // namespace septet
