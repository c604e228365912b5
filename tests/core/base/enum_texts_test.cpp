#include "core/base/enum_texts.hpp"

#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

namespace septet {

enum class Fruit : std::uint8_t { kApple, kPear, kPlum };
constexpr auto enum_table(std::type_identity<Fruit>) {
  return enum_texts<Fruit>("apple", "pear", "plum");
}

namespace test {
namespace {

TEST(EnumTexts, EveryValueHasItsTextAndComesBackFromIt) {
  EXPECT_EQ(text_of(Fruit::kApple), "apple");
  EXPECT_EQ(text_of(Fruit::kPlum), "plum");
  for (const Fruit fruit : values_of<Fruit>()) {
    EXPECT_EQ(from_text<Fruit>(text_of(fruit)), fruit);
  }
  EXPECT_EQ(values_of<Fruit>().size(), 3U);
}

TEST(EnumTexts, AnUnknownTextIsNothing) {
  EXPECT_FALSE(from_text<Fruit>("Apple"));
  EXPECT_FALSE(from_text<Fruit>(""));
}

TEST(EnumTexts, AreListedForMessages) { EXPECT_EQ(listed_texts<Fruit>(), "apple, pear, plum"); }

TEST(EnumTexts, TellNamedValuesFromOthers) {
  EXPECT_TRUE(is_enumerator<Fruit::kPlum>());
  EXPECT_FALSE(is_enumerator<static_cast<Fruit>(3)>());
}

}  // namespace
}  // namespace test
}  // namespace septet
