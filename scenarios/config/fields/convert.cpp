#include "scenarios/config/fields/convert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::config {
namespace {

template <class T>
const T& scalar(const Reading& reading, const char* wanted) {
  const T* value = std::get_if<T>(&reading.value.data);
  if (value == nullptr) reading.fail(wanted);
  return *value;
}

template <class T>
T quantity(const Reading& reading, T (*parse)(std::string_view)) {
  // A number without quotes has no unit either; the unit parser has the best message.
  const std::string* text = reading.value.string();
  const bool number = std::holds_alternative<std::int64_t>(reading.value.data) ||
                      std::holds_alternative<double>(reading.value.data);
  if (text == nullptr && !number) {
    reading.fail(fmt::format("{} as a string with its unit", Convert<T>::kType));
  }
  try {
    return parse(text != nullptr ? *text : inline_toml(reading.value));
  } catch (const UnitError& error) {
    const std::string got = text != nullptr ? error.got() : described(reading.value);
    throw ConfigError::value(reading.value.where, reading.path, got,
                             error.wanted_with_suggestion());
  }
}

template <class T>
T whole(const Reading& reading) {
  const auto count = scalar<std::int64_t>(reading, Convert<T>::kType);
  if (!std::in_range<T>(count)) {
    reading.fail(fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::max()));
  }
  return static_cast<T>(count);
}

Name name_of_value(const Reading& reading, const char* wanted) {
  const auto& text = scalar<std::string>(reading, wanted);
  if (text.empty()) reading.fail(wanted);
  return {text, reading.value.where};
}

template <class T>
std::vector<T> elements(const Reading& reading) {
  using List = std::vector<T>;
  const ConfigValue::Array* array = reading.value.array();
  if (array == nullptr) reading.fail(Convert<List>::kType);
  List out;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string path = joined(reading.path, std::to_string(i));
    out.push_back(Convert<T>::read({(*array)[i], path}));
  }
  return out;
}

constexpr std::array<std::pair<const char*, program::CopyDirection>, 4> kDirections = {
    {{"host to device", program::CopyDirection::kHostToDevice},
     {"device to host", program::CopyDirection::kDeviceToHost},
     {"device to device", program::CopyDirection::kDeviceToDevice},
     {"host to host", program::CopyDirection::kHostToHost}}};

}  // namespace

void Reading::fail(const std::string& wanted) const {
  throw ConfigError::value(value.where, path, described(value), wanted);
}

bool Convert<bool>::read(const Reading& reading) { return scalar<bool>(reading, kType); }

std::string Convert<std::string>::read(const Reading& reading) {
  return scalar<std::string>(reading, kType);
}

std::vector<std::string> Convert<std::vector<std::string>>::read(const Reading& reading) {
  return elements<std::string>(reading);
}

std::vector<std::uint32_t> Convert<std::vector<std::uint32_t>>::read(const Reading& reading) {
  const ConfigValue::Array* array = reading.value.array();
  if (array == nullptr) reading.fail(kType);
  std::vector<std::uint32_t> out;
  for (const ConfigValue& element : *array) {
    out.push_back(Convert<std::uint32_t>::read({element, reading.path}));
  }
  return out;
}

Name Convert<Name>::read(const Reading& reading) { return name_of_value(reading, kType); }

Names Convert<Names>::read(const Reading& reading) {
  const ConfigValue::Array* array = reading.value.array();
  if (array == nullptr) return {{name_of_value(reading, kType)}};
  Names out;
  for (const ConfigValue& element : *array) {
    out.all.push_back(name_of_value({element, reading.path}, "a name"));
  }
  return out;
}

program::CopyDirection Convert<program::CopyDirection>::read(const Reading& reading) {
  std::vector<std::string> names;
  for (const auto& [name, direction] : kDirections) {
    if (reading.value.string() != nullptr && *reading.value.string() == name) return direction;
    names.emplace_back(name);
  }
  const std::string* text = reading.value.string();
  reading.fail("one of: " + listed(names) + (text ? did_you_mean(*text, names) : ""));
}

std::size_t read_one_of(const Reading& reading, std::span<const std::string_view> texts) {
  const std::string* got = reading.value.string();
  const std::string_view word = got == nullptr ? std::string_view() : *got;
  const auto found = std::ranges::find(texts, word);
  if (found != texts.end()) return static_cast<std::size_t>(found - texts.begin());
  const std::vector<std::string> names(texts.begin(), texts.end());
  reading.fail("one of: " + listed(names) + (got == nullptr ? "" : did_you_mean(*got, names)));
}

program::Dim3 Convert<program::Dim3>::read(const Reading& reading) {
  const ConfigValue::Array* array = reading.value.array();
  const std::size_t given = array == nullptr ? 1 : array->size();
  if (given < 1 || given > 3) reading.fail(kType);
  std::array<std::uint32_t, 3> size = {1, 1, 1};
  for (std::size_t i = 0; i < given; ++i) {
    const ConfigValue& element = array == nullptr ? reading.value : (*array)[i];
    size[i] = whole<std::uint32_t>({element, reading.path});
    if (size[i] == 0) Reading{element, reading.path}.fail("a whole number of at least 1");
  }
  return {size[0], size[1], size[2]};
}

std::int32_t Convert<std::int32_t>::read(const Reading& reading) {
  return whole<std::int32_t>(reading);
}
std::uint32_t Convert<std::uint32_t>::read(const Reading& reading) {
  return whole<std::uint32_t>(reading);
}
std::uint64_t Convert<std::uint64_t>::read(const Reading& reading) {
  return whole<std::uint64_t>(reading);
}

double Convert<double>::read(const Reading& reading) {
  if (const auto* count = std::get_if<std::int64_t>(&reading.value.data)) {
    return static_cast<double>(*count);
  }
  const double number = scalar<double>(reading, kType);
  if (!std::isfinite(number)) reading.fail("a finite number");
  return number;
}

Duration Convert<Duration>::read(const Reading& reading) {
  return quantity(reading, parse_duration);
}
Bytes Convert<Bytes>::read(const Reading& reading) { return quantity(reading, parse_bytes); }
std::vector<Bytes> Convert<std::vector<Bytes>>::read(const Reading& reading) {
  return elements<Bytes>(reading);
}
ByteRate Convert<ByteRate>::read(const Reading& reading) {
  return quantity(reading, parse_byte_rate);
}
FlopRate Convert<FlopRate>::read(const Reading& reading) {
  return quantity(reading, parse_flop_rate);
}
Frequency Convert<Frequency>::read(const Reading& reading) {
  return quantity(reading, parse_frequency);
}
Power Convert<Power>::read(const Reading& reading) { return quantity(reading, parse_power); }

std::string range_text(std::int32_t value) { return std::to_string(value); }
std::string range_text(std::uint32_t value) { return std::to_string(value); }
std::string range_text(std::uint64_t value) { return std::to_string(value); }
std::string range_text(double value) { return fmt::format("{}", value); }
std::string range_text(Duration value) { return to_text(value); }
std::string range_text(Bytes value) { return to_text(value); }
std::string range_text(ByteRate value) { return to_text(value); }
std::string range_text(Frequency value) { return to_text(value); }
std::string range_text(FlopRate value) { return to_text(value); }
std::string range_text(Power value) { return to_text(value); }

}  // namespace septet::config
