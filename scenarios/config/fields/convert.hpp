// Converts a written value to a typed one. Each type of member in a table of fields has a Convert:
// its name in messages and documentation, and how it is read. An error is a ConfigError that names
// location, path, what was found and what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"
#include "models/program/program.hpp"
#include "scenarios/config/toml/value.hpp"

namespace septet::config {

// A name that refers to something else in the file: kept with its place for the message if there is
// no such thing.
struct Name {
  std::string text;
  Location where;
};

// One name or a list of names.
struct Names {
  std::vector<Name> all;
};

// A value and its path, as errors name it.
struct Reading {
  const ConfigValue& value;
  const std::string& path;

  [[noreturn]] void fail(const std::string& wanted) const;  // got: the value
};

template <class T>
struct Convert;  // kType, kNumeric (needs a source in data files), read(Reading)

#define SEPTET_CONVERT(Type, type_text, numeric)    \
  template <>                                       \
  struct Convert<Type> {                            \
    static constexpr const char* kType = type_text; \
    static constexpr bool kNumeric = numeric;       \
    static Type read(const Reading& reading);       \
  }

SEPTET_CONVERT(bool, "true or false", false);
SEPTET_CONVERT(std::string, "a string", false);
SEPTET_CONVERT(std::vector<std::string>, "a list of strings", false);
SEPTET_CONVERT(Name, "a name", false);
SEPTET_CONVERT(Names, "a name or a list of names", false);
SEPTET_CONVERT(program::CopyDirection, "a direction", false);
SEPTET_CONVERT(program::Dim3, "a whole number or a list of up to three", false);
SEPTET_CONVERT(std::int32_t, "a whole number", true);
SEPTET_CONVERT(std::uint32_t, "a whole number", true);
SEPTET_CONVERT(std::uint64_t, "a whole number", true);
SEPTET_CONVERT(std::vector<std::uint32_t>, "a list of whole numbers", true);
SEPTET_CONVERT(double, "a number", true);
SEPTET_CONVERT(Duration, "a duration", true);
SEPTET_CONVERT(Bytes, "a size", true);
SEPTET_CONVERT(std::vector<Bytes>, "a list of sizes", true);
SEPTET_CONVERT(ByteRate, "a byte rate", true);
SEPTET_CONVERT(FlopRate, "a rate of floating-point operations", true);
SEPTET_CONVERT(Frequency, "a frequency", true);
SEPTET_CONVERT(Power, "a power", true);

#undef SEPTET_CONVERT

template <class T>
struct Convert<std::optional<T>> : Convert<T> {};

// Which of `texts` the value is.
std::size_t read_one_of(const Reading& reading, std::span<const std::string_view> texts);

// An enumeration that has a table of texts (core/base/enum_texts.hpp).
template <class Enum>
requires std::is_enum_v<Enum>
struct Convert<Enum> {
  static constexpr const char* kType = "a string";
  static constexpr bool kNumeric = false;
  static Enum read(const Reading& reading) {
    return static_cast<Enum>(read_one_of(reading, texts_of<Enum>()));
  }
};

// As a valid range is written in messages: "2.5 us", "16".
std::string range_text(std::int32_t value);
std::string range_text(std::uint32_t value);
std::string range_text(std::uint64_t value);
std::string range_text(double value);
std::string range_text(Duration value);
std::string range_text(Bytes value);
std::string range_text(ByteRate value);
std::string range_text(Frequency value);
std::string range_text(FlopRate value);
std::string range_text(Power value);

}  // namespace septet::config
