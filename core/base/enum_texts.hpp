// The texts of an enumeration, declared once next to it, in the order of its values:
//
//   enum class Fruit : std::uint8_t { kApple, kPear };
//   constexpr auto enum_table(std::type_identity<Fruit>) {
//     return enum_texts<Fruit>("apple", "pear");
//   }
//
// Files, options, messages and columns write and read its values only through text_of, from_text
// and texts_of. A value without a text, or a text without a value, does not compile, so no
// enumeration needs a sentinel as its last value. Values count from 0 without gaps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace septet {

// Whether the enumeration gives V a name. The compiler writes a value without a name as a cast or
// as a number, in what it tells about a function's template arguments.
template <auto V>
constexpr bool is_enumerator() {
  constexpr std::string_view function = __PRETTY_FUNCTION__;
  constexpr std::string_view value = function.substr(function.find("V = ") + 4);
  return value.front() != '(' && value.front() != '-' &&
         (value.front() < '0' || value.front() > '9');
}

template <class Enum, class... Texts>
consteval std::array<std::string_view, sizeof...(Texts)> enum_texts(Texts... texts) {
  static_assert(is_enumerator<static_cast<Enum>(sizeof...(Texts) - 1)>(), "a text has no value");
  static_assert(!is_enumerator<static_cast<Enum>(sizeof...(Texts))>(), "a value has no text");
  return {std::string_view(texts)...};
}

// Its table, found by argument-dependent lookup in the enumeration's own namespace.
template <class Enum>
inline constexpr auto kEnumTexts = enum_table(std::type_identity<Enum>{});

// How many values there are.
template <class Enum>
inline constexpr std::size_t kEnumSize = kEnumTexts<Enum>.size();

template <class Enum>
constexpr std::span<const std::string_view> texts_of() {
  return kEnumTexts<Enum>;
}

template <class Enum>
constexpr std::string_view text_of(Enum value) {
  return texts_of<Enum>()[static_cast<std::size_t>(value)];
}

// Nothing for a text that is not in the table.
template <class Enum>
constexpr std::optional<Enum> from_text(std::string_view text) {
  const std::span<const std::string_view> texts = texts_of<Enum>();
  const auto found = std::find(texts.begin(), texts.end(), text);
  if (found == texts.end()) return std::nullopt;
  return static_cast<Enum>(found - texts.begin());
}

// All values in their order, for loops.
template <class Enum>
constexpr std::array<Enum, kEnumSize<Enum>> values_of() {
  std::array<Enum, kEnumSize<Enum>> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Enum>(i);
  return out;
}

// "apple, pear", for error messages.
template <class Enum>
std::string listed_texts() {
  std::string out;
  for (const std::string_view text : texts_of<Enum>()) {
    if (!out.empty()) out += ", ";
    out += text;
  }
  return out;
}

}  // namespace septet
