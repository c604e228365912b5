// Tables of fields: the fields of a configuration table, declared once.
//
// Each row names a key, the member that it fills, its description and its valid range; reading,
// checking, error messages and the field reference all come from the rows. A new field is one line
// in the struct and one row. In data files every number is { value = ..., source = "..." }.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/config/fields/convert.hpp"
#include "scenarios/config/toml/value.hpp"

namespace septet::config {

enum class Sources {
  kRequired,  // data files: every number names its source
  kAllowed,   // scenarios: a number may
};

// Available to a struct read from a table: the location of the table and what was written there.
struct Place {
  const ConfigValue* table = nullptr;  // outlives the struct: part of the configuration
  std::string path;

  const Location& where() const { return table->where; }
  bool has(std::string_view key) const { return table->find(key) != nullptr; }
  // An error about `key`: located at its value, or at the table where there is none.
  [[noreturn]] void fail(std::string_view key, const std::string& got,
                         const std::string& wanted) const;
};

// The part of a row that is the same for every struct.
struct FieldText {
  std::string key;
  std::string type;
  std::string range;  // "at least 1", or empty
  std::string description;
  bool required = false;
};

template <class Spec>
struct Field : FieldText {
  std::function<void(const Reading&, Sources, Spec&)> read;
};

template <class Spec>
using Fields = std::vector<Field<Spec>>;

template <class T>
struct Range {
  std::optional<T> least;
  std::optional<T> most;

  bool holds(const T& value) const {
    return !(least && value < *least) && !(most && *most < value);
  }
  std::string text() const {
    if (least && most) return "from " + range_text(*least) + " to " + range_text(*most);
    if (least) return "of at least " + range_text(*least);
    return most ? "of at most " + range_text(*most) : "";
  }
};

template <class T>
Range<T> at_least(T least) {
  return {least, std::nullopt};
}
template <class T>
Range<T> between(T least, T most) {
  return {least, most};
}

// The number itself, after checking its source.
const ConfigValue& unwrapped(const Reading& reading, bool numeric, Sources sources);

// Throws where `reading` is no table, has a key that `fields` doesn't, or lacks a required one.
void check_keys(const Reading& reading, const std::vector<const FieldText*>& fields);

template <class Spec>
void read_fields(const Reading& reading, const Fields<Spec>& fields, Sources sources, Spec& spec) {
  std::vector<const FieldText*> texts;
  for (const Field<Spec>& field : fields) texts.push_back(&field);
  check_keys(reading, texts);
  if constexpr (requires { spec.place; }) spec.place = Place{&reading.value, reading.path};
  for (const Field<Spec>& field : fields) {
    const ConfigValue* value = reading.value.find(field.key);
    const std::string path = joined(reading.path, field.key);
    if (value != nullptr) field.read({*value, path}, sources, spec);
  }
}

// A value that lies in `range`.
template <class Member, class T>
T read_ranged(const Reading& reading, Sources sources, const Range<T>& range) {
  const ConfigValue& number = unwrapped(reading, Convert<Member>::kNumeric, sources);
  const T value = Convert<T>::read({number, reading.path});
  if (!range.holds(value)) {
    Reading{number, reading.path}.fail(std::string(Convert<T>::kType) + " " + range.text());
  }
  return value;
}

// A row whose value is checked against `range`. A member that is optional stays empty without it.
template <class Spec, class Member, class T>
Field<Spec> ranged(std::string key, Member Spec::*member, std::string description, Range<T> range) {
  const auto read = [member, range](const Reading& reading, Sources sources, Spec& spec) {
    spec.*member = read_ranged<Member>(reading, sources, range);
  };
  return {{std::move(key), Convert<Member>::kType, range.text(), std::move(description)}, read};
}

// A row of any value that its type allows.
template <class Spec, class Member>
Field<Spec> field(std::string key, Member Spec::*member, std::string description) {
  const auto read = [member](const Reading& reading, Sources sources, Spec& spec) {
    const ConfigValue& value = unwrapped(reading, Convert<Member>::kNumeric, sources);
    spec.*member = Convert<Member>::read({value, reading.path});
  };
  return {{std::move(key), Convert<Member>::kType, "", std::move(description)}, read};
}

// A table inside the table.
template <class Spec, class Section>
Field<Spec> section(std::string key, Section Spec::*member, const Fields<Section>& (*fields)(),
                    std::string description) {
  const auto read = [member, fields](const Reading& reading, Sources sources, Spec& spec) {
    read_fields(reading, fields(), sources, spec.*member);
  };
  return {{std::move(key), "a table", "", std::move(description)}, read};
}

// A list of tables, [[key]].
template <class Spec, class Element>
Field<Spec> list(std::string key, std::vector<Element> Spec::*member,
                 const Fields<Element>& (*fields)(), std::string description) {
  const auto read = [member, fields](const Reading& reading, Sources sources, Spec& spec) {
    const ConfigValue::Array* array = reading.value.array();
    if (array == nullptr) reading.fail("a list of tables");
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string path = element_path(reading.path, (*array)[i], i);
      read_fields({(*array)[i], path}, fields(), sources, (spec.*member).emplace_back());
    }
  };
  return {{std::move(key), "a list of tables", "", std::move(description)}, read};
}

// A table that others read: its location.
template <class Spec>
Field<Spec> unread(std::string key, const ConfigValue* Spec::*member, std::string description) {
  const auto read = [member](const Reading& reading, Sources, Spec& spec) {
    if (reading.value.table() == nullptr) reading.fail("a table");
    spec.*member = &reading.value;
  };
  return {{std::move(key), "a table", "", std::move(description)}, read};
}

template <class Spec>
Field<Spec> required(Field<Spec> row) {
  row.required = true;
  return row;
}

}  // namespace septet::config
