// The field reference of scenario files and profiles, written from the tables of fields.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/fields/field.hpp"

namespace septet::config {

// Markdown: a section for each table, a row for each key.
std::string field_reference();

// One such section.
std::string field_table(const std::string& title, const std::vector<const FieldText*>& fields);

template <class Text>
std::string field_table(const std::string& title, const std::vector<Text>& fields) {
  std::vector<const FieldText*> texts;
  for (const FieldText& field : fields) texts.push_back(&field);
  return field_table(title, texts);
}

}  // namespace septet::config
