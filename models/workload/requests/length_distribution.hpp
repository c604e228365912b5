// How many tokens a request has: one number, uniform, or lognormal.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/enum_texts.hpp"
#include "core/base/random.hpp"

namespace septet::requests {

enum class LengthKind : std::uint8_t { kFixed, kUniform, kLognormal };
constexpr auto enum_table(std::type_identity<LengthKind>) {
  return enum_texts<LengthKind>("fixed", "uniform", "lognormal");
}

struct LengthDistribution {
  LengthKind kind = LengthKind::kFixed;
  std::int64_t tokens = 1;  // fixed: all; lognormal: the median
  std::int64_t least = 1;   // uniform: both ends are drawn; lognormal: draws are cut there
  std::int64_t most = 1 << 20;
  double sigma = 1;  // lognormal: standard deviation of the logarithm
};

// Takes one draw of `stream`.
std::int64_t draw_length(const LengthDistribution& distribution, RandomStream& stream);

}  // namespace septet::requests
