#include "models/network/topology/shape_text.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace septet::network {
namespace {

constexpr std::uint32_t kMostExtent = 1U << 20U;

[[noreturn]] void refuse(const std::string& text) {
  throw ConfigError::value({}, "topology", fmt::format("\"{}\"", text),
                           "ring, switch, full, or levels such as 8x512 or switch8xring512");
}

PlainShape take_shape(std::string_view& rest) {
  for (const PlainShape shape : values_of<PlainShape>()) {
    if (!rest.starts_with(text_of(shape))) continue;
    rest.remove_prefix(text_of(shape).size());
    return shape;
  }
  return PlainShape::kRing;
}

std::uint32_t whole_number(std::string_view digits, const std::string& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size();
  if (!whole || value > kMostExtent) refuse(text);
  return value;
}

std::uint64_t product(const std::vector<Level>& levels) {
  std::uint64_t gpus = 1;
  for (const Level& level : levels) gpus *= level.extent;
  return gpus;
}

}  // namespace

std::vector<Level> levels_of(const std::string& text, std::uint64_t gpus, const LinkSpec& link) {
  std::vector<Level> levels;
  std::string_view rest = text;
  const bool single = text.find_first_of("0123456789") == std::string::npos;
  while (!rest.empty()) {
    const PlainShape shape = take_shape(rest);
    const std::string_view digits = rest.substr(0, rest.find('x'));
    if (single && (!digits.empty() || !levels.empty() || gpus > kMostExtent)) refuse(text);
    const std::uint32_t extent =
        single ? static_cast<std::uint32_t>(gpus) : whole_number(digits, text);
    levels.push_back({.shape = shape, .extent = extent, .link = link});
    rest.remove_prefix(digits.size());
    if (rest == "x") refuse(text);
    if (!rest.empty()) rest.remove_prefix(1);
  }
  if (levels.empty() || levels.size() > 8) refuse(text);
  if (gpus != 0 && product(levels) != gpus) {
    throw ConfigError::value({}, "topology", fmt::format("{} of {} GPUs", text, product(levels)),
                             fmt::format("{} GPUs", gpus));
  }
  return levels;
}

}  // namespace septet::network
