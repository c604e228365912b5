// For tests of the tables of texts beside enumerations (core/base/enum_texts.hpp).
#pragma once

#include <gtest/gtest.h>

#include "core/base/enum_texts.hpp"

namespace septet::testing {

// Every value comes back from its text, so no two have the same one.
template <class Enum>
void expect_round_trip() {
  for (const Enum value : values_of<Enum>()) {
    EXPECT_EQ(from_text<Enum>(text_of(value)), value) << text_of(value);
  }
}

}  // namespace septet::testing
